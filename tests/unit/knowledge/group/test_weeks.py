"""A server's plan, whatever its goal: its weeks hold everything in order, and each is due when it should be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.group.due import due_of_plan
from knowledge.group.plan import GroupPlan, first_opening
from knowledge.group.weeks import group_weeks
from knowledge.plans.curriculum import items_for
from knowledge.plans.goal import Goal, goal_named, goals
from knowledge.plans.view import minutes_of
from knowledge.recommend.history import History
from knowledge.recommend.shelf import Shelf, shelf_of
from tests.shipped_content import shipped_content

MONDAY = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)


@cache
def shelf() -> Shelf:
    return shelf_of(shipped_content())


some_goal = st.deferred(lambda: st.sampled_from(tuple(goals(shipped_content()))))


def plan(weeks: int = 4) -> GroupPlan:
    goal = goal_named(shipped_content(), "path:tiling")
    return GroupPlan("1", "7", goal, "beginner", group_weeks(shelf(), goal, "beginner", weeks, "en"), "8", MONDAY)


@given(goal=some_goal, weeks=st.integers(1, 26))
def test_weeks_hold_every_item_in_its_order_and_no_problem_is_solved_twice(goal: Goal, weeks: int) -> None:
    made = group_weeks(shelf(), goal, "beginner", weeks, "en")
    leading = items_for(shelf(), goal, "beginner", History(), "en")
    if not made:  # it does not fit into weeks of forty hours
        assert sum(minutes_of(item) for item in leading) > weeks * 20 * 60
        return
    items = [item.id for item in leading]
    planned = list(dict.fromkeys(item for week in made for item in week.items))
    assert [item for item in planned if item in items] == items
    assert len(made) <= weeks
    assert all(week.items for week in made)
    problems = [week.problem for week in made if week.problem]
    assert len(set(problems)) == len(problems)
    assert all(f"problem:{week.problem}" in week.items for week in made if week.problem)


@pytest.mark.parametrize("weeks", [1, 2, 4, 6])
def test_a_path_fills_as_many_weeks_as_were_asked_for(weeks: int) -> None:
    made = plan(weeks).weeks
    assert len(made) == weeks
    assert all(week.problem for week in made)


def looked_at(every: timedelta) -> Iterator[tuple[str, datetime]]:
    """What is due for the first time, and when, by looking this often."""
    made, seen, now = plan(), set[str](), MONDAY - timedelta(days=3)
    while now < MONDAY + timedelta(weeks=8):
        for due in due_of_plan(made, now):
            if due.key not in seen:
                yield f"{due.kind} {due.week}", now
                seen.add(due.key)
        now += every


def test_every_post_is_due_at_its_time_and_in_its_order() -> None:
    expected = [("open 1", 0), ("remind 1", 4)]
    for week in (2, 3, 4):
        expected += [
            (f"close {week - 1}", 7 * week - 7),
            (f"open {week}", 7 * week - 7),
            (f"remind {week}", 7 * week - 3),
        ]
    expected += [("close 4", 28)]
    assert list(looked_at(timedelta(hours=1))) == [(name, MONDAY + timedelta(days=days)) for name, days in expected]


def test_who_looks_once_in_six_days_misses_no_week() -> None:
    said = [name for name, _ in looked_at(timedelta(days=6))]
    assert [name for name in said if not name.startswith("remind")] == [
        "open 1", "close 1", "open 2", "close 2", "open 3", "close 3", "open 4", "close 4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("weekday", "hour", "days", "at"),
    [(0, None, 0, 9), (0, 9, 7, 9), (0, 12, 0, 12), (2, 18, 2, 18), (6, None, 6, 9)],
)
def test_the_first_week_opens_on_the_next_such_day(weekday: int, hour: int | None, days: int, at: int) -> None:
    opens = first_opening(MONDAY + timedelta(minutes=30), weekday, hour)
    assert opens == MONDAY.replace(hour=at) + timedelta(days=days)
