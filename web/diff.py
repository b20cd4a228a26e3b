"""Two sources line by line: what was removed, what was added, what stayed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

_MOST_LINES = 3000
"""The most lines that are compared: comparing takes quadratic time at worst."""


@dataclass(frozen=True, slots=True)
class Line:
    change: Literal["same", "removed", "added"]
    before: int | None
    after: int | None
    text: str


def compared(before: str, after: str) -> tuple[Line, ...]:
    old, new = before.splitlines()[:_MOST_LINES], after.splitlines()[:_MOST_LINES]
    found: list[Line] = []
    for tag, i, i_end, j, j_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found += [
                Line("same", a + 1, b + 1, old[a]) for a, b in zip(range(i, i_end), range(j, j_end), strict=True)
            ]
        else:
            found += [Line("removed", a + 1, None, old[a]) for a in range(i, i_end)]
            found += [Line("added", None, b + 1, new[b]) for b in range(j, j_end)]
    return tuple(found)
