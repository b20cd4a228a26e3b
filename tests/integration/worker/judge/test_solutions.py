"""Every solution that ships with a problem gets the verdict that it claims, on the emulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from worker.protocol import Kind

SOLUTIONS = sorted((CONTENT / "problems").glob("*/solutions/*/*.cu"))


def claimed(solution: Path) -> Kind:
    first = solution.read_text(encoding="utf-8").split("\n", 1)[0]
    return Kind(first.removeprefix("// verdict:").strip()) if "wrong" in solution.parts else Kind.ACCEPTED


def test_there_are_solutions_of_both_kinds() -> None:
    assert {path.parent.name for path in SOLUTIONS} == {"right", "wrong"}


@pytest.mark.slow
@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda path: f"{path.parents[2].name}-{path.stem}")
def test_a_solution_gets_its_verdict(verdict_on_ours: Judging, solution: Path) -> None:
    """What only a card can run says so: the emulator refuses it by name instead of guessing."""
    verdict = verdict_on_ours(solution.read_text(encoding="utf-8"), solution.parents[2].name)
    if verdict.verdict is Kind.UNSUPPORTED:
        assert "// needs: gpu" in solution.read_text(encoding="utf-8")
        assert verdict.findings[0].id == "needs-gpu"
    else:
        assert verdict.verdict is claimed(solution)
