"""The judge on a real card. `python bench/gpu_judge.py` does the same at length and records it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.cheats import CHEATS, Cheat
from tests.gpu.programs import DOUBLES
from tests.gpu.refused import BUGS, Bug
from worker.compile.nvcc import toolkit
from worker.errors import InfrastructureError
from worker.gpu.sanitizer import program
from worker.judge import Tools, judge
from worker.problem import load_all
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict

pytestmark = [pytest.mark.needs("gpu"), pytest.mark.slow]

PROBLEMS = load_all(Path(__file__).parents[2] / "content" / "problems")
HONEST = PROBLEMS["vector_add"].solutions("right")[0].read_text(encoding="utf-8")
SLOW = (PROBLEMS["reduce_sum"].folder / "solutions" / "right" / "one_block.cu").read_text(encoding="utf-8")


async def silent(stage: Stage) -> None: ...


async def verdict(tools: Tools, slug: str | None, source: str, form: Form = Form.KERNEL) -> Verdict:
    return await judge(Job("gpu-test", form, source, slug, Backend.GPU), tools, silent)


@pytest.mark.parametrize("slug", PROBLEMS)
async def test_every_right_solution_is_accepted_and_timed(tools: Tools, slug: str) -> None:
    for path in PROBLEMS[slug].solutions("right"):
        got = await verdict(tools, slug, path.read_text(encoding="utf-8"))
        assert got.verdict is Kind.ACCEPTED, (path.name, got)
        assert got.timing, path.name
        assert got.score, path.name


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
async def test_a_cheat_is_caught_or_has_no_effect_and_the_next_job_is_judged(tools: Tools, cheat: Cheat) -> None:
    got = await verdict(tools, cheat.problem, cheat.source, cheat.form)
    assert got.verdict.value in cheat.allowed, got
    assert got.score is None or got.score <= cheat.best_score
    assert (await verdict(tools, "vector_add", HONEST)).verdict is Kind.ACCEPTED


@pytest.mark.parametrize("victim", ["runner", "referee"])
async def test_a_killed_process_is_our_trouble_and_the_next_job_is_judged(tools: Tools, victim: str) -> None:
    gpu: Any = tools.gpu
    judging = asyncio.create_task(verdict(tools, "reduce_sum", SLOW))
    while not gpu.working:  # noqa: ASYNC110  # a runner begins without telling
        await asyncio.sleep(0.001)
    os.kill(next(iter(gpu.working)) if victim == "runner" else gpu.referee.pid, signal.SIGKILL)
    with pytest.raises(InfrastructureError):
        await judging
    assert (await verdict(tools, "vector_add", HONEST)).verdict is Kind.ACCEPTED


async def test_what_a_kernel_prints_is_shown_capped_and_decides_nothing(tools: Tools) -> None:
    flood = next(cheat for cheat in CHEATS if cheat.name == "print_flood")
    got = await verdict(tools, "vector_add", flood.source)
    assert 0 < len(got.output) <= 16 << 10
    assert got.score is not None
    assert got.score <= flood.best_score


@pytest.mark.needs("bubblewrap")
@pytest.mark.skipif(program() is None, reason="needs compute-sanitizer: a CUDA toolkit, or the extra `programs`")
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
async def test_what_the_emulator_refuses_compute_sanitizer_explains_at_its_line(tools: Tools, bug: Bug) -> None:
    got = await verdict(tools, "vector_add", bug.source)
    assert bug.explained(got), got


@pytest.mark.skipif(toolkit() is None, reason="needs the extra `programs`")
async def test_a_program_runs_on_the_card_and_says_so(tools: Tools) -> None:
    got = await verdict(tools, None, DOUBLES, Form.PROGRAM)
    assert got.verdict is Kind.RAN, got
    assert got.output.strip() == "2 4 6 8"
