"""A question does not give its answer away, and its answer says all that there is to say."""

from __future__ import annotations

import re
from datetime import date

import pytest

from knowledge.plans.questions import BLANK, mistake_question, term_question, without_names
from tests.shipped_content import shipped_content
from worker.protocol import Finding

DAY = date(2026, 11, 23)
DEFINITIONS = shipped_content().definitions
SOURCE = "one\ntwo\nthree\nfour\nfive\nsix"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_definition_names_its_own_term(lang: str) -> None:
    told = []
    for definition in DEFINITIONS:
        words = set(re.findall(r"[a-z0-9+#]+", without_names(definition, lang).lower()))
        told += [
            (definition.slug, name)
            for name in definition.names("en")
            if " " not in name and "-" not in name and name.lower() in words
        ]
        told += [
            (definition.slug, name) for name in definition.names("zh") if name in without_names(definition, lang)
        ]
    assert told == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_definition_still_says_something_without_its_term(lang: str) -> None:
    bare = [d.slug for d in DEFINITIONS if len(without_names(d, lang).replace(BLANK, "").strip()) < 12]
    assert bare == []
    shown = [d.slug for d in DEFINITIONS if BLANK not in without_names(d, lang)]
    assert len(shown) < len(DEFINITIONS) / 20, shown


def test_term_and_meaning_are_asked_in_turns() -> None:
    warp = DEFINITIONS.by_slug["warp"]
    first, second = term_question(warp, DAY, 0, "zh"), term_question(warp, DAY, 1, "zh")
    assert (first.ask.text("zh"), first.answer) == ("这是哪个术语？", "线程束")
    assert first.text.startswith(BLANK)
    assert "线程束" in second.ask.text("zh")
    assert second.answer == warp.text.zh


def test_a_mistake_is_asked_at_its_line() -> None:
    finding = Finding("race-shared", "error", {"en": "Two threads …", "zh": "两个线程……"}, 2)
    asked = mistake_question(finding, "Sum", SOURCE, DAY, 0, "en", ({"resource_id": "note:data-races"},))
    assert "line 2" in asked.ask.text("en")
    assert asked.code == ((1, "one"), (2, "two"), (3, "three"), (4, "four"))
    assert (asked.answer, asked.readings) == ("Two threads …", ({"resource_id": "note:data-races"},))


@pytest.mark.parametrize("line", [None, 0, 99])
def test_a_mistake_without_a_line_of_the_source_is_asked_about_all_of_it(line: int | None) -> None:
    finding = Finding("nan-produced", "error", {"en": "NaN."}, line)
    asked = mistake_question(finding, "Sum", SOURCE, DAY, 0, "zh", ())
    assert asked.code == ()
    assert asked.answer == "NaN."
    assert "“Sum”" in asked.ask.text("zh")
