"""The decision of a server's moderators about replies there: where and what is public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_FIT_A_LINE = 3


@dataclass(frozen=True, slots=True)
class Visibility:
    channels: tuple[str, ...] = ()
    """Ids of the channels where replies may be public; empty means everywhere."""
    private_answers: bool = False
    public_verdicts: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Visibility:
        """Read a guild's row, as `/settings` wrote it."""
        return cls(
            tuple(settings.get("channels", ())),
            settings.get("answers") == "private",
            settings.get("verdicts") == "public",
        )

    def open_in(self, *channel_ids: int | None) -> bool:
        """A thread counts as the channel that it stands in: name both."""
        return not self.channels or any(str(id_) in self.channels for id_ in channel_ids)

    @property
    def where(self) -> str:
        """Return the open channels as mentions, which a client shows by name."""
        return _shown(self.channels)

    @property
    def for_instance(self) -> str:
        """Name as many of the open channels as fit a line."""
        return _shown(self.channels[:_FIT_A_LINE]) + (" …" if len(self.channels) > _FIT_A_LINE else "")


def _shown(channels: tuple[str, ...]) -> str:
    return " ".join(f"<#{id_}>" for id_ in channels)
