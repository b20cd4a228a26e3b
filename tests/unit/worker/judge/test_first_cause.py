"""Of several things that are wrong, the first cause is the verdict."""

from __future__ import annotations

import pytest

from worker.judge.emulator_backend import first_cause
from worker.protocol import Kind


@pytest.mark.parametrize(
    ("kinds", "verdict"),
    [
        (set(), Kind.ACCEPTED),
        ({Kind.WRONG_ANSWER}, Kind.WRONG_ANSWER),
        ({Kind.WRONG_ANSWER, Kind.RACE}, Kind.RACE),
        ({Kind.RACE, Kind.BARRIER}, Kind.BARRIER),
        ({Kind.UNINITIALIZED, Kind.MEMORY_ERROR, Kind.WRONG_ANSWER}, Kind.MEMORY_ERROR),
        ({Kind.TIMEOUT, Kind.RUNTIME_ERROR}, Kind.RUNTIME_ERROR),
        ({Kind.UNSUPPORTED}, Kind.UNSUPPORTED),
        ({Kind.UNSUPPORTED, Kind.RACE}, Kind.RACE),
        ({Kind.OUT_OF_MEMORY}, Kind.OUT_OF_MEMORY),
    ],
)
def test_the_first_cause_wins(kinds: set[Kind], verdict: Kind) -> None:
    assert first_cause(kinds) is verdict
