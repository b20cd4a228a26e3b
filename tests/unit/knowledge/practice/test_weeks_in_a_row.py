"""Weeks in a row, counted against a plain walk over every day."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from knowledge.practice.streaks import WEEK, monday, weeks_in_a_row

TODAY = date(2026, 11, 22)
"""A Sunday: its week is over tonight."""
DAYS = st.sets(st.integers(min_value=0, max_value=80).map(lambda back: TODAY - timedelta(days=back)), max_size=40)


def walked(days: set[date]) -> int:
    """Day by day back from today: a Monday ends a week; one with nothing ends the streak, unless it is this one."""
    count, day, found = 0, TODAY, False
    while True:
        found = found or day in days
        if day.weekday() == 0:
            if not found and monday(TODAY) != day:
                return count
            count, found = count + found, False
        day -= timedelta(days=1)


@given(DAYS)
def test_weeks_in_a_row_are_those_that_a_walk_over_the_days_finds(days: set[date]) -> None:
    assert weeks_in_a_row({monday(day) for day in days}, monday(TODAY)) == walked(days)


def test_a_week_that_is_not_over_breaks_no_streak_and_a_missed_one_does() -> None:
    this_week = monday(TODAY)
    assert weeks_in_a_row({this_week - WEEK, this_week - 2 * WEEK}, this_week) == 2
    assert weeks_in_a_row({this_week - 2 * WEEK}, this_week) == 0
    assert weeks_in_a_row({this_week, this_week - 2 * WEEK}, this_week) == 1
