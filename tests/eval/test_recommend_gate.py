"""Recommendations on the labelled requests stay above their floors, and the hard promises hold without exception."""

from __future__ import annotations

import pytest

from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import Shelf, shelf_of
from tests.eval.recommendation import Case, Score, baseline, cases, score
from tests.eval.requests import REQUESTS, WISHES, graded, requests
from tests.shipped_content import shipped_content

PRECISION_FLOOR = 0.9
FITTING_FLOOR = 0.85
"""The share of requests in members' own words whose list has grade 2."""


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return shelf_of(shipped_content())


@pytest.fixture(scope="module")
def labelled(shelf: Shelf) -> list[Case]:
    return cases(shelf)


@pytest.fixture(scope="module")
def found(shelf: Shelf, labelled: list[Case]) -> Score:
    return score(shelf, [(case, recommendation(shelf, case.request, case.history)) for case in labelled])


def test_the_labels_cover_levels_languages_topics_and_histories(labelled: list[Case]) -> None:
    assert len(labelled) >= 60
    assert {case.level for case in labelled} == {"beginner", "intermediate", "advanced"}
    assert {case.request.lang for case in labelled} == {"en", "zh"}
    assert len({case.request.topic for case in labelled}) >= 15
    assert sum(bool(case.history.hidden) for case in labelled) >= 8


def test_precision_stays_above_its_floor_and_above_the_baseline(
    shelf: Shelf, labelled: list[Case], found: Score
) -> None:
    plain = score(shelf, [(case, listed) for case in labelled if (listed := baseline(shelf, case)).items])
    assert found.precision >= PRECISION_FLOOR
    assert found.precision > plain.precision


def test_nothing_comes_before_what_it_rests_on(found: Score) -> None:
    assert found.inversions == 0


def test_nothing_dead_or_already_dealt_with_is_recommended(found: Score) -> None:
    assert found.hidden == 0


def test_levels_are_as_asked_or_differ_with_the_reason(found: Score) -> None:
    assert found.off_level == 0


def test_whoever_could_have_something_in_their_language_has_it(found: Score) -> None:
    assert found.without_own_language == 0


@pytest.mark.parametrize("part", REQUESTS)
def test_requests_in_members_own_words_get_a_fitting_list_and_never_a_useless_one(part: str) -> None:
    found = graded(requests(part))
    assert [one.asked for one in found if one.grade == 0] == []
    assert sum(one.grade == 2 for one in found) / len(found) >= FITTING_FLOOR


def test_missing_subjects_backgrounds_short_names_and_limits_are_heard() -> None:
    found = graded(one for part in WISHES for one in requests(part))
    assert len(found) >= 40
    assert [one.asked for one in found if one.grade == 0] == []
    assert sum(one.grade == 2 for one in found) / len(found) >= FITTING_FLOOR
