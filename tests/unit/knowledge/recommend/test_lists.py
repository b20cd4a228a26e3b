"""What every list of the real library keeps to, whatever is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from knowledge.content import LEVELS, Level
from knowledge.recommend import History, Recommendation, Request
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import shelf_of
from tests.shipped_content import shipped_content

LIBRARY = shipped_content()
SHELF = shelf_of(LIBRARY)
AT_MOST_SHORT = 6


def lists(lang: str, level: Level, **more: str) -> Iterator[tuple[str, Recommendation]]:
    for topic in SHELF.topics:
        request = Request(level, topic.id, lang, **more)  # type: ignore[arg-type]
        yield topic.id, recommendation(SHELF, request, History())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_beginners_list_is_empty_and_hardly_one_is_short(lang: str) -> None:
    found = dict(lists(lang, "beginner"))
    assert [topic for topic, listed in found.items() if not listed.items] == []
    assert len([topic for topic, listed in found.items() if len(listed.items) < 3]) <= AT_MOST_SHORT


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("level", LEVELS)
def test_no_reason_stands_twice_in_a_list_and_nothing_harder_before_something_easier(lang: str, level: Level) -> None:
    for topic, found in lists(lang, level):
        reasons = [item.why for item in found.items]
        assert len(set(reasons)) == len(reasons), (topic, reasons)
        heights = [LEVELS.index(item.level) for item in found.items]  # type: ignore[arg-type]
        assert heights == sorted(heights), topic


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("level", LEVELS)
def test_another_level_than_asked_for_is_said_with_the_reading(lang: str, level: Level) -> None:
    said = {
        "en": {-2: "two levels below", -1: "one level below", 1: "one level above", 2: "two levels above"},
        "zh": {-2: "低两级", -1: "低一级", 1: "高一级", 2: "高两级"},
    }
    for topic, found in lists(lang, level):
        for item in found.items:
            away = LEVELS.index(item.level) - LEVELS.index(level)  # type: ignore[arg-type]
            assert [words in item.why for words in said[lang].values()].count(True) == (away != 0), topic
            assert away == 0 or said[lang][away] in item.why


@pytest.mark.parametrize("only", ["en", "zh"])
def test_readings_in_one_language_alone_are_all_in_it(only: str) -> None:
    for topic, found in lists("en", "beginner", only_lang=only):
        assert {item.lang for item in found.items} <= {only}, topic


def test_a_problem_names_nothing_harder_to_be_read_before_it() -> None:
    for card in LIBRARY.problems:
        before = [SHELF.by_id[reading] for reading in LIBRARY.read_before(card)]
        assert before, card.slug
        assert all(LEVELS.index(item.level) <= LEVELS.index(card.level) for item in before), card.slug


def test_pages_of_questions_are_looked_up_in_and_never_given_to_read() -> None:
    of_questions = {note.id for note in LIBRARY.notes if note.of_questions}
    assert len(of_questions) > 10
    given = {
        item.resource_id
        for lang in ("en", "zh")
        for level in LEVELS
        for _, found in lists(lang, level)
        for item in found.items
    }
    assert not of_questions & given
    assert not of_questions & {item.id for item in SHELF.items}
    assert of_questions <= SHELF.by_id.keys()
