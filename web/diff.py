"""Two sources line by line: what was removed, what was added, what stayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_MOST_LINES = 3000
_MOST_CHANGES = 600
"""With more lines removed and added, what lies between the first and the last change is shown as changed: the time
that a comparison takes grows with their number, and whoever asks is not to keep others waiting.
"""


@dataclass(frozen=True, slots=True)
class Line:
    change: Literal["same", "removed", "added"]
    before: int | None
    after: int | None
    text: str


def compared(before: str, after: str) -> tuple[Line, ...]:
    old, new = before.splitlines()[:_MOST_LINES], after.splitlines()[:_MOST_LINES]
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    tail = next((n for n in range(shorter - head) if old[-1 - n] != new[-1 - n]), shorter - head)
    middle = _that_stay(old[head : len(old) - tail], new[head : len(new) - tail])
    stay = [
        *((n, n) for n in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(old) - n, len(new) - n) for n in range(tail, 0, -1)),
        (len(old), len(new)),
    ]
    found: list[Line] = []
    i = j = 0
    for at, beside in stay:
        found += [Line("removed", n + 1, None, old[n]) for n in range(i, at)]
        found += [Line("added", None, n + 1, new[n]) for n in range(j, beside)]
        found += [Line("same", at + 1, beside + 1, old[at])] if at < len(old) else []
        i, j = at + 1, beside + 1
    return tuple(found)


def _that_stay(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return which lines of both are the same, by Myers' greedy algorithm; none where too many differ.

    `reached[k]` is how far a path gets in `old` on the diagonal k, where `old` is k lines ahead of `new`.
    """
    reached = {1: 0}
    steps: list[dict[int, int]] = []
    for changes in range(min(len(old) + len(new), _MOST_CHANGES) + 1):
        steps.append(reached.copy())
        for k in range(-changes, changes + 1, 2):
            i = reached[k + 1] if _comes_from_above(reached, k, changes) else reached[k - 1] + 1
            while i < len(old) and i - k < len(new) and old[i] == new[i - k]:
                i += 1
            reached[k] = i
            if i >= len(old) and i - k >= len(new):
                return _way_back(steps, len(old), len(new))
    return []


def _way_back(steps: list[dict[int, int]], i: int, j: int) -> list[tuple[int, int]]:
    same: list[tuple[int, int]] = []
    for changes in range(len(steps) - 1, -1, -1):
        reached, k = steps[changes], i - j
        before = k + 1 if _comes_from_above(reached, k, changes) else k - 1
        start = reached[before] if changes else 0
        while i > start and j > start - before and i and j:
            i, j = i - 1, j - 1
            same.append((i, j))
        i, j = start, start - before
    return same[::-1]


def _comes_from_above(reached: dict[int, int], k: int, changes: int) -> bool:
    return k == -changes or (k != changes and reached[k - 1] < reached[k + 1])
