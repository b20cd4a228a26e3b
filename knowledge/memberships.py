"""In which guilds a member is and what they may do there: asked through the bot, believed for less than five minutes.

The bot of this process is the one who knows (`known_by`), as long as it is connected; while it is not, or Discord
does not answer, nothing that only a guild's members may see is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from knowledge.errors import NotReady

BELIEVED_S = 240.0
"""How long an answer of Discord's holds: with the time of a slow request on top it is younger than five minutes."""
BELIEVED_ABSENT_S = 20.0
"""How long a "not a member" holds: who has just joined is let in soon."""
ANSWERS_WITHIN_S = 8.0
_SWEEP_AT = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """A guild as one of its members sees it."""

    guild_id: str
    name: str
    manages: bool
    """Whether the member has *Manage Server* there."""
    called: str = ""
    """What the member is called there; kept nowhere."""


class KnowsMembers(Protocol):
    """The bot, as far as memberships go. Both raise DiscordAway while Discord does not answer."""

    def guild_ids(self) -> Sequence[str]:
        """Return the guilds that the bot is in."""
        ...

    async def place(self, user_id: int, guild_id: str) -> Place | None:
        """Ask Discord, and no cache of it: None where the bot or the user is not in the guild."""
        ...


class DiscordAway(NotReady):
    """Discord cannot be asked just now."""

    def __init__(self) -> None:
        super().__init__("error.signin.discord_away")


@dataclass(frozen=True, slots=True)
class _Answer:
    place: Place | None
    at_s: float


class Memberships:
    """The answers of the last minutes; several who want the same one at once share a question."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.known_by: KnowsMembers | None = None
        self._clock = clock
        self._answers: dict[tuple[str, str], _Answer] = {}
        self._asking: dict[tuple[str, str], asyncio.Task[Place | None]] = {}

    async def place(self, member_id: str, guild_id: str) -> Place | None:
        """Return the guild if the member is in it; raises DiscordAway where that cannot be known."""
        answer = self._answers.get((member_id, guild_id))
        if answer is not None and self._holds(answer):
            return answer.place
        return await self._ask(member_id, guild_id)

    async def places(self, member_id: str) -> tuple[Place, ...]:
        """Return every guild that the member shares with the bot, by name."""
        asked = (self.place(member_id, guild_id) for guild_id in self._bot().guild_ids())
        found = [place for place in await asyncio.gather(*asked) if place is not None]
        return tuple(sorted(found, key=lambda place: (place.name.casefold(), place.guild_id)))

    async def belongs(self, member_id: str) -> bool:
        """Tell whether the member shares any guild with the bot; those where they were last are asked first."""
        seen = {guild for (member, guild), answer in self._answers.items() if member == member_id and answer.place}
        for guild_id in sorted(self._bot().guild_ids(), key=lambda guild_id: guild_id not in seen):
            if await self.place(member_id, guild_id) is not None:
                return True
        return False

    async def present(self, member_ids: Iterable[str], guild_id: str) -> frozenset[str]:
        """Return those who are in the guild now; raises DiscordAway where that cannot be known."""
        wanted = tuple(dict.fromkeys(member_ids))
        places = await asyncio.gather(*(self.place(member_id, guild_id) for member_id in wanted))
        return frozenset(member_id for member_id, place in zip(wanted, places, strict=True) if place)

    def _bot(self) -> KnowsMembers:
        if self.known_by is None:
            raise DiscordAway
        return self.known_by

    def _holds(self, answer: _Answer) -> bool:
        return self._clock() - answer.at_s < (BELIEVED_S if answer.place else BELIEVED_ABSENT_S)

    async def _ask(self, member_id: str, guild_id: str) -> Place | None:
        key = (member_id, guild_id)
        if key not in self._asking:
            task = self._asking[key] = asyncio.create_task(self._asked(member_id, guild_id), name="membership")
            task.add_done_callback(lambda done: self._asked_for(key, done))
        return await asyncio.shield(self._asking[key])

    def _asked_for(self, key: tuple[str, str], done: asyncio.Task[Place | None]) -> None:
        self._asking.pop(key, None)
        if not done.cancelled():
            done.exception()  # whoever waited has it; where nobody waits any more it is of no account

    async def _asked(self, member_id: str, guild_id: str) -> Place | None:
        kind, _, number = member_id.partition(":")
        if kind != "discord" or not number.isdecimal():
            return None
        at_s = self._clock()
        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                place = await self._bot().place(int(number), guild_id)
        except TimeoutError:
            raise DiscordAway from None
        self._keep((member_id, guild_id), _Answer(place, at_s))
        return place

    def _keep(self, key: tuple[str, str], answer: _Answer) -> None:
        if len(self._answers) > _SWEEP_AT:
            self._answers = {known: given for known, given in self._answers.items() if self._holds(given)}
        self._answers[key] = answer
