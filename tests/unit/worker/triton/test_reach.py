"""Which offsets of a kernel outgrow 32 bits at one shape: told from the text, and only where it is sure."""

from __future__ import annotations

import pytest

from worker.triton.reach import overflows
from worker.triton.wire import Launched

HEAD = (
    "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, y, n, s, alpha, BLOCK: tl.constexpr):\n"
)


def reached(body: str, *, n: int = 2**30, s: int = 8) -> list[tuple[int, int]]:
    """Lines of the body, the first being 1, with the farthest offset on each."""
    launch = Launched("k", (n // 1024, 4, 1), {"BLOCK": 1024}, {"n": n, "s": s}, ("alpha",))
    source = HEAD + "".join(f"    {line}\n" for line in body.strip().split("\n"))
    return [(one.line - HEAD.count("\n"), one.farthest) for one in overflows(source, [launch])]


FAR = {
    "a product": ("at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\ntl.load(x + at * s)", [(2, (2**30 - 1) * 8)]),
    "told where it grew too large, not where it is used": (
        "at = tl.program_id(0) * BLOCK * s\nfar = at + 1\ntl.load(x + far)",
        [(1, (2**30 - 1024) * 8)],
    ),
    "in a loop": ("for i in range(0, n, BLOCK):\n    tl.load(x + i * s)", [(2, (2**30 - 1) * 8)]),
    "added up": ("at = n\nat += n\ntl.load(x + at)", [(2, 2**31)]),
    "below zero": ("tl.load(x + (tl.program_id(0) - 1073741824) * s)", [(1, -(2**33))]),
    "widened too late": ("tl.load(x + (tl.program_id(0) * BLOCK * s).to(tl.int64))", [(1, (2**30 - 1024) * 8)]),
    "behind an unknown offset": ("tl.load(x + tl.load(y) + tl.program_id(0) * BLOCK * s)", [(1, (2**30 - 1024) * 8)]),
}
NEAR = {
    "widened in time": "tl.load(x + tl.program_id(0).to(tl.int64) * BLOCK * s)",
    "small enough": "tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))",
    "each offset alone fits": "tl.load(x + n + n + n)",
    "numbers of Python": "tl.load(x + BLOCK * BLOCK * BLOCK * BLOCK // (BLOCK * BLOCK * BLOCK))",
    "no offset": "tl.store(y, tl.program_id(0) * BLOCK * s)",
    "of what nobody knows": "tl.load(x + tl.load(y) * s)",
    "a number that is no whole one": "tl.load(x + alpha * s)",
    "a remainder": "tl.load(x + tl.program_id(0) % 2 * n)",
    "a loop that changes it": "at = n\nwhile at < s:\n    at = at * 2\n    tl.load(x + at)",
    "branches that differ": "if s > 3:\n    at = n\nelse:\n    at = 0\ntl.load(x + at * 2)",
    "the smaller of two": "tl.load(x + tl.minimum(tl.program_id(0), 1) * n)",
}


@pytest.mark.parametrize(("body", "expected"), FAR.values(), ids=FAR)
def test_an_offset_that_is_too_large_is_told_with_its_line(body: str, expected: list[tuple[int, int]]) -> None:
    assert reached(body) == expected


@pytest.mark.parametrize("body", NEAR.values(), ids=NEAR)
def test_nothing_is_said_of_what_fits_or_cannot_be_told(body: str) -> None:
    assert reached(body) == []


def test_a_size_that_needs_64_bits_has_them() -> None:
    assert reached("tl.load(x + n * s)", n=2**32) == []
