"""Does a problem ask for its answer? Outputs have to follow every input, and cheap answers have to be too far off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from worker.oracle.reference import Expected, Oracle
from worker.problem.element import Array
from worker.problem.model import Case, Problem

SEEDS = (1, 2)

Answer = Mapping[str, Array]


def ignored_inputs(problem: Problem, oracle: Oracle) -> Iterator[str]:
    """Inputs that can be exchanged in every small case without any output noticing."""
    drawn = [param for param in problem.params if param.role == "scalar" and param.value is None]
    for param in (*problem.inputs, *drawn):
        if not any(_notices(oracle, case, param.name) for case in problem.cases()):
            yield param.name


def accepted_cheats(problem: Problem, oracle: Oracle) -> Iterator[str]:
    """Answers without the work that no small case rejects."""
    runs = [(inputs := oracle.inputs(case, SEEDS[0]), oracle.expected(inputs)) for case in problem.cases()]
    if all(oracle.check(inputs, expected, _zeros(problem, expected)).ok for inputs, expected in runs):
        yield "zeros"
    if any(output.ctype in {"f32", "f64"} for output in problem.outputs) and all(
        oracle.check(inputs, expected, _halves(problem, expected)).ok for inputs, expected in runs
    ):
        yield "right answers rounded to half precision"


def _notices(oracle: Oracle, case: Case, name: str) -> bool:
    one, other = (oracle.inputs(case, seed) for seed in SEEDS)
    if name in one.buffers:
        changed = replace(one, buffers={**one.buffers, name: other.buffers[name]})
    else:
        changed = replace(one, scalars={**one.scalars, name: other.scalars[name]})
    before, after = oracle.expected(one).outputs, oracle.expected(changed).outputs
    return any(not np.array_equal(before[output], after[output], equal_nan=True) for output in before)


def _zeros(problem: Problem, expected: Expected) -> Answer:
    return {
        output.name: output.element.encode(np.zeros_like(expected.outputs[output.name])).reshape(-1)
        for output in problem.outputs
    }


def _halves(problem: Problem, expected: Expected) -> Answer:
    rounded = {}
    with np.errstate(over="ignore"):
        for output in problem.outputs:
            wanted = expected.outputs[output.name]
            short = wanted.astype(np.float16).astype(np.float64) if output.element.family == "float" else wanted
            rounded[output.name] = output.element.encode(short).reshape(-1)
    return rounded
