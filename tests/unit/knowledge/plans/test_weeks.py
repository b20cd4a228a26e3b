"""Weeks keep to their hours and to the order of the tasks, and lose nothing, whatever is done and when."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from knowledge.plans.weeks import Task, Week, questions_a_week, week_of, weeks_of

MONDAY = date(2026, 11, 23)
lengths = st.lists(st.integers(1, 3000), max_size=40)
budgets = st.integers(1, 40).map(lambda hours: hours * 60)


def tasks(minutes: list[int]) -> list[Task]:
    return [Task(f"item-{n}", length) for n, length in enumerate(minutes)]


def parts(weeks: tuple[Week, ...]) -> list[tuple[str, int]]:
    return [(part.item, part.minutes) for week in weeks for part in week.parts]


@given(lengths, budgets, st.integers(0, 4000))
def test_no_week_is_longer_than_its_hours(minutes: list[int], budget: int, spent: int) -> None:
    weeks = weeks_of(tasks(minutes), budget, MONDAY, spent=spent)
    for n, week in enumerate(weeks):
        already = spent if n == 0 and week.parts else 0
        assert already + sum(part.minutes for part in week.parts) + questions_a_week(budget) <= budget


@given(lengths, budgets, st.integers(0, 4000))
def test_every_minute_of_every_task_is_in_some_week_once_and_in_order(
    minutes: list[int], budget: int, spent: int
) -> None:
    planned = parts(weeks_of(tasks(minutes), budget, MONDAY, spent=spent))
    for task in tasks(minutes):
        assert sum(length for item, length in planned if item == task.item) == task.minutes
    assert list(dict.fromkeys(item for item, _ in planned)) == [task.item for task in tasks(minutes)]
    assert all(length > 0 for _, length in planned)


@given(lengths, budgets)
def test_only_what_is_longer_than_a_week_is_split(minutes: list[int], budget: int) -> None:
    planned = [item for item, _ in parts(weeks_of(tasks(minutes), budget, MONDAY))]
    split = {item for item in planned if planned.count(item) > 1}
    room = budget - questions_a_week(budget)
    assert split <= {task.item for task in tasks(minutes) if task.minutes > room}


@given(lengths, budgets)
def test_a_part_says_how_much_of_its_item_is_left_for_later(minutes: list[int], budget: int) -> None:
    weeks = weeks_of(tasks(minutes), budget, MONDAY)
    for task in tasks(minutes):
        own = [part for week in weeks for part in week.parts if part.item == task.item]
        assert [part.left for part in own] == [sum(p.minutes for p in own[n + 1 :]) for n in range(len(own))]


@given(lengths, budgets)
def test_weeks_follow_each_other_and_only_the_first_may_be_empty(minutes: list[int], budget: int) -> None:
    weeks = weeks_of(tasks(minutes), budget, MONDAY)
    assert [week.starts_on for week in weeks] == [MONDAY + timedelta(days=7 * n) for n in range(len(weeks))]
    assert all(week.parts for week in weeks[1:])


@given(st.integers(0, 700), st.integers(0, 6))
def test_a_week_of_the_plan_begins_on_the_weekday_of_its_first_day(days: int, weekday: int) -> None:
    begins = MONDAY + timedelta(days=weekday)
    day = begins + timedelta(days=days)
    first = week_of(day, begins)
    assert first <= day < first + timedelta(days=7)
    assert first.weekday() == begins.weekday()


def test_a_task_that_does_not_fit_any_more_begins_the_next_week() -> None:
    weeks = weeks_of([Task("a", 30), Task("b", 40), Task("c", 5)], 60, MONDAY)
    assert [[part.item for part in week.parts] for week in weeks] == [["a"], ["b", "c"]]


def test_a_long_task_takes_what_each_week_has_left() -> None:
    weeks = weeks_of([Task("a", 30), Task("book", 120), Task("c", 10)], 60, MONDAY)
    assert [parts((week,)) for week in weeks] == [
        [("a", 30), ("book", 20)], [("book", 50)], [("book", 50)], [("c", 10)]
    ]  # fmt: skip


def test_nothing_long_is_begun_with_a_few_minutes() -> None:
    weeks = weeks_of([Task("a", 40), Task("book", 120)], 60, MONDAY)
    assert [parts((week,)) for week in weeks] == [[("a", 40)], [("book", 50)], [("book", 50)], [("book", 20)]]
