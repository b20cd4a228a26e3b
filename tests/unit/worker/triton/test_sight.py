"""What the sizes of right and wrong cases say, and what of the emulator's word is the compiler's own code."""

from __future__ import annotations

import pytest

from worker.emulator.request import Observation
from worker.protocol import CaseResult
from worker.triton.sight import Sight

LOOP = Observation("infinite-loop", 5, (0, 0, 0), (0, 0, 0))


def case(cols: int, *, ok: bool, mismatches: int = 1) -> CaseResult:
    return CaseResult({"rows": 3, "cols": cols}, "uniform", ok, 0 if ok else mismatches)


RIGHT = (case(1, ok=True), case(2, ok=True), case(32, ok=True))


def padding_is_blamed(*cases: CaseResult, reduces: bool = True) -> bool:
    advice = Sight(reduces=reduces).advice(cases, right=False)
    return ("triton-padding-counts", None, {"size": "cols"}) in advice


def test_padding_is_blamed_where_powers_of_two_alone_are_right() -> None:
    assert padding_is_blamed(*RIGHT, case(33, ok=False))


@pytest.mark.parametrize(
    "other",
    [(case(33, ok=True), case(70, ok=False)), (case(33, ok=False), case(64, ok=False)), (case(33, ok=True),)],
    ids=["another size is right", "a power of two is wrong", "nothing is wrong"],
)
def test_padding_is_not_blamed_otherwise(other: tuple[CaseResult, ...]) -> None:
    assert not padding_is_blamed(*RIGHT, *other)


def test_padding_is_not_blamed_where_nothing_is_reduced() -> None:
    assert not padding_is_blamed(*RIGHT, case(33, ok=False), reduces=False)


def test_no_loop_is_blamed_where_there_is_none() -> None:
    assert Sight(loops=True).believed(LOOP)
    assert not Sight(loops=False).believed(LOOP)
