"""Streaks: how many weeks in a row a guild, and a member, solved problems that they had not solved before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import func, select

from knowledge.store import Scope, Store
from knowledge.store.tables import ReadingEvent, Submission, VerdictRow
from knowledge.words import Message
from worker.protocol import Kind

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Streak:
    """Weeks begin on Monday (UTC). A week that is not over yet breaks no streak."""

    own_weeks: int
    guild_weeks: int = 0
    solved_this_week: int = 0
    """In the guild, each member and problem once and for all."""
    members_this_week: int = 0

    @property
    def lines(self) -> tuple[Message, ...]:
        """Return what there is to say of it: nothing where nobody is on a streak."""
        said = []
        if self.guild_weeks:
            said.append(Message("streak.both", guild=self.guild_weeks, own=self.own_weeks))
        elif self.own_weeks:
            said.append(Message("streak.own", own=self.own_weeks))
        if self.solved_this_week:
            said.append(self.this_week)
        return tuple(said)

    @property
    def this_week(self) -> Message:
        return Message("streak.this_week", solved=self.solved_this_week, members=self.members_this_week)


@dataclass(frozen=True, slots=True)
class SolvedLately:
    """What a guild solved within some time, without a name."""

    solved: int
    members: int
    weeks: int
    """In a row, this one or the last one included."""


async def streak_of(store: Store, scope: Scope, member_id: str, today: date | None = None) -> Streak:
    """Return the member's streak, wherever they solved, and that of the guild they look from.

    Without a guild there is no group: direct messages of strangers have nothing in common.
    """
    this_week = monday(today or datetime.now(UTC).date())
    own = weeks_in_a_row({monday(at.date()) for at in await _first_solved(store, member_id)}, this_week)
    if scope.guild_id is None:
        return Streak(own)
    solved = await _solved_in_guild(store, scope)
    now = [member for member, at in solved if monday(at.date()) == this_week]
    weeks = weeks_in_a_row({monday(at.date()) for _, at in solved}, this_week)
    return Streak(own, weeks, len(now), len(set(now)))


async def solved_lately(store: Store, guild_id: str, since: datetime, until: datetime) -> SolvedLately:
    """Return what the members of a guild solved there since then, and for how many weeks in a row."""
    solved = await _solved_in_guild(store, Scope.guild(guild_id))
    lately = [member for member, at in solved if since < at <= until]
    weeks = weeks_in_a_row({monday(at.date()) for _, at in solved}, monday(until.date()))
    return SolvedLately(len(lately), len(set(lately)), weeks)


def weeks_in_a_row(weeks: Collection[date], this_week: date) -> int:
    """Count back from this week, or from the last one while this one has nothing yet; weeks are their Mondays."""
    at, count = this_week if this_week in weeks else this_week - WEEK, 0
    while at in weeks:
        at, count = at - WEEK, count + 1
    return count


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


async def _first_solved(store: Store, member_id: str) -> Iterable[datetime]:
    """When the member solved each of their problems for the first time."""
    first = (
        select(func.min(ReadingEvent.at))
        .where(ReadingEvent.member_id == member_id, ReadingEvent.event == "solved")
        .group_by(ReadingEvent.item)
    )
    async with store.reading(Scope.all()) as session:
        return [at for at in await session.scalars(first) if at]


async def _solved_in_guild(store: Store, scope: Scope) -> list[tuple[str, datetime]]:
    """Each member with the time at which they first solved a problem there, problem by problem."""
    first = (
        select(Submission.member_id, func.min(VerdictRow.at))
        .join(VerdictRow, VerdictRow.submission_id == Submission.id)
        .where(VerdictRow.kind == Kind.ACCEPTED.value, VerdictRow.problem.is_not(None))
        .group_by(Submission.member_id, VerdictRow.problem)
    )
    async with store.reading(scope) as session:
        return [(member, at) for member, at in await session.execute(first)]
