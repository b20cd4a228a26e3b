"""The classifier against pages labelled by hand: a floor under what `bench/classify.py` prints."""

from __future__ import annotations

import pytest

from bench.classify import ROOT, Judged, figures, judge, weighted_kappa
from knowledge.content import load_topics
from tests.folders import CONTENT
from tests.needs import corpus


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    mirror = corpus()
    assert mirror
    return judge(mirror, ROOT / "tests" / "eval" / "levels.yaml", load_topics(CONTENT))


@pytest.mark.slow
@pytest.mark.needs("corpus")
def test_topics_reach_their_floor_also_on_pages_held_out(judged: list[Judged]) -> None:
    assert figures(judged)["topic_f1"] >= 0.85
    assert figures([page for page in judged if page.held_out])["topic_f1"] >= 0.85


@pytest.mark.slow
@pytest.mark.needs("corpus")
def test_levels_reach_their_floor(judged: list[Judged]) -> None:
    assert figures(judged)["kappa"] >= 0.75
    assert figures([page for page in judged if page.held_out])["kappa"] >= 0.75


@pytest.mark.slow
@pytest.mark.needs("corpus")
def test_every_label_says_why_in_both_languages(judged: list[Judged]) -> None:
    for page in judged:
        for label in (page.found.level, *page.found.topics):
            assert label.reasons, page.path
            assert all(reason.text(lang).strip() for reason in label.reasons for lang in ("en", "zh")), page.path


def test_kappa_is_one_for_full_agreement_and_none_for_a_constant() -> None:
    assert weighted_kappa([0, 1, 2, 1], [0, 1, 2, 1]) == 1.0
    assert weighted_kappa([0, 1, 2, 1], [1, 1, 1, 1]) == 0.0
    # Worked out by hand: observed 1/4, by chance (0+1+4+0 + 1+0+1+1 + 4+1+0+4 + 1+0+1+1) / 16 = 20/16.
    assert weighted_kappa([0, 1, 2, 1], [0, 1, 2, 0]) == pytest.approx(1 - (1 / 4) / (20 / 16))
