"""The way to a topic: one good item for each topic that leads there, then the topic itself from easy to hard."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from knowledge.readings import Reading
from knowledge.recommend.choose import PORTALS, Candidate
from knowledge.recommend.history import History, estimated_level
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.reasons import reading_of, why
from knowledge.recommend.shelf import LEVELS, Item, Shelf

_AT_THE_GOAL = 6
_STRETCH = 3


@dataclass(frozen=True, slots=True)
class Stop:
    """One topic on the way: done already, or with what to read there. A topic that is returned to has two stops."""

    topic: str
    done: bool
    steps: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Way:
    topic: str
    stops: tuple[Stop, ...]
    needs: tuple[tuple[str, str], ...]
    """Pairs (topic, topic that it needs) among the stops: the edges of the picture."""

    @property
    def steps(self) -> tuple[Reading, ...]:
        return tuple(step for stop in self.stops for step in stop.steps)

    def as_json(self) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "steps": [step.as_json() for step in self.steps],
            "topics": [{"topic": stop.topic, "done": stop.done, "steps": len(stop.steps)} for stop in self.stops],
        }


def way_to(shelf: Shelf, goal: str, history: History, lang: str) -> Way:
    leading = [topic.id for topic in shelf.topics.before(goal)]
    chosen = [
        item for topic in leading if not _knows(shelf, history, topic) for item in _one(shelf, topic, history, lang)
    ]
    chosen += _goal_items(shelf, goal, history, lang)
    ordered = in_reading_order(shelf, _with_prerequisites(shelf, chosen, history))
    known = [topic for topic in leading if _knows(shelf, history, topic)]
    stops = (*(Stop(topic, done=True, steps=()) for topic in known), *_stops(shelf, ordered, history, lang))
    here = {stop.topic for stop in stops}
    edges = tuple((t, need) for t in here for need in shelf.topics[t].needs if need in here)
    return Way(goal, stops, tuple(sorted(edges)))


def _stops(shelf: Shelf, items: tuple[Item, ...], history: History, lang: str) -> list[Stop]:
    """Neighbours about the same topic share a stop; the order of the items is never touched."""
    readings = [
        reading_of(item, lang, why(shelf, Candidate(item, "on_topic", below=False), items[at + 1 :], history, lang))
        for at, item in enumerate(items)
    ]
    return [
        Stop(topic, done=False, steps=tuple(reading for _, reading in run))
        for topic, run in groupby(zip(items, readings, strict=True), key=lambda pair: pair[0].subject)
    ]


def _knows(shelf: Shelf, history: History, topic: str) -> bool:
    """Something about it was finished, or the member stands above its first level."""
    if any(item.id in history.done for item in shelf.by_topic[topic]):
        return True
    level, _set = estimated_level(shelf, history, topic)
    return level is not None and LEVELS.index(level) > 0


def _usable(shelf: Shelf, topic: str, history: History) -> list[Item]:
    return [
        item
        for item in shelf.by_topic[topic]
        if item.subject == topic
        and item.link_state != "dead"
        and item.id not in history.hidden
        and item.kind not in PORTALS
    ]


def _one(shelf: Shelf, topic: str, history: History, lang: str) -> list[Item]:
    """The easiest entry into a topic, our note before a page, a page before a problem."""
    items = [
        item for item in _usable(shelf, topic, history) if not item.stretch and item.kind not in {"task", "tool"}
    ]
    return sorted(items, key=lambda item: _preference(item, lang))[:1]


def _goal_items(shelf: Shelf, goal: str, history: History, lang: str) -> list[Item]:
    """Enough of every level to learn the topic, and the stretch tasks at the very end."""
    items = sorted(_usable(shelf, goal, history), key=lambda item: _preference(item, lang))
    plain = [item for item in items if not item.stretch]
    return plain[:_AT_THE_GOAL] + [item for item in items if item.stretch][:_STRETCH]


def _preference(item: Item, lang: str) -> tuple[object, ...]:
    kinds = {"note": 0, "problem": 1}
    return (LEVELS.index(item.level), kinds.get(item.kind, 2), lang not in item.langs, -item.mentions, item.id)


def _with_prerequisites(shelf: Shelf, chosen: list[Item], history: History) -> list[Item]:
    """What a chosen item names as its prerequisite comes along, so that no step hangs in the air."""
    found = {item.id: item for item in chosen}
    waiting = list(chosen)
    while waiting:
        for need in waiting.pop().needs:
            item = shelf.by_id.get(need)
            if item is not None and need not in found and need not in history.hidden and item.link_state != "dead":
                found[need] = item
                waiting.append(item)
    return list(found.values())
