"""Attacks on the GPU backend: each .cu says in its first lines which problem it attacks and what may come of it.

`// problem: vector_add` ("none" for a whole program), `// cited: 24` (number of the attack in the group's own list of
known cheats, or "ours"), `// allowed: wrong_answer held` (verdicts that mean that it was caught, or had no effect),
`// best score: 1.05` (where it may be accepted because it has no effect: no better than honest).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from worker.protocol import Form, Kind


@dataclass(frozen=True, slots=True)
class Cheat:
    name: str
    problem: str | None
    """None for a whole program."""
    cited: str
    allowed: frozenset[str]
    best_score: float
    source: str

    @property
    def form(self) -> Form:
        return Form.PROGRAM if self.problem is None else Form.KERNEL


def _read(path: Path) -> Cheat:
    source = path.read_text(encoding="utf-8")
    said = dict(re.findall(r"^// (problem|cited|allowed|best score): (.*)$", source, re.MULTILINE))
    allowed = frozenset(said["allowed"].split())
    unknown = allowed - {kind.value for kind in Kind}
    if unknown:
        raise ValueError(f"{path}: no verdicts: {unknown}")
    problem = None if said["problem"] == "none" else said["problem"]
    return Cheat(path.stem, problem, said["cited"], allowed, float(said.get("best score", "0")), source)


CHEATS = tuple(_read(path) for path in sorted(Path(__file__).parent.glob("*.cu")))
