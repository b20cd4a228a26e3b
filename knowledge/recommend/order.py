"""Reading order: what an item rests on comes before it, always; otherwise easier and earlier topics first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from knowledge.recommend.shelf import LEVELS, LONG_MINUTES, Item, Shelf

_KINDS = ("note", "article", "blog", "docs", "video", "course", "book", "paper", "problem", "task")


def in_reading_order(
    shelf: Shelf, items: Sequence[Item], goal: str = "", first: Collection[str] = ()
) -> tuple[Item, ...]:
    """Stable: repeatedly the first item, by level, topic and kind, of which everything it rests on is placed.

    What is in `first` stands as early as that allows. Within a level, what is about the goal or leads there stands
    before what only touches it. What an item names as its prerequisite weighs more than the topics' order: where the
    two contradict each other, the contradicting topic order gives way.
    """
    leading = {goal} | shelf.ancestors.get(goal, frozenset())
    waiting = sorted(items, key=lambda item: (item.id not in first, *_rank(shelf, item, leading)))
    before = _constraints(shelf, waiting)
    placed: list[Item] = []
    while waiting:
        here = {item.id for item in waiting}
        following = next((item for item in waiting if not before[item.id] & here), waiting[0])
        waiting.remove(following)
        placed.append(following)
    return tuple(placed)


def inversions(shelf: Shelf, items: Sequence[Item]) -> tuple[tuple[str, str], ...]:
    """Pairs (earlier, later) in which the earlier item rests on the later one."""
    before = _constraints(shelf, items)
    return tuple(
        (items[i].id, items[j].id)
        for i in range(len(items))
        for j in range(i + 1, len(items))
        if items[j].id in before[items[i].id]
    )


def _constraints(shelf: Shelf, items: Sequence[Item]) -> dict[str, set[str]]:
    """For each item the ids, among these items, that have to come first; without circles.

    Depends on which items there are, not on how they stand: what may be dropped is decided by id.
    """
    before = {item.id: _named(item, items) for item in items}
    by_id = sorted(items, key=lambda item: item.id)
    for item in by_id:
        for other in by_id:
            if other is not item and shelf.rests_on(item, other) and not _leads(before, other.id, item.id):
                before[item.id].add(other.id)
    return before


def _named(item: Item, items: Sequence[Item]) -> set[str]:
    return {other.id for other in items if other.id in item.needs}


def _leads(before: dict[str, set[str]], start: str, end: str) -> bool:
    """True if `end` has to come before `start` already."""
    waiting, seen = [start], set[str]()
    while waiting:
        here = waiting.pop()
        if here == end:
            return True
        waiting += before[here] - seen
        seen |= before[here]
    return False


def _rank(shelf: Shelf, item: Item, leading: Collection[str]) -> tuple[object, ...]:
    kind = _KINDS.index(item.kind) if item.kind in _KINDS else len(_KINDS) // 2
    position = shelf.topics.position.get(item.subject, len(shelf.topics))
    beside = item.subject not in leading
    practice, long = item.kind == "problem", (item.minutes or 0) >= LONG_MINUTES
    return (
        item.stretch,
        LEVELS.index(item.level),
        beside,
        practice,
        long,
        position,
        kind,
        item.minutes or 0,
        item.id,
    )
