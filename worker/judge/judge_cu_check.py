"""Does judge.cu say the same as reference.py? Its kernels run on the emulator over small inputs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping

import numpy as np

from worker.diagnosis import explain
from worker.directives import Resolved
from worker.directives.parsing import parse_judge
from worker.emulator.request import Output
from worker.errors import DirectiveError
from worker.judge.emulator_request import case_request
from worker.judge.tools import Tools
from worker.oracle import Expected
from worker.problem import Case, Problem
from worker.problem.element import ELEMENTS
from worker.problem.lint import Fault
from worker.problem.model import RANDOM_KINDS
from worker.protocol import Kind

SEED = 1
SHAPES = 3
NEAR = 1e-9
"""Part of the terms' size: both sides calculate in double, and no tolerance of ours is as narrow as this."""


async def judge_faults(problem: Problem, tools: Tools) -> AsyncIterator[Fault]:
    """Compare at the largest small shapes, which have the most edges; magnitudes have to agree as well."""
    source = problem.judge_file.read_text(encoding="utf-8")
    try:
        plan = parse_judge(source, problem)
        compiled = await asyncio.to_thread(tools.compiler.compile, source, tools.arch, plan.kernels)
        if not compiled.ok:
            finding = explain(tools.catalogue, compiled, source, plan.kernels)[0]
            yield Fault(problem.judge_file, f"does not compile: {finding.message['en']}")
            return
        oracle = tools.oracles[problem.slug]
        runs = [(oracle.inputs(case, SEED), plan.resolve(case.sizes)) for case in _shapes(problem)]
    except DirectiveError as error:
        yield Fault(problem.judge_file, f"{error}")
        return
    wanted = [buffer.name for buffer in plan.scratch if buffer.name.startswith(("expected_", "magnitude_"))]
    requests = [case_request(problem, compiled, inputs, resolved, wanted) for inputs, resolved in runs]
    results = await tools.children.emulate(compiled, requests)
    for (inputs, resolved), result in zip(runs, results, strict=True):
        if result is None or result.ending is not Kind.RAN:
            reason = result.reason if result else "the time was up"
            yield Fault(problem.judge_file, f"does not run on the emulator at {dict(inputs.sizes)}: {reason}")
            return
        expected = tools.oracles[problem.slug].expected(inputs)
        for what in _differences(problem, expected, resolved, result.outputs):
            yield Fault(problem.judge_file, f"{what} at {dict(inputs.sizes)}: mend the one that is wrong")


def _shapes(problem: Problem) -> list[Case]:
    """The largest sizes with random values."""
    by_sizes = {tuple(case.sizes.items()): case for case in problem.cases() if case.values in RANDOM_KINDS}
    return sorted(by_sizes.values(), key=lambda case: _elements(problem, case))[-SHAPES:]


def _elements(problem: Problem, case: Case) -> int:
    return sum(param.elements_at(case.sizes) for param in problem.params if param.pointer)


def _differences(
    problem: Problem, expected: Expected, resolved: Resolved, outputs: Mapping[str, Output]
) -> Iterator[str]:
    types = {buffer.name: ELEMENTS[buffer.ctype] for buffer in resolved.scratch}
    for output in problem.outputs:
        wanted = expected.outputs[output.name]
        magnitude = expected.magnitudes.get(output.name)
        size = np.abs(wanted.astype(np.float64)) if magnitude is None else np.maximum(np.abs(wanted), magnitude)
        for name, reference in ((f"expected_{output.name}", wanted), (f"magnitude_{output.name}", magnitude)):
            if name not in types or reference is None:
                continue
            got = types[name].decode(outputs[name].array).reshape(reference.shape)
            off = np.argwhere(~(np.abs(got - reference) <= NEAR * size))
            if off.size:
                at = tuple(int(i) for i in off[0])
                yield f"{name}{list(at)} is {got[at]:.12g} where reference.py has {reference[at]:.12g}"
