"""Patterns over numbers that a test makes: said where they hold, and nothing is said of numbers without one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from tests.wrong import read
from worker.diagnosis import FindingCatalogue
from worker.directives import ConcreteLaunch
from worker.emulator.request import Unbounded
from worker.judge.patterns.explain import explain
from worker.judge.patterns.of_inputs import suppositions
from worker.judge.patterns.seen import Answer, Explanation, Run, Seen, Trouble
from worker.oracle import Oracle
from worker.problem import Problem, load_all
from worker.problem.element import Array, Element
from worker.protocol import to_json

CONTENT = Path(__file__).parents[4] / "content"

Kernel = Callable[[Array, Run], Array]
"""The right answer of a run to what comes out instead."""


@pytest.fixture(scope="module")
def problems() -> Mapping[str, Problem]:
    return MappingProxyType(load_all(CONTENT / "problems"))


@pytest.fixture(scope="module")
def catalogue() -> FindingCatalogue:
    return FindingCatalogue.load(CONTENT / "findings.toml")


def runs_of(problem: Problem, kernel: Kernel, made: tuple[Unbounded, ...] = ()) -> list[Run]:
    oracle, runs = Oracle(problem), []
    for case in problem.cases():
        inputs = oracle.inputs(case, 7)
        expected = oracle.expected(inputs)
        plain = Run(case, inputs, expected, {}, unbounded=made)
        got = {
            output.name: bits(output.element, kernel(expected.outputs[output.name], plain))
            for output in problem.outputs
        }
        runs.append(Run(case, inputs, expected, got, unbounded=made))
    return runs


def bits(element: Element, values: Array) -> Array:
    with np.errstate(all="ignore"):
        if element.family == "integer":
            values = np.clip(np.nan_to_num(np.rint(values)), -element.largest, element.largest)
        return element.encode(values).reshape(-1)


def explained(problem: Problem, kernel: Kernel, made: tuple[Unbounded, ...] = ()) -> Explanation | None:
    return explain(problem, Oracle(problem), "", runs_of(problem, kernel, made))


def test_a_right_answer_is_not_explained(problems: Mapping[str, Problem]) -> None:
    assert explained(problems["vector_add"], lambda right, _: right) is None


@pytest.mark.parametrize("slug", ["vector_add", "matmul", "reduce_sum", "histogram", "layer_norm", "conv1x1"])
def test_nothing_is_said_of_noise(problems: Mapping[str, Problem], slug: str) -> None:
    rng = np.random.default_rng(3)
    found = explained(problems[slug], lambda right, _: rng.normal(size=right.shape) * 30)
    assert found is None or found.id == "wrong-places"


@pytest.mark.parametrize("value", [np.nan, -np.inf, 1e300, 0.0])
def test_any_numbers_may_come_out(problems: Mapping[str, Problem], catalogue: FindingCatalogue, value: float) -> None:
    for slug in ("layer_norm", "transpose", "int8_quantize", "inclusive_scan", "dense_sigmoid"):
        problem = problems[slug]
        for kernel in (
            lambda right, _: np.full(right.shape, value),
            lambda right, _: np.where(np.arange(right.size).reshape(right.shape) % 3 == 0, value, right),
        ):
            found = explained(problem, kernel)
            assert found is None or '"message"' in to_json(catalogue.finding(found.id, found.line, **found.evidence))


@pytest.mark.parametrize(
    ("slug", "kernel", "id_", "evidence"),
    [
        ("vector_add", lambda right, _: 3 * right, "output-scaled", {"times": "3"}),
        ("vector_add", lambda right, _: right + 0.25, "output-offset", {"amount": 0.25}),
        ("matmul", lambda right, run: right / run.case.sizes["k"], "output-scaled", {"times": "1/k"}),
        ("matrix_add", lambda right, _: np.ascontiguousarray(right.T).reshape(right.shape), "output-transposed",
         {"order": "[cols][rows]"}),
        ("histogram", lambda right, _: right % 128, "wrong-places", {}),
        ("histogram", lambda right, _: right.astype(np.uint8), "integer-wrapped", {"bits": 8, "largest": 255}),
        ("sigmoid", lambda right, _: right * right, "function-of-the-answer", {"formula": "r * r"}),
        ("reduce_sum", lambda right, _: np.rint(right + 0.1), "decimals-cut", {}),
        ("sigmoid", lambda right, _: np.full(right.shape, 0.75), "output-constant", {"value": 0.75}),
        ("inclusive_scan", lambda right, _: right + np.arange(right.size) % 2, "output-offset", {"amount": 1}),
    ],
)  # fmt: skip
def test_a_pattern_is_named_with_its_evidence(
    problems: Mapping[str, Problem], slug: str, kernel: Kernel, id_: str, evidence: Mapping[str, object]
) -> None:
    found = explained(problems[slug], kernel)
    assert found is not None
    assert found.id == id_
    assert evidence.items() <= found.evidence.items()


def test_large_inputs_excuse_nothing_where_no_rounding_is_allowed(problems: Mapping[str, Problem]) -> None:
    """A count that is off by 70 is not the hyperbolic tangent of a query, however large that is."""
    problem = problems["hash_count"]
    run = runs_of(problem, lambda right, _: right + 70 * (np.arange(right.size) == 0))[1]
    seen = Seen(problem, run, problem.outputs[0])
    large = np.full(seen.right.shape, 4e9)
    assert seen.count == 1
    assert not seen.explained_by(Answer(np.tanh(large), large), everywhere=False)


def test_a_size_of_zero_is_no_length_that_anything_is_divided_by(problems: Mapping[str, Problem]) -> None:
    assert any(case.sizes["shift"] == 0 for case in problems["radix_pass"].cases())
    found = explained(problems["radix_pass"], lambda right, _: np.where(right > 0, right ^ 0x5BD1E995, right))
    assert found is None or "shift" not in str(found.evidence.get("times"))


def test_a_nan_is_traced_to_its_operation_and_to_the_infinity_in_it(
    problems: Mapping[str, Problem], catalogue: FindingCatalogue
) -> None:
    made = (Unbounded(False, "overflow", 5), Unbounded(True, "infinity-by-infinity", 9))

    def kernel(right: Array, run: Run) -> Array:
        return np.full(right.shape, np.nan) if run.case.values == "large" else right

    found = explained(problems["softmax"], kernel, made)
    assert found is not None
    assert (found.id, found.line, found.evidence["cause_line"]) == ("nan-traced", 9, 5)
    assert "from line 5: a number grows too large" in catalogue.finding(found.id, 9, **found.evidence).message["en"]


def test_where_and_when_are_said_as_they_were_seen(problems: Mapping[str, Problem]) -> None:
    def kernel(right: Array, _: Run) -> Array:
        return np.where(np.arange(right.size) < 256, right, right * right + 0.5)

    found = explained(problems["vector_add"], kernel)
    assert found is not None
    where, when = found.evidence["where"], found.evidence["when"]
    assert (getattr(where, "id", ""), getattr(where, "fields", {})["first"]) == ("where.from", 256)
    assert (getattr(when, "fields", {})["first"], getattr(when, "fields", {})["limit"]) == (257, 256)


@pytest.mark.parametrize(
    ("source", "id_"),
    [
        ("int i = threadIdx.x;", "block-index-unused"),
        ("int i = threadIdx.x; // blockIdx.x", "block-index-unused"),
        ("int i = threadIdx.x + 0 * blockIdx.x;", "outputs-unwritten"),
        ("int i = block.group_index().x;", "outputs-unwritten"),
        ("pid = tl.program_id(0)", "outputs-unwritten"),
    ],
)
def test_blocks_that_do_not_know_their_number_are_told_from_others(
    problems: Mapping[str, Problem], source: str, id_: str
) -> None:
    problem = problems["vector_add"]
    poison = np.frombuffer(b"\xcb" * 4, np.float32)[0]
    runs = runs_of(problem, lambda right, _: np.where(np.arange(right.size) < 256, right, poison))
    launched = [
        dataclasses.replace(
            run, launches=(ConcreteLaunch("k", (-(-run.case.sizes["n"] // 256), 1, 1), (256, 1, 1), 0, (), 0),)
        )
        for run in runs
    ]
    found = explain(problem, Oracle(problem), source, launched)
    assert found is not None
    assert found.id == id_


def test_a_budget_that_is_spent_ends_the_search(
    problems: Mapping[str, Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.judge.patterns.explain.BUDGET_S", -1.0)
    assert explained(problems["vector_add"], lambda right, _: 3 * right) is None


def test_every_supposition_changes_something_of_some_run(problems: Mapping[str, Problem]) -> None:
    problem = problems["conv1x1"]
    seen = tuple(Seen(problem, run, problem.outputs[0]) for run in runs_of(problem, lambda right, _: right + 1))
    trouble = Trouble(problem, Oracle(problem), "", seen, time.thread_time() + 60)
    ids = {supposed.id for supposed in suppositions(trouble)}
    with np.errstate(all="ignore"):
        changing = {
            supposed.id for supposed in suppositions(trouble) if any(supposed.change(one) for one in trouble.seen)
        }
    assert changing == ids


def test_there_are_enough_bugs_and_each_pattern_has_three(catalogue: FindingCatalogue) -> None:
    bugs = [*read("tuned.toml"), *read("kept_aside.toml")]
    assert len(bugs) >= 180
    assert {id_ for bug in bugs for id_ in bug.explained} <= {
        *(entry.id for entry in catalogue), "sum-too-small"
    }  # fmt: skip
    assert len({bug.problem for bug in bugs}) == 16
