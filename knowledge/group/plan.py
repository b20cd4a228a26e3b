"""A guild's plan as it stands: its weeks, and when each of them opens and closes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from knowledge.group.weeks import GroupWeek
from knowledge.plans.goal import Goal
from knowledge.plans.weeks import WEEK

REMIND_AFTER = timedelta(days=4)


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """Weeks are counted from 1."""

    id: str
    guild_id: str
    goal: Goal
    level: str
    weeks: tuple[GroupWeek, ...]
    channel: str
    starts_at: datetime

    @property
    def ends_at(self) -> datetime:
        return self.opens_at(len(self.weeks) + 1)

    def week(self, number: int) -> GroupWeek:
        return self.weeks[number - 1]

    def opens_at(self, number: int) -> datetime:
        return self.starts_at + (number - 1) * WEEK

    def closes_at(self, number: int) -> datetime:
        return self.opens_at(number + 1)

    def number_at(self, now: datetime) -> int:
        """Return the week that runs: 0 before the first, one more than there are after the last."""
        return min(max((now - self.starts_at) // WEEK + 1, 0), len(self.weeks) + 1)

    def runs_at(self, now: datetime) -> bool:
        return self.starts_at <= now < self.ends_at


def first_opening(now: datetime, weekday: int, hour: int | None) -> datetime:
    """Return the next such weekday (Monday is 0) at this hour, UTC; without an hour today counts, from now on."""
    at = now.replace(hour=now.hour if hour is None else hour, minute=0, second=0, microsecond=0)
    at += timedelta(days=(weekday - at.weekday()) % 7)
    return at if at >= now or hour is None else at + WEEK
