"""Questions come back after 1, 3, 7, 16 and 35 days, in the order in which they fall due."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from knowledge.plans.review_schedule import INTERVALS_DAYS, Card, after, asked_by_week, first_due
from knowledge.plans.weeks import Task, questions_a_week, weeks_of

MONDAY = date(2026, 11, 23)
cards = st.lists(
    st.builds(
        Card,
        due=st.integers(-60, 60).map(lambda days: MONDAY + timedelta(days=days)),
        question=st.integers(0, 999).map("term:{}".format),
        step=st.integers(0, 4),
    ),
    unique_by=lambda card: card.question,
    max_size=60,
)


def test_right_answers_are_asked_again_after_the_stated_days_and_then_no_more() -> None:
    day, step, days = MONDAY, 0, []
    due: date | None = first_due(day)
    while due is not None:
        days.append((due - day).days)
        day = due
        step, due = after(step, True, day)
    assert days == [1, 3, 7, 16, 35]
    assert step == len(INTERVALS_DAYS)


@given(st.integers(0, 4))
def test_a_wrong_answer_goes_back_to_the_next_day(step: int) -> None:
    assert after(step, False, MONDAY) == (0, MONDAY + timedelta(days=1))


@given(cards, st.integers(1, 10))
def test_what_is_due_first_is_asked_first(due: list[Card], hours: int) -> None:
    weeks = weeks_of([Task("a", 1000)], hours * 60, MONDAY)
    (first, *_) = asked_by_week(weeks, due, {}, 1000)
    asked = list(dict.fromkeys(first))
    owed = {card.question: card.due for card in due}
    assert [owed[question] for question in asked] == sorted(owed[question] for question in asked)
    assert set(asked) == {card.question for card in due if card.due < MONDAY + timedelta(days=7)}


@given(cards, st.integers(1, 10))
def test_no_week_asks_more_than_it_has_room_for_and_what_waits_comes_first_next_week(
    due: list[Card], hours: int
) -> None:
    weeks, most = weeks_of([Task("a", 5000)], hours * 60, MONDAY), questions_a_week(hours * 60)
    asked = list(asked_by_week(weeks, due, {}, most))
    assert all(len(week) <= most for week in asked)
    overdue = [card.question for card in sorted(due) if card.due < MONDAY]
    for week in asked:
        assert list(week[: len(overdue)]) == overdue[:most]
        overdue = overdue[most:]


@given(st.lists(st.integers(5, 400), min_size=1, max_size=12))
def test_an_item_brings_its_questions_in_the_week_after_it_ends(minutes: list[int]) -> None:
    weeks = weeks_of([Task(f"i{n}", length) for n, length in enumerate(minutes)], 120, MONDAY)
    brings = {f"i{n}": (f"term:{n}",) for n in range(len(minutes))}
    asked = list(asked_by_week(weeks, (), brings, 1000))
    for n, week in enumerate(weeks):
        for part in week.parts:
            first = next((m for m, questions in enumerate(asked) if f"term:{part.item[1:]}" in questions), None)
            if part.left == 0:
                assert first == (n + 1 if n + 1 < len(weeks) else None)
