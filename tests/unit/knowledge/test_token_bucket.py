"""The one rate limiter: so many at once, then one after every pause."""

from __future__ import annotations

import pytest

from knowledge.token_bucket import TokenBucket


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def passes(bucket: TokenBucket) -> bool:
    if bucket.wait_s():
        return False
    bucket.take()
    return True


def test_so_many_pass_at_once_and_then_one_after_every_pause() -> None:
    clock = Clock()
    bucket = TokenBucket(3, 0.5, clock)
    assert [passes(bucket) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait_s() == pytest.approx(0.5)
    clock.now_s += 0.5
    assert [passes(bucket) for _ in range(2)] == [True, False]
    clock.now_s += 60
    assert [passes(bucket) for _ in range(4)] == [True, True, True, False]


def test_what_is_given_back_may_be_taken_again_and_nothing_beyond_it() -> None:
    bucket = TokenBucket(2, 60, Clock())
    bucket.take()
    bucket.take()
    bucket.give_back()
    assert [passes(bucket) for _ in range(2)] == [True, False]


def test_a_bucket_that_is_given_back_long_after_holds_no_more_than_before() -> None:
    clock = Clock()
    bucket = TokenBucket(2, 1, clock)
    bucket.take()
    clock.now_s += 100
    bucket.give_back()
    assert [passes(bucket) for _ in range(3)] == [True, True, False]


def test_a_closed_bucket_lets_nobody_through_until_the_time_is_over() -> None:
    clock = Clock()
    bucket = TokenBucket(2, 0, clock)
    bucket.close_for(30)
    assert bucket.wait_s() == pytest.approx(30)
    bucket.close_for(10)
    assert bucket.wait_s() == pytest.approx(30), "the longer time wins"
    clock.now_s += 30
    assert passes(bucket)


def test_without_a_pause_everybody_passes() -> None:
    bucket = TokenBucket(1, 0, Clock())
    assert all(passes(bucket) for _ in range(100))


def test_a_bucket_is_full_when_nothing_of_it_is_used() -> None:
    clock = Clock()
    bucket = TokenBucket(2, 5, clock)
    assert bucket.is_full()
    bucket.take()
    assert not bucket.is_full()
    clock.now_s += 5
    assert bucket.is_full()
