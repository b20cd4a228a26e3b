"""Predicted times: what is exact, what was carried on from smaller sizes, and what is not to be believed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from knowledge.prediction.growth import grown
from knowledge.prediction.predict import Predicted, mean_us, predict, predict_all, predictable_cards
from worker.hardware.cards import CardFacts, find_card
from worker.protocol import Counted, CountedLaunch, CountedRun, Geometry

TIMED = 1 << 28
BYTES = 8.0 * TIMED


def card(name: str) -> CardFacts:
    found = find_card(name)
    assert found is not None
    return found


H200 = card("h200")


def launch(blocks: int, of_a_block: float, touched: int, sampled: int = 2) -> CountedLaunch:
    """Two blocks that were run, each with so many instructions, reading and storing so many sectors."""
    figures = {"issue": round(of_a_block * sampled), "global_sectors": 2 * touched * sampled,
               "stored_sectors": touched * sampled, "block_read_sectors": touched * sampled,
               "global_lines": touched // 2 * sampled, "global_waits": 8 * sampled}  # fmt: skip
    return CountedLaunch(blocks, sampled, figures, {"x": touched * sampled}, {"y": touched * sampled})


def counted(*runs: CountedRun, blocks: int = TIMED // 256) -> Counted:
    buffers = {"x": 4 * TIMED, "y": 4 * TIMED}
    return Counted({"n": TIMED}, BYTES, TIMED, (Geometry("k", blocks, 256, 32, 0),), buffers, runs)


WHOLE = counted(CountedRun({"n": TIMED}, (launch(TIMED // 256, 100, 32),)))
"""One element a thread, counted at the timed size."""


def looping(*instructions: float) -> Counted:
    """A fixed grid of 1056 blocks, counted at three sizes with so many instructions in a block."""
    runs = (
        CountedRun({"n": TIMED >> shift}, (launch(1056, each, (TIMED >> shift) // 1056 // 8),))
        for shift, each in zip((6, 5, 4), instructions, strict=True)
    )
    return counted(*runs, blocks=1056)


def predicted(of: Counted, on: CardFacts = H200) -> Predicted:
    made = predict(of, on)
    assert made is not None
    return made


def test_a_simple_copy_is_within_a_half_of_what_memory_needs() -> None:
    least_us = BYTES / 4800e3
    made = predicted(WHOLE)
    assert (made.extrapolated, made.ranked) == (False, True)
    assert least_us < made.us < 2 * least_us
    assert set(list(made.shares)[:2]) == {"dram", "latency"}
    assert predicted(WHOLE) == made


def test_what_limits_a_kernel_is_named_where_nothing_takes_a_tenth_of_its_time() -> None:
    """One block that does hardly anything of what any solution has to: its time is that of the bytes."""
    run = CountedRun({"n": 32}, (launch(1, 10, 4, sampled=1),))
    small = Counted({"n": 32}, BYTES, 32, (Geometry("k", 1, 32, 32, 0),), {"x": 128, "y": 128}, (run,))
    assert len(predicted(small).shares) == 1


def test_a_chosen_card_changes_only_the_row_of_the_table() -> None:
    """A card with less bandwidth and as much of everything else takes longer."""
    assert predicted(WHOLE, card("h100 sxm")).us > predicted(WHOLE).us
    assert len(predictable_cards()) > 20
    assert predict(WHOLE, card("mi300x")) is None


@pytest.mark.parametrize("power", [1, 2])
def test_counts_that_grow_as_loops_do_are_carried_on_exactly(power: int) -> None:
    found = grown(looping(*(1000 + 5000 * (2**step) ** power for step in range(3))))
    assert (found.extrapolated, found.regular) == (True, True)
    at_the_timed_size = 1000 + 5000 * (2**6) ** power
    assert found.launches[0].figures["issue"] / 1056 == pytest.approx(at_the_timed_size)
    assert found.launches[0].read_bytes == pytest.approx(4 * TIMED, rel=0.01)


@pytest.mark.parametrize("instructions", [(1000, 2000, 2100), (1000, 1100, 9000), (3000, 2000, 4000), (90, 90, 90)])
def test_counts_that_grow_as_no_loop_does_are_not_ranked(instructions: tuple[float, float, float]) -> None:
    made = predicted(looping(*instructions))
    assert (made.extrapolated, made.regular, made.ranked) == (True, False, False)


def test_who_does_less_than_has_to_be_done_is_neither_ranked_nor_faster_than_memory() -> None:
    idle = counted(CountedRun({"n": TIMED}, (launch(TIMED // 256, 4, 0),)))
    made = predicted(idle)
    assert (made.whole, made.ranked) == (False, False)
    assert made.us >= BYTES / 4800e3


def test_a_block_that_a_card_cannot_hold_is_not_predicted() -> None:
    huge = replace(WHOLE, launches=(Geometry("k", 8, 256, 32, 200 << 10),))
    assert predict(huge, card("rtx 4090")) is None
    assert predict_all((WHOLE, huge), card("rtx 4090")) == ()


def test_shapes_are_ranked_by_their_geometric_mean() -> None:
    made = predict_all((WHOLE, WHOLE), H200)
    assert mean_us(made) == pytest.approx(made[0].us)


def test_counts_in_which_a_launch_is_missing_say_nothing() -> None:
    assert predict(replace(WHOLE, launches=WHOLE.launches * 2), H200) is None
    assert predict_all((WHOLE, replace(WHOLE, launches=WHOLE.launches * 2)), H200) == ()
