"""Which items lead to a goal, in the order of the path, and which terms each of them brings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from knowledge.content import Definitions, Level
from knowledge.plans.goal import Goal
from knowledge.recommend.history import History, estimated_level
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.path import path_to
from knowledge.recommend.shelf import LEVELS, Item, Shelf

_PRACTICE_AT_THE_GOAL = 2
_TERMS_OF_AN_ITEM = 3


def items_for(shelf: Shelf, goal: Goal, level: Level, history: History, lang: str) -> tuple[Item, ...]:
    """Readings and problems that lead to the goal, each after what it rests on; nothing below the level.

    Where the library has nothing at the level, the nearest level below it serves.
    """
    for taken in reversed(LEVELS[: LEVELS.index(level) + 1]):
        assumed = _as_if_at(taken, shelf, goal, history)
        if chosen := _chosen(shelf, goal, assumed, lang):
            ordered = in_reading_order(shelf, _with_what_they_need(shelf, chosen, assumed))
            return _up_to(goal, ordered) if goal.kind == "problem" else ordered
    return ()


def _up_to(goal: Goal, items: Sequence[Item]) -> tuple[Item, ...]:
    """What the problem can do without is left out."""
    last = next(at for at, item in enumerate(items) if item.id == goal.id)
    return tuple(items[: last + 1])


def reached_level(shelf: Shelf, goal: Goal, history: History) -> Level:
    """The member's level in the topic of the goal, as set or as estimated; the first without any evidence."""
    level, _set_by_member = estimated_level(shelf, history, _topic(shelf, goal))
    return level or LEVELS[0]


def terms_of(shelf: Shelf, items: Sequence[Item], definitions: Definitions) -> Mapping[str, tuple[str, ...]]:
    """By item, the slugs of the terms that are asked once it is done; each term once, a note's own terms with it."""
    by_note: dict[str, list[str]] = {}
    by_topic: dict[str, list[str]] = {}
    for definition in definitions:
        note = shelf.by_id.get(f"note:{definition.note}")
        if note is not None:
            by_note.setdefault(note.id, []).append(definition.slug)
            by_topic.setdefault(note.subject, []).append(definition.slug)
    found, taken = dict[str, tuple[str, ...]](), set[str]()
    for item in sorted(items, key=lambda item: item.id not in by_note):
        slugs = by_note.get(item.id) or by_topic.get(item.subject, [])
        found[item.id] = tuple([slug for slug in slugs if slug not in taken][:_TERMS_OF_AN_ITEM])
        taken |= set(found[item.id])
    return found


def _as_if_at(level: Level, shelf: Shelf, goal: Goal, history: History) -> History:
    """The member's history, and as passed over what lies below the level."""
    place = LEVELS.index(level)
    below = {item.id for item in shelf.items if LEVELS.index(item.level) < place}
    known: dict[str, Level] = {topic.id: level for topic in shelf.topics if LEVELS.index(topic.level) < place}
    known.pop(_topic(shelf, goal), None)
    return dataclasses.replace(history, skipped=history.skipped | below, set_levels={**known, **history.set_levels})


def _topic(shelf: Shelf, goal: Goal) -> str:
    return shelf.by_id[f"problem:{goal.name}"].subject if goal.kind == "problem" else goal.name


def _chosen(shelf: Shelf, goal: Goal, history: History, lang: str) -> list[Item]:
    """Before prerequisites are added; nothing where only what leads up to the goal is left."""
    topic = _topic(shelf, goal)
    steps = [shelf.by_id[step.resource_id] for step in path_to(shelf, topic, history, lang).steps]
    leading = [item for item in steps if item.subject != topic]
    if goal.kind == "problem":
        problem = shelf.by_id[f"problem:{goal.name}"]
        return [*leading, problem] if problem.id not in history.done else []
    there = [item for item in steps if item.subject == topic]
    problems = practice(shelf, topic, history)[:_PRACTICE_AT_THE_GOAL]
    if not there and not problems:
        return []
    return [*there, *problems] if goal.kind == "topic" else [*steps, *_on_the_way(shelf, leading, history), *problems]


def _on_the_way(shelf: Shelf, leading: Sequence[Item], history: History) -> Iterator[Item]:
    """For each topic that leads there the easiest problem about it that is no harder than what is read there."""
    for topic, items in groupby(sorted(leading, key=lambda item: item.subject), key=lambda item: item.subject):
        hardest = max(LEVELS.index(item.level) for item in items)
        problems = practice(shelf, topic, history)
        yield from [one for one in problems if one.subject == topic and LEVELS.index(one.level) <= hardest][:1]


def practice(shelf: Shelf, topic: str, history: History) -> list[Item]:
    """Open problems about a topic, the easiest and those that ask for the least beforehand first."""
    problems = [item for item in shelf.by_topic[topic] if item.kind == "problem" and item.id not in history.hidden]
    return sorted(
        problems, key=lambda item: (LEVELS.index(item.level), _minutes_with_needs(shelf, item, history), item.id)
    )


def _minutes_with_needs(shelf: Shelf, item: Item, history: History) -> int:
    return sum(one.minutes or 0 for one in _with_what_they_need(shelf, [item], history))


def _with_what_they_need(shelf: Shelf, chosen: Sequence[Item], history: History) -> list[Item]:
    """What an item names as its prerequisite comes along, unless it is done or lies below the level."""
    found: dict[str, Item] = {}
    waiting = list(chosen)
    while waiting:
        item = waiting.pop()
        if item.id in found:
            continue
        found[item.id] = item
        needed = (shelf.by_id.get(need) for need in item.needs)
        waiting += [one for one in needed if one and one.id not in history.hidden and one.link_state != "dead"]
    return list(found.values())
