"""Attacks on the GPU backend: each .cu says in its first lines which problem it attacks and what may come of it.

`// problem: vector_add`, `// cited: 24` (number of the attack in the group's own list of known cheats, or "ours"),
`// allowed: wrong_answer held` (verdicts that mean that it was caught), `// best score: 1.05` (where it may be
accepted because it has no effect: no better than honest).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from worker.protocol import Form, Kind


@dataclass(frozen=True, slots=True)
class Cheat:
    name: str
    problem: str
    cited: str
    allowed: frozenset[str]
    best_score: float
    source: str
    form: Form


def _read(path: Path) -> Cheat:
    source = path.read_text(encoding="utf-8")
    said = dict(re.findall(r"^// (problem|cited|allowed|best score): (.*)$", source, re.MULTILINE))
    allowed = frozenset(said["allowed"].split())
    unknown = allowed - {kind.value for kind in Kind}
    if unknown:
        raise ValueError(f"{path}: no verdicts: {unknown}")
    form = Form.KERNEL if said["problem"] != "none" else Form.PROGRAM
    best_score = float(said.get("best score", "0"))
    return Cheat(path.stem, said["problem"], said["cited"], allowed, best_score, source, form)


CHEATS = tuple(_read(path) for path in sorted(Path(__file__).parent.glob("*.cu")))
