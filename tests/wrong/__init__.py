"""Wrong kernels with what explains them: changes to right kernels of `bases`, listed in two files.

`tuned.toml` is what the explanations were made with; `kept_aside.toml` was written before them, and measures them.
In a `[[bug]]`, `changes` are pieces of the base and what stands there instead, `launch` and `head` lines before it,
and `explained` the findings of which one says rightly and usefully what is wrong; an empty list: nothing does.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
PROBLEM_OF = {"matmul_tiles": "matmul"}


@dataclass(frozen=True, slots=True)
class Bug:
    problem: str
    name: str
    source: str
    explained: frozenset[str]

    @property
    def id(self) -> str:
        return f"{self.problem}-{self.name.replace(' ', '_')}"


def read(file: str) -> list[Bug]:
    """The bugs of a file; ValueError for a change whose piece is not in the base."""
    return [_bug(row) for row in tomllib.loads((FOLDER / file).read_text("utf-8"))["bug"]]


def _bug(row: dict[str, object]) -> Bug:
    base, name, changes = row["base"], str(row["name"]), row["changes"]
    assert isinstance(changes, list)
    source = (FOLDER / "bases" / f"{base}.cu").read_text("utf-8")
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{base}, {name}: {old!r} is not in the base")
        source = source.replace(old, new)
    before = [str(row[key]) for key in ("launch", "head") if key in row]
    explained = row["explained"]
    assert isinstance(explained, list)
    return Bug(PROBLEM_OF.get(str(base), str(base)), name, "\n".join([*before, source]), frozenset(explained))
