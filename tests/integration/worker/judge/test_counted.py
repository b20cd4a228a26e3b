"""What an accepted kernel does at the sizes that are timed, counted without a card, and who gains nothing by it."""

from __future__ import annotations

from knowledge.prediction.predict import Predicted, predict_all
from tests.integration.worker.conftest import Judging
from tests.integration.worker.judge.test_judge import ADD
from worker.hardware.cards import find_card
from worker.protocol import Kind, Verdict

LARGE = 1_000_000
"""More than any case that is checked has."""

IDLE = ADD.replace("if (i < n)", f"if (i < n && n < {LARGE})")
SLOW = ADD.replace("if (i < n)", f"for (int k = 0; n > {LARGE} && k < n; k++) __nanosleep(1);\n    if (i < n)")


def predicted(verdict: Verdict) -> Predicted:
    card = find_card("h200")
    assert card is not None
    (made,) = predict_all(verdict.counted, card)
    return made


def test_an_accepted_kernel_comes_with_its_work_at_the_timed_size(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD, "vector_add")
    assert verdict.counted is not None
    (shape,) = verdict.counted
    (run,) = shape.runs
    assert run.sizes == shape.sizes
    (launch,) = run.launches
    assert (launch.blocks, launch.sampled) == (shape.launches[0].blocks, 1)
    assert (launch.read, launch.written) == ({"a": 32, "b": 32}, {"c": 32})
    assert predicted(verdict).ranked
    assert verdict_on(ADD, "vector_add").counted == verdict.counted


def test_a_kernel_that_is_wrong_is_not_counted(verdict_on: Judging) -> None:
    assert verdict_on(ADD.replace("a[i] + b[i]", "a[i]"), "vector_add").counted is None


def test_who_leaves_large_sizes_alone_is_not_ranked(verdict_on: Judging) -> None:
    verdict = verdict_on(IDLE, "vector_add")
    assert (verdict.verdict, predicted(verdict).ranked) == (Kind.ACCEPTED, False)


def test_who_is_slow_at_large_sizes_alone_is_not_ranked(verdict_on: Judging) -> None:
    """Its counts do not grow as far as it can be counted, and yet it does not end at the timed size."""
    verdict = verdict_on(SLOW, "vector_add")
    assert (verdict.verdict, predicted(verdict).ranked) == (Kind.ACCEPTED, False)
