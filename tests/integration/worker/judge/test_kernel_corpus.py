"""The kernels of tests/kernels through the whole judge: planted bugs get verdict, kind and line, right ones nothing.

The corpus has no references, so here every output counts as right; tests/gpu compares them with a card's.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kernels.corpus import Filled, KernelCase, load_all
from worker.judge import Tools, judge
from worker.oracle import Expected, Inputs, Oracle
from worker.oracle.compare import Comparison
from worker.problem import Case, load
from worker.problem.element import CUDA_NAMES
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict

CASES = [case for case in load_all() if not case.name.startswith("opcodes/")]
CUDA_TYPES = {ctype: name for name, ctype in CUDA_NAMES.items()}

NAMES = {
    "integer-division": {"division-by-zero"},
    "out-of-bounds": {"out-of-bounds", "missing-bounds-check", "vector-past-end", "shared-not-given"},
    "race-shared": {"race-shared", "missing-warp-sync", "lost-update"},
    "race-global": {"race-global", "lost-update"},
    "missing-barrier": {"missing-barrier", "lost-update"},
}
"""What the judge calls a finding of the emulator, where it has a word of its own."""

PROBLEM = """
slug = "corpus"
level = "beginner"
topics = ["errors"]
[title]
en = "One kernel of the corpus"
zh = "一个测试核函数"
[launch]
kernel = "k"
grid = "1"
block = "1"
[check]
rule = "absolute"
[limits]
scratch_bytes = "0"
# Twice the same: the heavier case, here either, runs the optimised build, the other one the plain build.
[[cases]]
sizes = { turn = [1, 2] }
[[params]]
name = "not_passed"
type = "const int*"
shape = ["1"]
[[params]]
name = "not_written"
type = "int*"
shape = ["1"]
"""


class AnyOutput(Oracle):
    """The corpus's own inputs; nothing is compared."""

    def __init__(self, kernel: KernelCase) -> None:
        self.kernel = kernel

    def inputs(self, case: Case, seed: int) -> Inputs:
        data = {item.name: item.data for item in self.kernel.buffers}
        buffers = {name: np.frombuffer(raw, np.uint8) for name, raw in data.items() if raw is not None}
        return Inputs(case.sizes, {**buffers, "not_passed": np.zeros(4, np.uint8)}, dict(case.sizes))

    def expected(self, inputs: Inputs) -> Expected:
        return Expected({}, {})

    def check(self, inputs: Inputs, expected: Expected, got: Mapping[str, Any]) -> Comparison:
        return Comparison(0, None, None)


def parameter(item: Filled) -> str:
    role = "input" if item.const else "output" if item.data is None else "inout"
    kind = f"{'const ' if item.const else ''}{CUDA_TYPES[item.ctype]}*"  # type: ignore[index]  # one of the ctypes
    return f'[[params]]\nname = "{item.name}"\ntype = "{kind}"\nrole = "{role}"\nshape = ["{item.elements}"]\n'


def verdict_of(kernel: KernelCase, tools: Tools, root: Path) -> Verdict:
    folder = root / "corpus"
    folder.mkdir()
    for name in ("statement.en.md", "statement.zh.md", "reference.py", "starter.cu"):
        (folder / name).touch()
    (folder / "problem.toml").write_text(PROBLEM + "".join(map(parameter, kernel.buffers)), "utf-8")
    with_kernel = dataclasses.replace(tools, problems={"corpus": load(folder)}, oracles={"corpus": AnyOutput(kernel)})
    job = Job("one", Form.KERNEL, kernel.source, "corpus", Backend.EMULATOR)
    return asyncio.run(judge(job, with_kernel, silent))


async def silent(stage: Stage) -> None:
    """Nobody listens."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [case for case in CASES if case.expect == "clean"], ids=lambda case: case.name)
def test_a_right_kernel_is_accepted(kernel: KernelCase, lasting_tools: Tools, tmp_path: Path) -> None:
    verdict = verdict_of(kernel, lasting_tools, tmp_path)

    assert verdict.verdict is Kind.ACCEPTED
    assert {finding.id for finding in verdict.findings if lasting_tools.catalogue[finding.id].verdict} == set()


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [case for case in CASES if case.expect != "clean"], ids=lambda case: case.name)
def test_a_planted_bug_gets_its_verdict_kind_and_line(
    kernel: KernelCase, lasting_tools: Tools, tmp_path: Path
) -> None:
    verdict = verdict_of(kernel, lasting_tools, tmp_path)
    wanted = NAMES.get(kernel.expect, {kernel.expect})
    catalogue = lasting_tools.catalogue
    told = [seen for seen in verdict.findings if catalogue[seen.id].severity != "hint" or seen.id in wanted]
    found = {(seen.id, seen.line) for seen in told}

    assert verdict.verdict in {catalogue[name].verdict or Kind.ACCEPTED for name, _ in found}
    assert any(name in wanted and line in kernel.bug_lines for name, line in found), found
    assert {line for _, line in found} <= kernel.bug_lines, "a finding stands where no bug was planted"
