"""The items that lead to a goal, cut into as many weeks as a guild has for them, each with a problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from knowledge.content import Level
from knowledge.plans.curriculum import items_for, practice
from knowledge.plans.goal import Goal
from knowledge.plans.view import minutes_of
from knowledge.plans.weeks import Part, Task, weeks_of
from knowledge.recommend.history import History
from knowledge.recommend.shelf import Shelf

_ANY_DAY = date.min
_LEAST_MINUTES, _MOST_MINUTES, _STEP_MINUTES = 60, 40 * 60, 15
"""Of a week: the fewest with which everything fits into the weeks are taken."""


@dataclass(frozen=True, slots=True)
class GroupWeek:
    items: tuple[str, ...]
    """Ids of readings and problems, in the order to do them."""
    problem: str | None
    """Slug of the one that the guild solves together."""
    minutes: int


def group_weeks(shelf: Shelf, goal: Goal, level: Level, weeks: int, lang: str) -> tuple[GroupWeek, ...]:
    """Return at most so many weeks; fewer where there are fewer items, none where they do not fit at all."""
    items = items_for(shelf, goal, level, History(), lang)
    cut = _evenly([Task(item.id, minutes_of(item)) for item in items], weeks)
    taken = {item.id for item in items}
    found = []
    for parts in cut:
        ids = tuple(part.item for part in parts)
        problem = next((id_ for id_ in ids if id_.startswith("problem:")), None) or _fitting(shelf, ids, taken)
        taken.add(problem or "")
        every = ids if problem is None or problem in ids else (*ids, problem)
        extra = minutes_of(shelf.by_id[problem]) if problem and problem not in ids else 0
        slug = problem.removeprefix("problem:") if problem else None
        found.append(GroupWeek(every, slug, sum(part.minutes for part in parts) + extra))
    return tuple(found)


def _evenly(tasks: Sequence[Task], weeks: int) -> list[tuple[Part, ...]]:
    """Fill weeks as those of a member's plan are filled, with no problem in two of them; where some are left, the
    longest one is halved.
    """
    longest_problem = max((task.minutes for task in tasks if task.item.startswith("problem:")), default=0)
    least = max(_LEAST_MINUTES, longest_problem * 6 // 5 + 1)  # a sixth of a week is for review questions
    tried = range(least, _MOST_MINUTES + 1, _STEP_MINUTES)
    filled = (weeks_of(tasks, minutes, _ANY_DAY) for minutes in tried)
    cut = next(([week.parts for week in one if week.parts] for one in filled if len(one) <= weeks), [])
    while cut and len(cut) < weeks and max(map(len, cut)) > 1:
        longest = max((n for n, parts in enumerate(cut) if len(parts) > 1), key=lambda n: _minutes(cut[n]))
        cut[longest : longest + 1] = _halves(cut[longest])
    return cut


def _halves(parts: tuple[Part, ...]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    at = min(range(1, len(parts)), key=lambda n: abs(_minutes(parts[:n]) - _minutes(parts[n:])))
    return parts[:at], parts[at:]


def _minutes(parts: Sequence[Part]) -> int:
    return sum(part.minutes for part in parts)


def _fitting(shelf: Shelf, ids: Sequence[str], taken: set[str]) -> str | None:
    """Return a problem about what is read in the week, of the topic that is read last first."""
    return next((problem for problem in _about(shelf, ids) if problem not in taken), None)


def _about(shelf: Shelf, ids: Sequence[str]) -> Iterator[str]:
    for id_ in reversed(ids):
        yield from (item.id for item in practice(shelf, shelf.by_id[id_].subject, History()))
