"""content/solution_times.json: how fast the right solutions ran on a card. bench/solution_times.py writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from knowledge.content.schema import Strict, file_text, record
from knowledge.errors import BadContent

FILE = "solution_times.json"


_WAVERS = 1.03
"""Two times that differ by less are told apart by no measurement of ours."""


class SolutionTime(Strict):
    """One solution at one of the sizes that are measured."""

    problem: str
    solution: str
    """Name of its file under solutions/right, without .cu."""
    sizes: Mapping[str, int]
    median_us: float
    bound: Literal["memory", "compute"]
    """What limits the best that the card could do."""
    rate: float
    """GB/s where memory is the limit, else GFLOP/s."""
    attainable: float
    """The share of what the card reaches at best; a little over 1 where a kernel beats the card's copy."""
    library: float | None = None
    """The share of what cuBLAS reaches, where it was measured beside."""

    @property
    def least_us(self) -> float:
        """Return the time that the card would take at its best."""
        return self.median_us * self.attainable


class SolutionTimes(Strict):
    """One record of one card."""

    card: str = ""
    driver: str = ""
    date: str = ""
    times: tuple[SolutionTime, ...] = ()

    def of_problem(self, problem: str) -> tuple[SolutionTime, ...]:
        return tuple(time for time in self.times if time.problem == problem)

    def of_solution(self, problem: str, solution: str) -> tuple[SolutionTime, ...]:
        return tuple(time for time in self.of_problem(problem) if time.solution == solution)

    def fastest(self, problem: str) -> str | None:
        """Return the solution that comes nearest to the card's best over all sizes."""
        shares = self._shares(problem)
        return max(shares, key=lambda name: shares[name], default=None)

    def is_as_fast(self, problem: str, solution: str, other: str) -> bool:
        """Whether the times do not tell the solution from the other one: measurements waver by so much."""
        shares = self._shares(problem)
        sizes = len(self.of_solution(problem, solution))
        return solution in shares and shares[solution] >= shares[other] / _WAVERS**sizes

    def _shares(self, problem: str) -> dict[str, float]:
        """Of each solution, its shares of the card's best multiplied."""
        shares: dict[str, float] = {}
        for time in self.of_problem(problem):
            shares[time.solution] = shares.get(time.solution, 1.0) * time.attainable
        return shares


def time_text(us: float) -> str:
    """Return a time as people read it."""
    return f"{us:.1f} µs" if us < 1000 else f"{us / 1000:,.2f} ms"


def load_solution_times(root: Path) -> SolutionTimes:
    """Return the record under root, an empty one where there is none; raises BadContent."""
    if not (root / FILE).is_file():
        return SolutionTimes()
    text, name = file_text(root / FILE, root)
    try:
        document = json.loads(text)
    except ValueError as error:
        raise BadContent(f"{name}: {error}") from error
    return record(SolutionTimes, document, name)
