"""Which guilds a bot process hears of, where several share them: Discord deals guilds to shards by their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from knowledge.errors import BadSetting

_WRITTEN = re.compile(r"(?P<numbers>\d{1,5}(?:,\d{1,5})*)/(?P<count>\d{1,5})")


@dataclass(frozen=True, slots=True)
class Shards:
    """The numbers of a process's shards, and how many there are in all; without numbers it has all of them."""

    numbers: tuple[int, ...] = ()
    count: int = 1

    @classmethod
    def read(cls, written: str) -> Shards:
        """Return what `0,1/4` says; BadSetting where it says nothing sensible."""
        if not written:
            return cls()
        found = _WRITTEN.fullmatch(written.replace(" ", ""))
        numbers = tuple(sorted({int(number) for number in found["numbers"].split(",")})) if found else ()
        if found is None or not numbers or numbers[-1] >= int(found["count"]):
            raise BadSetting("WARPMATE_DISCORD_SHARDS: numbers of shards, from 0, of how many in all: 0,1/4")
        return cls(numbers, int(found["count"]))

    def has(self, guild_id: str | int | None) -> bool:
        """Tell whether what happens there is this process's; direct messages are shard 0's."""
        return not self.numbers or (int(guild_id or 0) >> 22) % self.count in self.numbers

    def as_options(self) -> dict[str, Any]:
        """Return what Discord's client is told."""
        return {"shard_ids": list(self.numbers), "shard_count": self.count} if self.numbers else {}
