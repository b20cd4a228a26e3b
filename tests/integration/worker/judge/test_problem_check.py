"""`problems check` over a good problem and copies with spoilt kernels; what shows at rest has a unit test."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.worker.conftest import CONTENT
from worker.judge import Tools
from worker.judge.problem_check import check_problem
from worker.oracle import Oracle
from worker.problem import load

GOOD = CONTENT / "problems" / "saxpy_strided"

Spoil = Callable[[Path], None]


def replace(file: str, old: str, new: str) -> Spoil:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")

    return spoil


def write(file: str, text: str) -> Spoil:
    return lambda folder: (folder / file).write_text(text, encoding="utf-8") and None


def faults(tools: Tools, folder: Path) -> list[tuple[str, str]]:
    problem = load(folder)
    oracles = {**tools.oracles, problem.slug: Oracle(problem)}
    bent = dataclasses.replace(tools, problems={**tools.problems, problem.slug: problem}, oracles=oracles)

    async def collect() -> list[tuple[str, str]]:
        return [(str(fault.file.relative_to(folder)), fault.what) async for fault in check_problem(problem, bent)]

    return asyncio.run(collect())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOOD, tmp_path / GOOD.name))


@pytest.fixture
def small(folder: Path) -> Path:
    """The problem with one solution of each kind: what is spoilt is elsewhere, and each takes a second to judge."""
    for path in folder.glob("solutions/*/*"):
        if path.name not in {"simple.cu", "stride_forgotten.cu"}:
            path.unlink()
    return folder


@pytest.mark.slow
def test_a_good_problem_has_no_fault(lasting_tools: Tools, folder: Path) -> None:
    assert faults(lasting_tools, folder) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "file", "says"),
    [
        (replace("judge.cu", "double(alpha)", "2.0"), "judge.cu", "where reference.py has"),
        (replace("judge.cu", "__global__", "__globl__"), "judge.cu", "does not compile"),
        (replace("judge.cu", "//! launch", "// launch"), "judge.cu", "a launch that computes expected_y"),
        (write("starter.cu", "__global__ void saxpy(flaot* x) {}"), "starter.cu", "begins with code that compiles"),
        (
            lambda folder: shutil.copy(
                folder / "solutions/right/simple.cu", folder / "solutions/right/other.cu"
            ) and replace("solutions/right/other.cu", "alpha *", "")(folder),
            "solutions/right/other.cu",
            "gets wrong_answer",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file(
    lasting_tools: Tools, small: Path, spoil: Spoil, file: str, says: str
) -> None:
    spoil(small)
    found = faults(lasting_tools, small)
    assert file in {where for where, _ in found}
    assert any(says in what for where, what in found if where == file)
