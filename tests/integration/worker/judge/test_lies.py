"""A child that was taken over by a submission may answer anything: it ends as one clear refusal of ours."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.worker.judge.lying_emulator import LIES
from worker.errors import ChildLost
from worker.judge import Tools, judge
from worker.judge.emulator_backend import EmulatorBackend
from worker.judge.emulator_children import Children
from worker.protocol import Backend, Form, Job, Stage
from worker.sandbox import Pool, choose
from worker.sandbox.policies import emulator_policy

TREE = Path(__file__).parents[4]
SOURCE = """extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {{
    asm volatile("// {lie}");
}}"""


async def quiet(_: Stage) -> None:
    """Nobody waits for a sign of progress."""


@pytest.fixture(scope="module")
def deceived(tools: Tools) -> Iterator[Tools]:
    allowed = dataclasses.replace(emulator_policy(), startup=(TREE / "tests",))
    with Pool(choose(), "tests.integration.worker.judge.lying_emulator", allowed) as pool:
        children = Children(pool, tools.children.fatal)
        yield dataclasses.replace(tools, emulator=EmulatorBackend(children, tools.catalogue, tools.faults))


@pytest.mark.parametrize("lie", LIES)
def test_what_nobody_has_words_for_is_no_emulation(deceived: Tools, lie: str) -> None:
    job = Job("one", Form.KERNEL, SOURCE.format(lie=lie), "vector_add", Backend.EMULATOR)
    with pytest.raises(ChildLost, match="the emulator's child gave no emulation"):
        asyncio.run(judge(job, deceived, quiet))
