"""Right Triton kernels in many styles, tests/triton_styles/<problem>/<style>.py: nobody accuses them.

Every sixth runs by default; TESTS_TRITON=all runs all of them. On a card: `bench/gpu_judge.py --only triton_styles`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path

import pytest

from tests.integration.worker.conftest import Judging, judging_with
from tests.triton_styles import ALL, refused, write_content
from worker.judge import Tools
from worker.judge.triton import Prepared, prepare
from worker.oracle import Oracle
from worker.problem import load_all
from worker.protocol import Kind

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]

EVERY = 1 if os.environ.get("TESTS_TRITON") == "all" else 6


@pytest.fixture(scope="module")
def tools_with_styles(lasting_tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Tools:
    problems = load_all(write_content(tmp_path_factory.mktemp("content")) / "problems")
    oracles = {slug: Oracle(problem) for slug, problem in problems.items()}
    return dataclasses.replace(lasting_tools, problems=problems, oracles=oracles)


@pytest.fixture(scope="module")
def verdict_on_styles(tools_with_styles: Tools) -> Judging:
    return judging_with(tools_with_styles)


def test_there_are_enough_styles() -> None:
    assert len(ALL) >= 60
    assert len({path.parent.name for path in ALL}) >= 20


@pytest.mark.parametrize("path", ALL[::EVERY], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_right_kernel_is_accepted_whatever_its_style(verdict_on_styles: Judging, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    verdict = verdict_on_styles(source, path.parent.name)
    needed = refused(source)
    if needed is None:
        assert verdict.verdict is Kind.ACCEPTED
        assert {found.severity for found in verdict.findings} <= {"hint", "warning"}
    else:
        assert verdict.verdict is Kind.UNSUPPORTED
        assert needed in verdict.findings[0].message["en"]


@pytest.mark.parametrize("path", ALL[::EVERY], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_assembler_takes_every_style_for_a_card(tools_with_styles: Tools, path: Path) -> None:
    """What the emulator never sees: another architecture's code, and Triton's own ptxas over it."""
    problem, triton = tools_with_styles.problems[path.parent.name], tools_with_styles.triton
    assert triton is not None
    ready = asyncio.run(
        prepare(path.read_text("utf-8"), problem, triton, tools_with_styles.catalogue, "sm_90a", card=True)
    )
    assert isinstance(ready, Prepared)
    assert all(one.cubin.startswith(b"\x7fELF") for one in ready.on_card[0].compiled.modules.values())
