"""Whatever the library, the goal, the level and the history: a plan has no inversion and nothing that is done."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.content import Content
from knowledge.plans.curriculum import items_for, terms_of
from knowledge.plans.goal import Goal, goal_named, goals
from knowledge.plans.records import Outline, Records
from knowledge.plans.view import Plan, plan_of
from knowledge.recommend.history import History, history_of
from knowledge.recommend.order import inversions
from knowledge.recommend.shelf import LEVELS, Shelf, shelf_of
from tests.shipped_content import shipped_content

MONDAY = date(2026, 11, 23)


@cache
def content() -> Content:
    return shipped_content()


@cache
def shelf() -> Shelf:
    return shelf_of(content())


@cache
def all_goals() -> tuple[Goal, ...]:
    return tuple(goals(content()))


some_goal = st.deferred(lambda: st.sampled_from(all_goals()))
some_items = st.deferred(lambda: st.lists(st.sampled_from(sorted(item.id for item in shelf().items)), max_size=40))
levels = st.sampled_from(LEVELS)


def outline(goal: Goal, level: str, history: History, hours: int) -> Outline:
    items = items_for(shelf(), goal, level, history, "en")  # type: ignore[arg-type]  one of the levels
    return Outline(
        goal.id, level, hours * 60, tuple(item.id for item in items),
        terms_of(shelf(), items, content().definitions), (), MONDAY, None,
    )  # fmt: skip


def seen(made: Outline, done: list[str], today: date) -> Plan:
    history = history_of((item, "read") for item in done)
    records = Records(made, history, dict.fromkeys(done, today), (), frozenset())
    return plan_of(made, goal_named(content(), made.goal), records, shelf(), today, "en")


def open_items(plan: Plan) -> list[str]:
    return list(dict.fromkeys(part.reading.resource_id for week in plan.weeks for part in week.parts))


def test_no_goal_at_any_level_has_an_inversion() -> None:
    for goal in all_goals():
        for level in LEVELS:
            items = items_for(shelf(), goal, level, History(), "zh")
            assert inversions(shelf(), items) == (), (goal.id, level)
            assert len(set(items)) == len(items)


@given(some_goal, levels, some_items)
def test_what_is_done_never_comes_back(goal: Goal, level: str, read: list[str]) -> None:
    history = history_of((item, "read") for item in read)
    items = items_for(shelf(), goal, level, history, "en")  # type: ignore[arg-type]  one of the levels
    assert not {item.id for item in items} & set(read)


@given(some_goal, levels, st.integers(1, 12), st.data())
def test_a_plan_keeps_its_order_and_hours_and_loses_nothing_while_life_goes_on(
    goal: Goal, level: str, hours: int, data: st.DataObject
) -> None:
    """Week after week some of its items are done, or none, and others that nobody had planned."""
    made = outline(goal, level, History(), hours)
    done: list[str] = []
    for week in range(4):
        plan = seen(made, done, MONDAY + timedelta(days=7 * week + data.draw(st.integers(0, 6))))
        left = open_items(plan)
        assert sorted(left) == sorted(set(made.items) - set(done))
        assert inversions(shelf(), [shelf().by_id[item] for item in left]) == ()
        assert all(one.minutes <= plan.minutes_a_week for one in plan.weeks)
        assert {reading.resource_id for reading in plan.done} == set(done) & set(made.items)
        if left:
            done += data.draw(st.lists(st.sampled_from(left), unique=True))


@given(levels, some_goal)
def test_the_goal_itself_is_in_the_plan(level: str, goal: Goal) -> None:
    items = items_for(shelf(), goal, level, History(), "en")  # type: ignore[arg-type]  one of the levels
    if goal.kind == "problem":
        assert items[-1].id == f"problem:{goal.name}"
    elif items:
        assert any(goal.name in item.topics for item in items)


def test_a_path_leads_through_what_the_topic_rests_on_and_has_problems_on_the_way() -> None:
    items = items_for(shelf(), goal_named(content(), "分块"), "beginner", History(), "zh")
    subjects = {item.subject for item in items}
    assert {"cuda-basics", "shared-memory", "tiling"} <= subjects
    assert next(item.id for item in items if item.kind == "problem") == "problem:vector_add"


def test_who_is_past_the_beginning_gets_nothing_for_beginners() -> None:
    items = items_for(shelf(), goal_named(content(), "tensor cores"), "intermediate", History(), "en")
    assert items
    assert "beginner" not in {item.level for item in items}


@pytest.mark.parametrize(
    ("typed", "goal"),
    [
        ("tiling", "path:tiling"), ("path:tiling", "path:tiling"), ("topic:tiling", "topic:tiling"),
        ("共享内存", "path:shared-memory"), ("vector_add", "problem:vector_add"),
        ("Vector addition", "problem:vector_add"),
        ("problem:matmul", "problem:matmul"), ("shared memroy", "path:shared-memory"),
    ],
)  # fmt: skip
def test_a_goal_is_known_by_any_of_its_names(typed: str, goal: str) -> None:
    assert goal_named(content(), typed).id == goal


def test_each_term_is_asked_by_one_item_and_a_notes_own_terms_by_the_note() -> None:
    items = items_for(shelf(), goal_named(content(), "tiling"), "beginner", History(), "en")
    terms = terms_of(shelf(), items, content().definitions)
    asked = [slug for slugs in terms.values() for slug in slugs]
    assert len(asked) == len(set(asked)) > len(items)
    for slug in terms["note:shared-memory"]:
        assert content().definitions.by_slug[slug].note == "shared-memory"
