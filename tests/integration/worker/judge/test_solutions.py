"""Every solution that ships with a problem gets the verdict that it claims, on the emulator."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from worker.protocol import Kind

SOLUTIONS = sorted((CONTENT / "problems").glob("*/solutions/*/*.cu"))
TRITON = sorted((CONTENT / "problems").glob("*/solutions/*/*.py"))
EVERY = 1 if os.environ.get("TESTS_TRITON") == "all" else 4
"""Of Triton's, every fourth runs by default."""


def claimed(solution: Path) -> Kind:
    first = solution.read_text(encoding="utf-8").split("\n", 1)[0]
    return Kind(first.partition("verdict:")[2].strip()) if "wrong" in solution.parts else Kind.ACCEPTED


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


def test_most_problems_have_solutions_in_triton() -> None:
    right = [path.parents[2].name for path in TRITON if "right" in path.parts]
    wrong = [path.parents[2].name for path in TRITON if "wrong" in path.parts]
    assert len({slug for slug in right if right.count(slug) >= 2 and wrong.count(slug) >= 3}) >= 12


@pytest.mark.slow
@pytest.mark.needs("triton")
@pytest.mark.parametrize("solution", TRITON[::EVERY], ids=lambda path: f"{path.parents[2].name}-{path.stem}")
def test_a_solution_in_triton_gets_its_verdict(verdict_on_ours: Judging, solution: Path) -> None:
    verdict = verdict_on_ours(solution.read_text(encoding="utf-8"), solution.parents[2].name)
    assert verdict.verdict is claimed(solution)
    if verdict.verdict in {Kind.MEMORY_ERROR, Kind.RACE, Kind.COMPILE_ERROR}:
        assert any(found.line is not None for found in verdict.findings)


@pytest.mark.slow
@pytest.mark.needs("triton")
def test_what_a_member_begins_with_in_triton_compiles_and_is_not_right_yet(verdict_on_ours: Judging) -> None:
    starters = sorted((CONTENT / "problems").glob("*/starter.py"))
    for starter in starters[::EVERY]:
        verdict = verdict_on_ours(starter.read_text(encoding="utf-8"), starter.parent.name).verdict
        assert verdict in {Kind.WRONG_ANSWER, Kind.MEMORY_ERROR, Kind.RACE, Kind.UNINITIALIZED}, starter
