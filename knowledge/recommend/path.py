"""The way to a topic: one good item for each topic that leads there, then the topic itself from easy to hard."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from knowledge.readings import Reading
from knowledge.recommend.choose import PORTALS, Candidate
from knowledge.recommend.history import History, estimated_level
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.reasons import readings_of
from knowledge.recommend.shelf import LEVELS, Item, Shelf

_AT_THE_GOAL = 6
_STRETCH = 3


@dataclass(frozen=True, slots=True)
class Stop:
    """One topic on the way: done already, or with what to read there."""

    topic: str
    done: bool
    steps: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class ReadingPath:
    topic: str
    stops: tuple[Stop, ...]
    """Each after what it needs; what the member knows stands first."""
    needs: tuple[tuple[str, str], ...]
    """Pairs (topic, topic that it needs) among the stops that are not done, without those that others imply."""

    @property
    def steps(self) -> tuple[Reading, ...]:
        return tuple(step for stop in self.stops for step in stop.steps)

    @property
    def done(self) -> tuple[Stop, ...]:
        return tuple(stop for stop in self.stops if stop.done)

    @property
    def ahead(self) -> tuple[Stop, ...]:
        return tuple(stop for stop in self.stops if not stop.done)

    def as_json(self) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "steps": [step.as_json() for step in self.steps],
            "topics": [{"topic": stop.topic, "done": stop.done, "steps": len(stop.steps)} for stop in self.stops],
        }


def path_to(shelf: Shelf, goal: str, history: History, lang: str) -> ReadingPath:
    leading = [topic.id for topic in shelf.topics.before(goal)]
    known = [topic for topic in leading if _knows(shelf, history, topic)]
    chosen = [item for topic in leading if topic not in known for item in _one(shelf, topic, goal, history, lang)]
    there = _goal_items(shelf, goal, history, lang)
    passed = {item.id for topic in known for item in shelf.by_topic[topic] if item.subject == topic}
    on_the_way = _with_prerequisites(shelf, [*chosen, *there], history.hidden | passed)
    by_topic = _by_topic(shelf, on_the_way, goal, there)
    needs = _needs(shelf, by_topic)
    order = _ordered(shelf, goal, needs)
    ordered = [item for topic in order for item in in_reading_order(shelf, by_topic[topic])]
    readings = readings_of(shelf, [Candidate(item, "on_topic") for item in ordered], history, lang)
    told = iter(readings)
    ahead = [Stop(topic, done=False, steps=tuple(islice(told, len(by_topic[topic])))) for topic in order]
    return ReadingPath(goal, (*(Stop(topic, done=True, steps=()) for topic in known), *ahead), _told(needs, order))


def _by_topic(shelf: Shelf, items: Sequence[Item], goal: str, there: Sequence[Item]) -> dict[str, list[Item]]:
    """Each item at its subject; what names a prerequisite on a later topic waits until that topic."""
    found: dict[str, list[Item]] = {}
    for item in in_reading_order(shelf, items):
        place = goal if item in there else item.subject
        for topic, before in found.items():
            if any(other.id in item.needs for other in before) and place in shelf.ancestors.get(topic, frozenset()):
                place = topic
        found.setdefault(place, []).append(item)
    return found


def _needs(shelf: Shelf, by_topic: Mapping[str, list[Item]]) -> dict[str, set[str]]:
    """For each topic on the way those that come before it: as its items name them, then by the order of topics, which
    gives way where the two contradict each other.
    """
    needs: dict[str, set[str]] = {topic: set() for topic in by_topic}
    at = {item.id: topic for topic, items in by_topic.items() for item in items}
    named = [(topic, at[need]) for topic in by_topic for item in by_topic[topic] for need in item.needs if need in at]
    earlier = {topic: sorted(shelf.ancestors.get(topic, frozenset()) & by_topic.keys()) for topic in by_topic}
    ordered = [(topic, need) for topic, before in earlier.items() for need in before]
    for topic, need in (*named, *ordered):
        if topic not in _all_before(need, needs):
            needs[topic].add(need)
    return needs


def _all_before(topic: str, needs: Mapping[str, set[str]]) -> set[str]:
    waiting, seen = [topic], {topic}
    while waiting:
        new = needs[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def _ordered(shelf: Shelf, goal: str, needs: Mapping[str, set[str]]) -> list[str]:
    """Repeatedly the earliest topic of which everything is placed that it needs; the goal comes last."""
    waiting = sorted(needs, key=lambda topic: (topic == goal, shelf.topics.position.get(topic, len(shelf.topics))))
    placed: list[str] = []
    while waiting:
        following = next((topic for topic in waiting if not needs[topic] & set(waiting)), waiting[0])
        waiting.remove(following)
        placed.append(following)
    return placed


def _told(needs: Mapping[str, set[str]], order: list[str]) -> tuple[tuple[str, str], ...]:
    """Every need that no other need implies, in the order of the way."""
    return tuple(
        (topic, need)
        for topic in order
        for need in order
        if need in needs[topic] and not any(need in _all_before(other, needs) for other in needs[topic] - {need})
    )


def _knows(shelf: Shelf, history: History, topic: str) -> bool:
    """Something about it was finished, or the member stands above its first level."""
    if any(item.id in history.done for item in shelf.by_topic[topic]):
        return True
    level, _set = estimated_level(shelf, history, topic)
    return level is not None and LEVELS.index(level) > 0


def _usable(shelf: Shelf, topic: str, history: History, *, touching: bool = False) -> list[Item]:
    return [
        item
        for item in shelf.by_topic[topic]
        if (item.subject == topic or touching)
        and item.link_state != "dead"
        and item.id not in history.hidden
        and item.kind not in PORTALS
    ]


def _one(shelf: Shelf, topic: str, goal: str, history: History, lang: str) -> list[Item]:
    """The easiest entry into a topic, our note before a page, a page before a problem."""
    items = [
        item
        for item in _usable(shelf, topic, history)
        if not item.stretch
        and item.kind not in {"task", "tool"}
        and not _leads_past(shelf, item, topic)
        and not _leads_past(shelf, item, goal)
    ]
    return sorted(items, key=lambda item: _preference(item, lang))[:1]


def _goal_items(shelf: Shelf, goal: str, history: History, lang: str) -> list[Item]:
    """Enough of every level to learn the topic, and the stretch tasks at the very end."""
    about = _usable(shelf, goal, history) or _usable(shelf, goal, history, touching=True)
    items = sorted(about, key=lambda item: _preference(item, lang))
    plain = [item for item in items if not item.stretch and not _leads_past(shelf, item, goal)]
    return plain[:_AT_THE_GOAL] + [item for item in items if item.stretch][:_STRETCH]


def _leads_past(shelf: Shelf, item: Item, goal: str) -> bool:
    """True if the item rests, by name, on another topic's item that builds on the goal itself."""
    return any(
        goal in shelf.ancestors.get(needed.subject, frozenset())
        or any(goal == under.subject for under in _with_prerequisites(shelf, [needed], frozenset()))
        for needed in _with_prerequisites(shelf, [item], frozenset())
        if needed.subject not in {goal, item.subject}
    )


def _preference(item: Item, lang: str) -> tuple[object, ...]:
    kinds = {"note": 0, "problem": 1}
    return (LEVELS.index(item.level), kinds.get(item.kind, 2), lang not in item.langs, -item.mentions, item.id)


def _with_prerequisites(shelf: Shelf, chosen: Sequence[Item], passed: Collection[str]) -> list[Item]:
    """What a chosen item names as its prerequisite comes along, so that no step hangs in the air."""
    found = {item.id: item for item in chosen}
    waiting = list(chosen)
    while waiting:
        for need in waiting.pop().needs:
            item = shelf.by_id.get(need)
            if item is not None and item.id not in found and need not in passed and item.link_state != "dead":
                found[item.id] = item
                waiting.append(item)
    return list(found.values())
