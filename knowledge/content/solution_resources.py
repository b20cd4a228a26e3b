"""content/solution_resources.json: what right solutions launch and take; bench/solution_resources.py writes it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from knowledge.content.schema import Strict, file_text, record
from knowledge.errors import BadContent

FILE = "solution_resources.json"


class SolutionResources(Strict):
    """Figures of the largest launch of one solution, at the first size that is measured."""

    problem: str
    solution: str
    """Name of its file under solutions/right, without .cu."""
    source: str
    """Of which text of the solution: what `digest` makes of it."""
    launches: int
    blocks: int
    threads: int
    """Of a block."""
    registers: int
    """Of a thread."""
    spill_bytes: int
    occupancy: float
    """Share of a multiprocessor's warps that can be there at once."""


class AllResources(Strict):
    resources: tuple[SolutionResources, ...] = ()

    def of_solution(self, problem: str, solution: str) -> SolutionResources | None:
        return next((one for one in self.resources if (one.problem, one.solution) == (problem, solution)), None)


def digest(source: str) -> str:
    """Return what tells one text of a solution from another."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def load_solution_resources(root: Path) -> AllResources:
    """Return what the file under root says, nothing where there is none; raises BadContent."""
    if not (root / FILE).is_file():
        return AllResources()
    text, name = file_text(root / FILE, root)
    try:
        document = json.loads(text)
    except ValueError as error:
        raise BadContent(f"{name}: {error}") from error
    return record(AllResources, document, name)
