"""What the bot has to post by itself in a guild at a moment: from plan and settings alone, whatever was posted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from knowledge.group.plan import REMIND_AFTER, GroupPlan
from knowledge.plans.weeks import WEEK
from knowledge.practice.streaks import monday

_TOO_LATE_TO_REMIND = timedelta(days=1)
"""Before a week closes."""


@dataclass(frozen=True, slots=True)
class Due:
    """`key` is the same however often it is asked: whoever adds its row posts it."""

    key: str
    kind: Literal["open", "remind", "close", "digest"]
    guild_id: str
    week: int = 0


def due_of_plan(plan: GroupPlan, now: datetime) -> Iterator[Due]:
    """Oldest first. What was missed for longer than a week is past, and said by what comes after it."""
    last = min(plan.number_at(now), len(plan.weeks))
    for number in range(max(1, last - 1), last + 1):
        opens, closes = plan.opens_at(number), plan.closes_at(number)
        if opens <= now < closes:
            yield _of(plan, "open", number)
        if opens + REMIND_AFTER <= now < closes - _TOO_LATE_TO_REMIND:
            yield _of(plan, "remind", number)
        if closes <= now < closes + WEEK:
            yield _of(plan, "close", number)


def digest_due(guild_id: str, now: datetime) -> Due:
    """Return this week's: on Monday (UTC), or as soon as it is wished for."""
    return Due(digest_key(guild_id, now), "digest", guild_id)


def digest_key(guild_id: str, at: datetime) -> str:
    return f"{digest_keys(guild_id)}{monday(at.date())}"


def digest_keys(guild_id: str) -> str:
    """Return what the keys of all of its digests begin with."""
    return f"digest:{guild_id}:"


def _of(plan: GroupPlan, kind: Literal["open", "remind", "close"], number: int) -> Due:
    return Due(plan_key(plan, kind, number), kind, plan.guild_id, number)


def plan_key(plan: GroupPlan, kind: str, number: int) -> str:
    return f"plan:{plan.id}:{kind}:{number}"
