"""The arithmetic of launch lines, held against exact fractions and attacked."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.errors import ExpressionError
from worker.expression import INT64_MAX, INT64_MIN, MAX_CHARACTERS, parse, parse_dims

Tree = tuple[str, Fraction]


def _leaf(value: int) -> Tree:
    return str(value), Fraction(value)


def _combine(pair: tuple[str, Tree, Tree]) -> Tree:
    operator, (left, a), (right, b) = pair
    if operator in "/%" and b == 0:
        operator = "+"
    truncated = Fraction(math.trunc(a / b)) if b else Fraction(0)
    value = {"+": a + b, "-": a - b, "*": a * b, "/": truncated, "%": a - b * truncated if b else Fraction(0)}[
        operator
    ]
    return f"({left}) {operator} ({right})", value


trees = st.recursive(
    st.integers(0, 200).map(_leaf),
    lambda inner: st.tuples(st.sampled_from("+-*/%"), inner, inner).map(_combine),
    max_leaves=8,
)


@given(trees)
def test_arithmetic_is_that_of_c(tree: Tree) -> None:
    """Eight leaves up to 200 stay within 64 bits whatever is done with them."""
    text, expected = tree
    assert parse(text).value({}) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("10 - 4 - 3", 3),
        ("ceil_div(7, 2)", 4),
        ("ceil_div(8, 2)", 4),
        ("ceil_div(0, 5)", 0),
        ("min(3, 1, 2)", 1),
        ("max(3, 1)", 3),
        ("0x10", 16),
        ("--5", 5),
        ("n * m", 12),
        ("100 / 10 / 2", 5),
    ],
)
def test_an_expression_has_its_value(text: str, value: int) -> None:
    assert parse(text).value({"n": 3, "m": 4}) == value


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "found the end"),
        ("n +", 4, "found the end"),
        ("n n", 3, "operator"),
        ("(n", 3, "')'"),
        ("n)", 2, "operator"),
        ("1.5", 1, "whole number"),
        ("1e9", 1, "whole number"),
        ("0b1", 1, "whole number"),
        ("1_000", 1, "whole number"),
        ("n ** 2", 4, "found '*'"),
        ("n << 1", 3, "found '<'"),
        ("n & 1", 3, "found '&'"),
        ("f(n)", 1, "min, max, ceil_div or next_pow2"),
        ("min(n)", 1, "2 argument(s)"),
        ("ceil_div(1, 2, 3)", 1, "2 argument(s)"),
        ("9223372036854775808", 1, "64 bits"),
        ("99999999999999999999999999", 1, "64 bits"),
        ("__import__(1)", 1, "min, max"),
        ("n.real", 2, "found '.'"),
        ("n[0]", 2, "found '['"),
        ("сeil_div(1, 2)", 1, "found 'с'"),
        ("１ + 1", 1, "found '１'"),
    ],
)
def test_a_mistake_is_placed_and_named(text: str, column: int, says: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.column == column
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["n * n", "n + n", "-n - n - n", "n * 3 - n", "min(n, n) * 2"])
def test_what_does_not_fit_64_bits_is_an_error_and_never_wraps(text: str) -> None:
    with pytest.raises(ExpressionError, match="64 bits"):
        parse(text).value({"n": INT64_MAX})


def test_the_ends_of_64_bits_fit() -> None:
    assert parse("n").value({"n": INT64_MAX}) == INT64_MAX
    assert parse("-n - 1").value({"n": INT64_MAX}) == INT64_MIN


@pytest.mark.parametrize("text", ["1 / n", "1 % n", "ceil_div(1, n)", "1 / (n - n)"])
def test_a_division_by_zero_is_an_error(text: str) -> None:
    with pytest.raises(ExpressionError, match="other than zero"):
        parse(text).value({"n": 0})


@pytest.mark.parametrize(
    "text",
    ["(" * 10**6, "(" * 200 + "1" + ")" * 200, "-" * 400 + "1", "min(1," * 80 + "1" + ")" * 80, "1+" * 10**6 + "1"],
)
def test_nesting_and_length_are_bounded(text: str) -> None:
    with pytest.raises(ExpressionError, match=f"at most ({MAX_CHARACTERS}|32)"):
        parse(text)


def test_the_longest_flat_expression_is_evaluated() -> None:
    assert parse("1+" * 249 + "1").value({}) == 250


@pytest.mark.parametrize(
    ("text", "value"),
    [("4", (4, 1, 1)), ("dim3(4)", (4, 1, 1)), ("dim3(n, 2)", (3, 2, 1)), (" dim3 ( 1,2, min(5,6) ) ", (1, 2, 5))],
)
def test_dims_have_three_axes(text: str, value: tuple[int, int, int]) -> None:
    assert parse_dims(text).value({"n": 3}) == value


def test_a_mistake_inside_dim3_is_counted_in_the_whole_text() -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_dims("dim3(1, 2 +)")
    assert caught.value.column == 12
