"""The measures of `warpmate eval` on outcomes made by hand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from knowledge.ask.answer import Answer, Citation, Excerpt, Status
from knowledge.ask.asker import Asker
from knowledge.ask.evaluate import Outcome, answers, by_cell, cells, outcome, per_question, relevant_pages
from knowledge.ask.labelled_questions import Gold, Label
from knowledge.search.searcher import Searcher
from knowledge.text.sentences import Span

GOLD = "A warp is a group of 32 threads that execute one instruction together."
CITED = Citation(1, "r", 7, "https://example.org", "Warps", "", "warps.md", "en", datetime(2026, 5, 1, tzinfo=UTC))


@dataclass
class Prepared:
    """Search that finds nothing and an answer that is known."""

    answer: Answer
    hits: tuple[Any, ...] = ()

    def understood(self, *_: Any) -> str:
        return ""

    def findings(self, *_: Any, **__: Any) -> Prepared:
        return self

    def extract(self, *_: Any, **__: Any) -> tuple[Answer, None]:
        return self.answer, None


def answer(*excerpts: Excerpt, status: Status = "answered") -> Answer:
    return Answer(status, "en", "", excerpts, (CITED,) if excerpts else (), timings_ms={"total": 5.0})


def excerpt(text: str, *marked: str) -> Excerpt:
    spans = tuple(Span(text.index(one), text.index(one) + len(one)) for one in marked)
    return Excerpt(text, 0, spans, 1)


def measured(given: Answer, *gold: Gold | str, mirror: Path | None = None) -> Outcome:
    prepared = Prepared(given)
    label = Label("q1", "en-en", "What is a warp?", "en", frozenset({"warps.md"}), gold)
    return outcome(label, cast(Asker, prepared), cast(Searcher, prepared), mirror)


def test_gold_as_text_counts_in_the_reply_and_in_the_marks() -> None:
    whole = measured(answer(excerpt(f"Before. {GOLD}", GOLD)), GOLD)
    assert (whole.in_reply, whole.marked) == (True, True)
    unmarked = measured(answer(excerpt(f"Before. {GOLD}", "Before.")), GOLD)
    assert (unmarked.in_reply, unmarked.marked) == (True, False)
    other = measured(answer(excerpt("Streams overlap.", "Streams overlap.")), GOLD)
    assert (other.in_reply, other.marked) == (False, False)


def test_one_of_several_golds_is_enough_and_markup_does_not_matter() -> None:
    found = measured(answer(excerpt(GOLD, GOLD)), "Something else entirely.", f"**{GOLD}**")
    assert (found.in_reply, found.marked) == (True, True)


def test_marks_and_excerpts_beside_the_labelled_answer_are_counted() -> None:
    beside = "Streams overlap with one another."
    found = measured(answer(excerpt(f"{GOLD} {beside}", GOLD, beside), excerpt(beside, beside)), GOLD)
    assert (found.marks, found.excerpts) == ((True, False, False), (True, False))
    refused = measured(answer(status="refused"), GOLD)
    numbers = answers([found, refused], 1.0)
    assert numbers["marks_beside_gold"] == pytest.approx(2 / 3, abs=1e-4)
    assert numbers["excerpts_beside_gold"] == 0.5


def test_gold_by_place_is_read_from_the_mirror(tmp_path: Path) -> None:
    (tmp_path / "warps.md").write_text(f"# Warps\n{GOLD}\n", encoding="utf-8")
    gold = Gold("warps.md", 8, 8 + len(GOLD), hashlib.sha256(GOLD.encode()).hexdigest())
    assert measured(answer(excerpt(GOLD, GOLD)), gold, mirror=tmp_path).in_reply is True


def test_only_what_is_shown_of_a_reply_counts() -> None:
    assert measured(answer(excerpt("x" * 1100 + ". "), excerpt(GOLD)), GOLD).in_reply is True
    assert measured(answer(excerpt("x" * 1190 + ". "), excerpt(GOLD)), GOLD).in_reply is False


def test_only_the_first_three_marks_count() -> None:
    text = f"One. Two. Three. {GOLD}"
    assert measured(answer(excerpt(text, "One.", "Two.", GOLD)), GOLD).marked is True
    assert measured(answer(excerpt(text, "One.", "Two.", "Three.", GOLD)), GOLD).marked is False


def test_a_refusal_holds_no_gold_and_no_gold_is_not_counted() -> None:
    refusal = measured(answer(status="refused"), GOLD)
    assert (refusal.in_reply, refusal.marked) == (False, False)
    assert measured(answer(excerpt(GOLD))).in_reply is None


def made(cell: str, status: Status, in_reply: bool | None = None, marked: bool | None = None) -> Outcome:
    label = Label(f"{cell}-{status}", cell, "q", "en", frozenset({"warps.md"}))
    given = answer(*([excerpt(GOLD)] if status != "refused" else []), status=status)
    return Outcome(label, (False, True), given, in_reply, marked)


OUTCOMES = [
    made("en-en", "answered", in_reply=True, marked=True),
    made("en-en", "perhaps", in_reply=True, marked=False),
    made("zh-en", "refused", in_reply=False, marked=False),
    made("zh-en", "answered"),
    made("none", "answered"),
    made("none", "perhaps"),
    made("none", "refused"),
    made("none", "refused"),
    made("followup", "refused", in_reply=False, marked=False),
]


def test_shares_are_those_of_the_agreement() -> None:
    found = answers(OUTCOMES, 1.0)
    assert found["gold_in_reply"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["gold_marked@3"] == found["gold_sentence@3"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["lost_answers"] == found["false_refusals"] == found["perhaps_answerable"] == 0.25
    assert (found["false_answers"], found["perhaps_unanswerable"], found["refused_unanswerable"]) == (0.25, 0.25, 0.5)
    assert found["citation_support"] == 1.0
    assert found["chars_p50"] == len(GOLD)


def test_each_cell_has_its_own_shares() -> None:
    found = by_cell(OUTCOMES)
    assert set(found) == {"en-en", "zh-en", "none", "followup"}
    assert (found["en-en"]["gold_in_reply"], found["zh-en"]["lost_answers"]) == (1.0, 0.5)
    assert found["none"]["false_answers"] == 0.25
    assert cells(OUTCOMES)["en-en"]["hit@1"] == 0.0
    assert cells(OUTCOMES)["en-en"]["hit@3"] == 1.0
    assert "none" not in cells(OUTCOMES)


def test_each_question_has_a_row() -> None:
    rows = per_question(OUTCOMES)
    assert len(rows) == len(OUTCOMES)
    assert rows[0] == {
        "id": "en-en-answered", "cell": "en-en", "status": "answered", "pages": ["warps.md"],
        "gold_in_reply": True, "gold_marked": True, "chars": len(GOLD), "ms": 5.0,
    }  # fmt: skip
    assert rows[2]["pages"] == []


def found_page(reading: str, lang: str) -> Any:
    path = f"notes/{lang}/{reading}.md"
    return SimpleNamespace(passage=SimpleNamespace(resource_id=f"note:{reading}", path=path, url="", lang=lang))


def test_a_page_and_its_translation_take_one_place() -> None:
    label = Label("q1", "en-zh", "What is a warp?", "en", frozenset({"notes/zh/warps.md"}), ())
    hits = [
        found_page("grids", "en"),
        found_page("warps", "en"),
        found_page("grids", "zh"),
        found_page("warps", "zh"),
    ]
    assert relevant_pages(hits, label) == (False, True)
    assert relevant_pages(hits[:3], label) == (False, False), "only the page in the wanted language counts"
