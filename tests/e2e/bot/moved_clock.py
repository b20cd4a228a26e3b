"""Time as the bot's posts see it, moved by a test alone."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from knowledge.store import Scope
from knowledge.store.tables import PostRow
from tests.discord import Channel, Guild
from tests.discord.check_messages import text_of
from tests.e2e.bot.stage import Stage

MONDAY = datetime(2027, 3, 1, 9, 30, tzinfo=UTC)


@dataclass
class MovedClock:
    now: datetime = MONDAY

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def with_clock(stage: Stage) -> MovedClock:
    """Have the services of this stage go by a clock of the test's; before its bot begins."""
    clock = MovedClock()
    group = dataclasses.replace(stage.services.group, clock=clock)
    kept_threads = dataclasses.replace(stage.services.kept_threads, clock=clock)
    stage.services = dataclasses.replace(stage.services, group=group, kept_threads=kept_threads)
    return clock


async def everything_posted(stage: Stage) -> None:
    """Look once more beside the look with which the bot began, and wait until no post is on its way."""
    await stage.living[-1].group_posts.look(stage.services.group.clock())
    await stage.until(lambda: _claimed(stage), 0)


async def _claimed(stage: Stage) -> int | None:
    count = select(func.count()).select_from(PostRow).where(PostRow.state == "claimed")
    async with stage.store.reading(Scope.all()) as session:
        return await session.scalar(count)


def said_in(channel: Channel) -> list[str]:
    """What the bot posted there unasked, oldest first."""
    return [text_of(one) for one in channel.messages.values() if "interaction_metadata" not in one]


def threads_of(guild: Guild) -> list[Channel]:
    return [channel for channel in guild.channels if channel.parent_id is not None]
