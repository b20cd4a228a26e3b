"""Random expressions as kernels, against the same expressions in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.worker.emulator.oracles import Empty, run
from worker.protocol import Kind

RNG = np.random.default_rng(5)
INTEGERS = [RNG.integers(-(1 << 31), 1 << 31, 64).astype(np.int32) for _ in range(3)]
FLOATS = [RNG.uniform(-4, 4, 64).astype(np.float32) for _ in range(3)]


@dataclass(frozen=True)
class Expression:
    """The same thing said twice."""

    cuda: str
    value: Any


def integer_expressions() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(
        st.sampled_from([Expression(f"{name}[i]", INTEGERS[place]) for place, name in enumerate("abc")]),
        st.integers(-1000, 1000).map(lambda n: Expression(f"({n})", np.full(64, n, np.int32))),
    )
    return st.recursive(leaves, _integer_step, max_leaves=8)


def _integer_step(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    plain = st.tuples(st.sampled_from("+-*&|^"), inner, inner).map(_plain)
    shifts = st.tuples(st.sampled_from(["<<", ">>"]), inner, st.integers(0, 31)).map(_shift)
    choice = st.tuples(inner, inner, inner).map(
        lambda t: Expression(
            f"({t[0].cuda} < {t[1].cuda} ? {t[2].cuda} : {t[0].cuda})",
            np.where(t[0].value < t[1].value, t[2].value, t[0].value),
        )
    )
    extremes = st.tuples(inner, inner).map(
        lambda t: Expression(f"max({t[0].cuda}, {t[1].cuda})", np.maximum(t[0].value, t[1].value))
    )
    return st.one_of(plain, shifts, choice, extremes)


def _plain(parts: tuple[str, Expression, Expression]) -> Expression:
    sign, a, b = parts
    with np.errstate(all="ignore"):
        value = {
            "+": np.add,
            "-": np.subtract,
            "*": np.multiply,
            "&": np.bitwise_and,
            "|": np.bitwise_or,
            "^": np.bitwise_xor,
        }[sign](a.value, b.value)
    return Expression(f"(int)((unsigned){a.cuda} {sign} (unsigned){b.cuda})", value)


def _shift(parts: tuple[str, Expression, int]) -> Expression:
    sign, a, count = parts
    if sign == "<<":
        return Expression(f"(int)((unsigned){a.cuda} << {count})", a.value << np.int32(count))
    return Expression(f"({a.cuda} >> {count})", a.value >> np.int32(count))


def float_expressions() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(
        st.sampled_from([Expression(f"{name}[i]", FLOATS[place]) for place, name in enumerate("abc")]),
        st.integers(-8, 8).map(
            lambda n: Expression(f"({n}.5f)", np.full(64, n + (0.5 if n >= 0 else -0.5), np.float32))
        ),
    )

    def step(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        plain = st.tuples(st.sampled_from("+-*/"), inner, inner).map(_float_plain)
        return st.one_of(plain, inner.map(lambda e: Expression(f"fabsf({e.cuda})", np.abs(e.value))))

    return st.recursive(leaves, step, max_leaves=8)


def _float_plain(parts: tuple[str, Expression, Expression]) -> Expression:
    sign, a, b = parts
    with np.errstate(all="ignore"):
        value = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[sign](a.value, b.value)
    return Expression(f"({a.cuda} {sign} {b.cuda})", value)


def _kernel(expression: Expression, ctype: str) -> str:
    return (
        f'extern "C" __global__ void k(const {ctype}* a, const {ctype}* b, const {ctype}* c, {ctype}* o) '
        f"{{ int i = threadIdx.x; o[i] = {expression.cuda}; }}"
    )


SETTINGS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SETTINGS
@given(integer_expressions())
def test_integer_expressions_agree_with_numpy_bit_for_bit(expression: Expression) -> None:
    emulation = run(_kernel(expression, "int"), [*INTEGERS, Empty(64, "int32")], block=64)

    assert emulation.ending is Kind.RAN
    np.testing.assert_array_equal(emulation.outputs["p3"].array, expression.value)


@SETTINGS
@given(float_expressions())
def test_float_expressions_agree_with_numpy_bit_for_bit(expression: Expression) -> None:
    emulation = run(_kernel(expression, "float"), [*FLOATS, Empty(64)], block=64)

    assert emulation.ending is Kind.RAN
    np.testing.assert_array_equal(emulation.outputs["p3"].array, expression.value)
