"""What a member told us, as a sum over an append-only log: order matters only within one item."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from knowledge.content import Level
from knowledge.recommend.shelf import LEVELS, Shelf

Event = Literal["read", "unread", "skipped", "too_easy", "too_hard", "saved", "unsaved", "solved"]
EVENTS: tuple[Event, ...] = get_args(Event)

_EVIDENCE: Mapping[str, int] = {"read": 1, "too_easy": 2, "solved": 2, "too_hard": -2}
_ENOUGH = 2
"""Evidence that carries a member to a level: two readings, or one problem solved there."""


@dataclass(frozen=True, slots=True)
class History:
    """The state after all events of one member."""

    done: frozenset[str] = frozenset()
    """Read, solved or found too easy: not recommended again."""
    solved: frozenset[str] = frozenset()
    """Problems with an accepted kernel: nothing that is said later takes that back."""
    skipped: frozenset[str] = frozenset()
    too_hard: frozenset[str] = frozenset()
    saved: tuple[str, ...] = ()
    """In the order of saving."""
    evidence: tuple[tuple[str, str], ...] = ()
    """(item, last event that says something about the level)."""
    set_levels: Mapping[str, Level] = field(default_factory=dict)

    @property
    def hidden(self) -> frozenset[str]:
        return self.done | self.skipped | self.too_hard


def history_of(events: Iterable[tuple[str, str]], set_levels: Mapping[str, Level] | None = None) -> History:
    """Events as (item, event), oldest first."""
    state: dict[str, str] = {}
    saved: dict[str, None] = {}
    solved: set[str] = set()
    for item, event in events:
        if event == "solved":
            solved.add(item)
        if event == "saved":
            saved[item] = None
        elif event == "unsaved":
            saved.pop(item, None)
        elif event == "unread":
            state.pop(item, None)
            if item in solved:
                state[item] = "solved"
        else:
            state[item] = event
    return History(
        done=frozenset(item for item, event in state.items() if event in {"read", "too_easy"}) | solved,
        solved=frozenset(solved),
        skipped=frozenset(item for item, event in state.items() if event == "skipped"),
        too_hard=frozenset(item for item, event in state.items() if event == "too_hard"),
        saved=tuple(saved),
        evidence=tuple(state.items()),
        set_levels=set_levels or {},
    )


def estimated_level(shelf: Shelf, history: History, topic: str) -> tuple[Level | None, bool]:
    """The member's level in a topic and whether they set it themselves; None without any evidence."""
    if topic in history.set_levels:
        return history.set_levels[topic], True
    points = dict.fromkeys(LEVELS, 0)
    for item_id, event in history.evidence:
        item = shelf.by_id.get(item_id)
        if item is not None and topic in item.topics:
            points[item.level] += _EVIDENCE.get(event, 0)
    if not any(points.values()):
        return None, False
    reached: Level = "beginner"
    for here, above in itertools.pairwise(LEVELS):
        # Who has done enough at one level stands at the next, until something there proved too hard.
        if points[here] + max(points[above], 0) >= _ENOUGH and points[above] >= 0:
            reached = above
    return reached, False
