"""The kinds of values, and reference.py as the oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.worker.problem.folder import REFERENCE, TOML, write
from worker.errors import ProblemError
from worker.oracle import Expected, Oracle
from worker.oracle.values import draw
from worker.problem import VALUE_KINDS, Problem, load
from worker.problem.element import ELEMENTS


@pytest.mark.parametrize("ctype", ELEMENTS)
@pytest.mark.parametrize("kind", VALUE_KINDS)
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_every_kind_fits_every_type(kind: str, ctype: Any, count: int) -> None:
    element = ELEMENTS[ctype]
    values = draw(kind, element, count, np.random.default_rng(1), None)
    assert values.shape == (count,)
    kept = element.decode(element.encode(values))
    if element.family == "integer":
        assert kept.tolist() == values.tolist()
    else:
        assert np.isfinite(kept).all() or kind in {"infinities", "nans"}


@pytest.mark.parametrize("kind", sorted(VALUE_KINDS.keys() - {"infinities", "nans"}))
def test_a_parameters_own_range_is_kept_by_every_kind(kind: str) -> None:
    values = draw(kind, ELEMENTS["i32"], 500, np.random.default_rng(2), (0, 16))
    assert values.min() >= 0
    assert values.max() <= 15


@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("zeros", lambda x: (x == 0).all()),
        ("ones", lambda x: (x == 1).all()),
        ("alternating", lambda x: (x[::2] == -x[1::2]).all()),
        ("constant", lambda x: (x == x[0]).all() and np.float16(x[0]) != x[0]),
        ("spike", lambda x: np.count_nonzero(x) == 1),
        ("ascending", lambda x: (np.diff(x) == 1).all()),
        ("large", lambda x: np.abs(x).max() > 5000),
        ("tiny", lambda x: 0 < np.abs(x).max() < 1e-29),
        ("nans", lambda x: 0 < np.isnan(x).sum() < 100),
        ("infinities", lambda x: 0 < np.isinf(x).sum() < 100),
        ("denormals", lambda x: (np.abs(x.astype(np.float32)) <= np.finfo(np.float32).tiny).all()),
        ("ill_conditioned", lambda x: np.abs(x).sum() > 100 * abs(x.sum())),
    ],
)
def test_a_kind_is_what_its_name_says(kind: str, holds: Any) -> None:
    assert holds(draw(kind, ELEMENTS["f32"], 1000, np.random.default_rng(3), None))


def test_inputs_depend_on_seed_and_case_and_on_nothing_else(tmp_path: Path) -> None:
    problem = load(write(tmp_path, TOML.replace('"zeros"]', '"zeros"]\nseeds = 2')))
    first, second = Oracle(problem), Oracle(problem)
    case, other = problem.cases()[4], problem.cases()[5]
    assert case.sizes == other.sizes
    again = second.inputs(case, 9).buffers["x"]
    assert (first.inputs(case, 9).buffers["x"] == again).all()
    assert (first.inputs(case, 10).buffers["x"] != again).any()
    assert (first.inputs(other, 9).buffers["x"] != again).any()


def test_the_reference_gets_exactly_what_the_kernel_gets(tmp_path: Path) -> None:
    problem = load(write(tmp_path))
    oracle = Oracle(problem)
    inputs = oracle.inputs(problem.cases()[2], 4)
    alpha = inputs.scalars["alpha"]
    assert alpha == float(np.float32(alpha))
    exact = alpha * inputs.buffers["x"].astype(np.float64).sum()
    assert oracle.expected(inputs).outputs["out"].tolist() == [exact]


def _expected(problem: Problem) -> Expected:
    oracle = Oracle(problem)
    return oracle.expected(oracle.inputs(problem.cases()[0], 1))


MISTAKES = [
    ("import nothing_there", "file", "does not run"),
    ("x = 1", "reference", "is missing"),
    ("def reference(y): return {}", "reference", "asks for 'y'"),
    ("def reference(x): return 1", "reference", "expected a dict"),
    ("def reference(x): return {}", "reference", "does not return 'out'"),
    ("def reference(x): return {'out': 1.0}", "reference", "expected the shape (1,), found ()"),
    ("def reference(x): return {'out': [1.0], 'other': 1}", "reference", "returns 'other'"),
    (f"{REFERENCE}\ndef generate(rng, sizes, values): return 1", "generate", "expected a dict"),
    (f"{REFERENCE}\ndef generate(rng, sizes, values): return {{'z': 1}}", "generate", "makes 'z'"),
    (
        f"{REFERENCE}\ndef generate(rng, sizes, values): return {{'x': [1.0, 2.0]}}",
        "generate",
        "expected the shape (1,)",
    ),
]


@pytest.mark.parametrize(("reference", "key", "says"), MISTAKES, ids=[says for _, _, says in MISTAKES])
def test_a_mistake_in_the_reference_is_named(tmp_path: Path, reference: str, key: str, says: str) -> None:
    problem = load(write(tmp_path, reference=reference))
    with pytest.raises(ProblemError) as caught:
        _expected(problem)
    assert caught.value.key == key
    assert says in str(caught.value)


def test_generate_may_make_some_of_the_inputs(tmp_path: Path) -> None:
    own = f"{REFERENCE}\ndef generate(rng, sizes, values):\n    return {{'x': np.full(sizes['n'], 7.0)}}\n"
    problem = load(write(tmp_path, reference=own))
    inputs = Oracle(problem).inputs(problem.cases()[2], 1)
    assert set(inputs.buffers["x"].tolist()) == {7.0}
    assert 0.5 <= inputs.scalars["alpha"] < 2
