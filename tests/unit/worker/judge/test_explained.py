"""One mistake is told once: what a missing barrier explains is no finding of its own."""

from __future__ import annotations

from worker.emulator.request import Observation
from worker.judge.emulator_backend import explained


def seen(name: str, line: int, other_line: int, hazard: str = "read-after-write") -> Observation:
    return Observation(name, line, (0, 0, 0), (0, 0, 0), {"hazard": hazard, "other_line": other_line})


BARRIER = seen("missing-barrier", 14, 17)


def test_a_race_inside_a_warp_that_the_missing_barrier_would_end_is_left_out() -> None:
    assert explained([seen("race-shared", 13, 17), BARRIER]) == (BARRIER,)


def test_a_race_with_another_line_stays() -> None:
    other = seen("race-shared", 13, 20)
    assert explained([other, BARRIER]) == (other, BARRIER)


def test_two_threads_that_write_the_same_word_need_more_than_a_barrier() -> None:
    collision = seen("race-shared", 14, 17, "write-with-write")
    assert explained([collision, BARRIER]) == (collision, BARRIER)


def test_where_no_barrier_is_missing_a_race_inside_a_warp_is_the_finding() -> None:
    race = seen("race-shared", 13, 17)
    assert explained([race]) == (race,)
