"""What an answer says of itself: its parts, its sources, and rows that were stored before there were excerpts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from knowledge.ask.answer import Answer, Citation, Composed, Excerpt, Part, stored_shape
from knowledge.text.sentences import Span


def citation(title: str, section: str) -> Citation:
    return Citation(1, "r", 7, "https://example.org", title, section, "p.md", "en", datetime(2026, 5, 1, tzinfo=UTC))


def test_an_excerpt_is_shown_in_parts_without_the_marks_of_sources() -> None:
    text = "First[^a]. The answer[^b-1] is here. Last."
    excerpt = Excerpt(text, 0, (Span(11, 36),), 1)
    assert excerpt.parts == (
        Part("First. ", marked=False),
        Part("The answer is here.", marked=True),
        Part(" Last.", marked=False),
    )
    assert excerpt.shown == "First. The answer is here. Last."


@pytest.mark.parametrize(
    ("title", "section", "place"),
    [
        ("Warps", "Warps", "Warps"),
        ("Warps", "Warps > Votes", "Warps > Votes"),
        ("Warps", "Votes > Votes > Ballot", "Warps > Votes > Ballot"),
        ("Warps", "Votes > Warps", "Warps > Votes"),
        ("Warps", "", "Warps"),
    ],
)
def test_a_source_says_each_heading_once(title: str, section: str, place: str) -> None:
    assert citation(title, section).place == place


def test_a_terminal_shows_what_was_composed_then_the_excerpts_then_the_sources() -> None:
    excerpt = Excerpt("A warp has 32 threads.", 0, (), 1)
    answer = Answer(
        "answered", "en", "", (excerpt,), (citation("Warps", "Warps"),), composed=(Composed("It has 32.", 1),)
    )
    composed, shown, source = answer.as_text().split("\n\n")
    assert (composed, shown) == ("It has 32. [1]", "A warp has 32 threads. [1]")
    assert source == "[1] Warps (en, 2026-05-01) https://example.org"


def test_an_answer_that_was_stored_as_quotes_is_still_shown() -> None:
    row = {
        "status": "answered",
        "lang": "zh",
        "asked": "understood",
        "answer": [
            {"text": "reworded", "quote": "as it stands", "start": 12, "citation": 1},
            {"text": "x", "quote": "int x;", "start": 40, "citation": 1, "kind": "code", "code_language": "cuda"},
        ],
        "citations": [],
        "readings": [],
        "mode": "quotes",
        "log_odds": 1.5,
        "generation": "g-1",
        "timings_ms": {"search": 1.0},
    }
    answer = TypeAdapter(Answer).validate_python(stored_shape(row))
    assert answer.excerpts == (
        Excerpt("as it stands", 12, (Span(0, 12),), 1),
        Excerpt("int x;", 40, (Span(0, 6),), 1, "code", "cuda"),
    )
    assert (answer.status, answer.asked, answer.generation) == ("answered", "understood", "g-1")


def test_a_refusal_that_was_stored_before_is_still_one() -> None:
    row = {"status": "refused", "lang": "en", "asked": "q", "answer": [], "mode": "quotes", "log_odds": -3.0}
    assert TypeAdapter(Answer).validate_python(stored_shape(row)) == Answer("refused", "en", "q")


def test_the_shape_of_today_is_read_as_it_was_written() -> None:
    answer = Answer("perhaps", "en", "q", (Excerpt("text", 3, (Span(0, 4),), 1),), certainty=0.5)
    row = TypeAdapter(Answer).dump_python(answer, mode="json")
    assert TypeAdapter(Answer).validate_python(stored_shape(row)) == answer
