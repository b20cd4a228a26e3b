"""How cases are dealt out to children: the outcome must not depend on which of them was faster."""

from __future__ import annotations

from itertools import permutations

import pytest

from worker.emulator.request import Emulation, Observation
from worker.judge.emulator_children import LANES, Deal
from worker.protocol import Kind

FATAL = frozenset({"out-of-bounds"})
COUNTED = 3


def emulation(ending: Kind, *seen: str) -> Emulation:
    observations = tuple(Observation(name, None, (0, 0, 0), (0, 0, 0)) for name in seen)
    return Emulation(ending, "", {}, observations, (), "")


GOOD, BAD, HINT = (emulation(Kind.RAN, *seen) for seen in ((), ("out-of-bounds",), ("bank-conflict",)))
STOPPED = emulation(Kind.TIMEOUT)


def dealt(deal: Deal) -> list[int]:
    cases = []
    while (at := deal.next()) is not None:
        cases.append(at)
    return cases


def test_every_case_is_dealt_once_and_the_counted_one_as_soon_as_every_child_has_a_small_one() -> None:
    order = dealt(Deal(6, COUNTED, FATAL))

    assert sorted(order) == list(range(6))
    assert order.index(COUNTED) == LANES


def test_a_submission_with_one_case_has_it_dealt_and_counted() -> None:
    deal = Deal(1, 0, FATAL)
    assert dealt(deal) == [0]
    deal.done(0, GOOD)
    assert deal.over.is_set()
    assert deal.results() == [GOOD]


def test_advice_ends_nothing() -> None:
    deal = Deal(6, COUNTED, FATAL)
    for at in dealt(deal):
        deal.done(at, HINT)
    assert deal.results() == [HINT] * 6


@pytest.mark.parametrize("failure", [BAD, STOPPED])
def test_after_a_failure_nothing_more_is_dealt(failure: Emulation) -> None:
    deal = Deal(6, COUNTED, FATAL)
    first = deal.next()
    assert first is not None
    deal.done(first, failure)

    assert deal.next() is None
    assert deal.over.is_set()
    assert deal.results() == [failure, None, None, None, None, None]


def test_a_failure_of_the_counted_case_ends_nothing_for_its_lines_are_the_optimisers() -> None:
    deal = Deal(6, COUNTED, FATAL)
    for at in dealt(deal):
        deal.done(at, BAD if at == COUNTED else GOOD)
    assert deal.results() == [GOOD, GOOD, GOOD, BAD, GOOD, GOOD]


def test_until_all_that_was_dealt_before_a_failure_is_back_the_outcome_is_open() -> None:
    deal = Deal(6, COUNTED, FATAL)
    first, second = deal.next(), deal.next()
    assert (first, second) == (0, 1)
    deal.done(1, BAD)
    assert not deal.over.is_set()
    deal.done(0, GOOD)
    assert deal.over.is_set()


def test_whoever_is_faster_the_results_are_the_same() -> None:
    """Two of the cases fail; every order in which six cases under way can come back tells of the same ones."""
    outcomes = set()
    for order in permutations(range(6)):
        deal = Deal(6, COUNTED, FATAL)
        dealt(deal)
        for at in order:
            deal.done(at, {2: BAD, 4: STOPPED}.get(at, GOOD))
        outcomes.add(tuple(result is not None for result in deal.results()))
    assert outcomes == {(True, True, True, True, False, False)}
