"""The simulation of growth: it tells what was measured, and what can be worked out by hand."""

from __future__ import annotations

import pytest

from bench.simulate_growth import Costs, Rates, backlog, compared, hour, line, measured


def test_what_one_two_and_four_workers_were_measured_to_do_is_simulated_within_15_percent() -> None:
    cases = compared(measured())
    assert set(cases) == {1, 2, 4}
    for simulated, seen in cases.values():
        assert simulated == pytest.approx(seen, rel=0.15)


def test_a_line_before_one_server_is_what_one_works_out_by_hand() -> None:
    told = line([0.0, 1.0, 2.0], [2.0, 2.0, 2.0], 1)
    assert (told.served, told.busy, told.p50_s) == (3, 1.0, 3.0)


def test_twice_the_workers_end_a_backlog_in_half_the_time() -> None:
    assert backlog(100, 2, 0.1).per_s == pytest.approx(2 * backlog(100, 1, 0.1).per_s)


def test_faces_saturate_before_workers_as_the_document_says() -> None:
    found = hour(2000, 1, 1, Costs(), Rates())
    assert found["faces"].busy > found["workers"].busy > 0.3
