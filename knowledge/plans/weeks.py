"""Tasks in their order become weeks, each within the hours of a week."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WEEK = timedelta(days=7)
_LEAST_PART = 15
"""Minutes for which it is worth beginning something long."""
_REVIEW_SHARE = 6
"""Every sixth minute of a week is kept for review questions, a minute each."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is left to do of one item."""

    item: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Part:
    """As much of a task as a week has room for: all of it, unless it is longer than a week."""

    item: str
    minutes: int
    left: int
    """Minutes of the item that later weeks hold."""


@dataclass(frozen=True, slots=True)
class Week:
    starts_on: date
    parts: tuple[Part, ...]


def questions_a_week(minutes_a_week: int) -> int:
    return minutes_a_week // _REVIEW_SHARE


def weeks_of(tasks: Sequence[Task], minutes_a_week: int, starts_on: date, *, spent: int = 0) -> tuple[Week, ...]:
    """Fill weeks in order: a task that fits into a week is done in one, a longer one takes what each week has left.

    The first week may have minutes that are spent already.
    """
    room = minutes_a_week - questions_a_week(minutes_a_week)
    weeks: list[list[Part]] = [[]]
    free = max(0, room - spent)
    for task in tasks:
        left = task.minutes
        while left > 0:
            if free < min(_LEAST_PART, left) or free < left == task.minutes <= room:
                weeks.append([])
                free = room
            minutes = min(left, free)
            left, free = left - minutes, free - minutes
            weeks[-1].append(Part(task.item, minutes, left))
    return tuple(Week(starts_on + n * WEEK, tuple(parts)) for n, parts in enumerate(weeks))


def week_of(day: date, starts_on: date) -> date:
    """The first day of the plan's week that holds the day."""
    return day - (day - starts_on) % WEEK
