"""The bounds separate: every honest float32 algorithm passes, every dishonest one fails somewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.worker.oracle import algorithms
from worker.expression import parse
from worker.oracle import Oracle, bound, growth_any_order, growth_random
from worker.problem import Check, Problem, load
from worker.problem.element import ELEMENTS

CONTENT = Path(__file__).parents[4] / "content" / "problems"
F32 = ELEMENTS["f32"]
Sum = Callable[[Any], np.float32]

VALUES = ("uniform", "zeros", "ones", "constant", "alternating", "ascending", "spike", "large", "tiny", "denormals",
          "ill_conditioned", "normal", "full_range")  # fmt: skip


@pytest.fixture(scope="module")
def total(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    """The sum of n numbers under every kind of values."""
    from tests.unit.worker.problem.folder import REFERENCE, TOML, write

    kinds = ", ".join(f'"{kind}"' for kind in VALUES)
    toml = TOML.replace('values = ["uniform", "zeros"]', f"values = [{kinds}]\nseeds = 3")
    toml = toml.replace("n = [1, 2, 33]", "n = [0, 1, 2, 31, 32, 33, 257, 1000, 3000]")
    toml = toml.replace('name = "alpha"\ntype = "float"', 'name = "alpha"\ntype = "float"\nvalue = 1')
    return load(write(tmp_path_factory.mktemp("problems"), toml, REFERENCE))


def accepted(problem: Problem, algorithm: Sum) -> list[bool]:
    oracle = Oracle(problem)
    results = []
    for case in problem.cases():
        inputs = oracle.inputs(case, seed=20_261)
        got = {"out": np.array([algorithm(inputs.buffers["x"])], np.float32)}
        results.append(oracle.check(inputs, oracle.expected(inputs), got).ok)
    return results


@pytest.mark.parametrize("algorithm", algorithms.HONEST_SUMS, ids=lambda one: one.__name__)
def test_every_honest_sum_is_accepted_in_every_case(total: Problem, algorithm: Sum) -> None:
    assert all(accepted(total, algorithm))


@pytest.mark.parametrize("algorithm", algorithms.DISHONEST_SUMS, ids=lambda one: one.__name__)
def test_every_dishonest_sum_is_refused_in_many_cases(total: Problem, algorithm: Sum) -> None:
    verdicts = accepted(total, algorithm)
    assert verdicts.count(False) > len(verdicts) // 10


@pytest.fixture(scope="module")
def matmul() -> Problem:
    return load(CONTENT / "matmul")


def matmul_accepted(problem: Problem, algorithm: Callable[[Any, Any], Any]) -> list[bool]:
    oracle = Oracle(problem)
    results = []
    for case in problem.cases():
        inputs, sizes = oracle.inputs(case, seed=7), case.sizes
        a = inputs.buffers["a"].reshape(sizes["m"], sizes["k"])
        b = inputs.buffers["b"].reshape(sizes["k"], sizes["n"])
        with np.errstate(all="ignore"):
            got = {"c": algorithm(a, b)}
        results.append(oracle.check(inputs, oracle.expected(inputs), got).ok)
    return results


@pytest.mark.parametrize("algorithm", [algorithms.matmul_sequential, algorithms.matmul_split])
def test_honest_products_are_accepted(matmul: Problem, algorithm: Any) -> None:
    assert all(matmul_accepted(matmul, algorithm))


@pytest.mark.parametrize(
    "algorithm",
    [algorithms.matmul_half, algorithms.matmul_tf32, lambda a, b: np.zeros((a.shape[0], b.shape[1]), np.float32)],
    ids=["half", "tf32", "zeros"],
)
def test_products_in_fewer_bits_are_refused(matmul: Problem, algorithm: Any) -> None:
    assert matmul_accepted(matmul, algorithm).count(False) >= 5


RELATIVE = Check("relative", parse("k"))


@pytest.mark.parametrize("positive", [False, True])
def test_large_random_products_are_accepted_and_narrow_ones_are_not(positive: bool) -> None:
    """What the card's own check does at k = 4096, on a few thousand elements."""
    rng, k = np.random.default_rng(3), 4096
    a, b = (rng.uniform(0 if positive else -1, 1, shape).astype(np.float32) for shape in ((64, k), (k, 64)))
    expected = a.astype(np.float64) @ b.astype(np.float64)
    magnitude = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    allowed = bound(RELATIVE, F32, growth_random(k), expected, magnitude)

    def all_near(c: NDArray[np.float32]) -> bool:
        return bool((np.abs(c - expected) <= allowed).all())

    assert all_near(algorithms.matmul_sequential(a, b))
    assert all_near(algorithms.matmul_split(a, b))
    assert not all_near(algorithms.matmul_tf32(a, b))
    assert not all_near(np.zeros_like(expected, np.float32))


def test_a_long_sum_of_positive_numbers_tells_a_scaled_prefix_from_the_whole() -> None:
    """Reduce a prefix and scale it, on the large shape: spikes at random places give it away."""
    rng, n = np.random.default_rng(5), 1 << 22
    x = rng.uniform(-0.5, 1, n).astype(np.float32)
    x[rng.integers(0, n, n >> 16)] *= 1024
    exact, magnitude = float(x.sum(dtype=np.float64)), float(np.abs(x).sum(dtype=np.float64))
    allowed = float(bound(RELATIVE, F32, growth_random(n), np.array([exact]), np.array([magnitude]))[0])
    blocks = x.reshape(-1, 256).astype(np.float32).sum(axis=1, dtype=np.float32)
    assert abs(float(np.cumsum(blocks, dtype=np.float32)[-1]) - exact) <= allowed
    for share in (0.5, 0.9, 0.99):
        part = int(n * share)
        assert abs(float(x[:part].sum(dtype=np.float64)) / share - exact) > allowed
    assert abs(exact) > allowed


def test_growth_is_one_for_one_operation_and_never_falls() -> None:
    counts = [0, 1, 2, 3, 10, 100, 10**4, 10**6, 10**9]
    for growth in (growth_any_order, growth_random):
        values = [growth(n) for n in counts]
        assert values[:2] == [1.0, 1.0]
        assert values == sorted(values)
    assert all(growth_random(n) <= growth_any_order(n) for n in counts)


def check(rule: Any, operations: str = "1", **more: Any) -> Check:
    return Check(rule, parse(operations), **more)


def test_an_exact_output_has_no_room() -> None:
    assert bound(check("exact"), ELEMENTS["i32"], 5, np.array([3, -4]), None).tolist() == [0, 0]


def test_a_half_output_of_a_float_sum_may_be_off_by_its_own_last_rounding() -> None:
    rule = check("relative", accumulate="f32")
    allowed = bound(rule, ELEMENTS["f16"], 1, np.array([1.0]), None)[0]
    assert 2.0**-11 < allowed < 2.0**-11 * 1.01


def test_an_integer_output_of_float_arithmetic_may_round_the_other_way() -> None:
    allowed = bound(check("absolute", accumulate="f32"), ELEMENTS["i8"], 1, np.array([5]), None)[0]
    assert 1 <= allowed < 1.001


def test_ulp_counts_steps_of_the_expected_value() -> None:
    allowed = bound(check("ulp"), F32, 4, np.array([1.0, 1024.0]), np.array([1e9, 1e9]))
    assert allowed == pytest.approx([4 * 2.0**-23, 4096 * 2.0**-23], rel=1e-6)
