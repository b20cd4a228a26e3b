"""Label files: what they may hold and how gold sentences are compared."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from knowledge.ask.labelled_questions import Gold, plain, read_labels, share_inside
from knowledge.errors import BadInput

EVAL = Path(__file__).parents[3] / "eval"


def write(folder: Path, *rows: object) -> Path:
    file = folder / "labels.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return file


def test_a_pair_is_a_follow_up(tmp_path: Path) -> None:
    (label,) = read_labels(
        write(tmp_path, {"first": "What is a warp?", "second": "How wide is it?", "relevant": ["a"]})
    )
    assert (label.cell, label.question, label.follow_up_of) == ("followup", "How wide is it?", "What is a warp?")


@pytest.mark.parametrize("row", ["{not json", {"cell": "en-en"}, "[1]"])
def test_a_bad_line_is_named(tmp_path: Path, row: object) -> None:
    with pytest.raises(BadInput, match=r"labels\.jsonl:1"):
        read_labels(write(tmp_path, row))


def test_markup_and_white_space_do_not_matter_for_gold(tmp_path: Path) -> None:
    page = "Intro. A <b>warp</b> has&nbsp;32\n threads. End."
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    span = page[7:42]
    gold = {"path": "page.html", "start": 7, "end": 42, "sha256": hashlib.sha256(span.encode()).hexdigest()}
    row = {"id": "x", "cell": "en-en", "question": "?", "lang": "en", "relevant": ["page.html"], "gold": gold}
    (label,) = read_labels(write(tmp_path, row))
    (text,) = label.gold_texts(tmp_path)
    assert share_inside(text, ["A warp has 32 threads."]) > 0.95


def test_a_page_that_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text("new text", encoding="utf-8")
    row = {"question": "q", "gold": {"path": "p.md", "start": 0, "end": 3, "sha256": "0" * 64}, "cell": "en-en"}
    (label,) = read_labels(write(tmp_path, row))
    with pytest.raises(BadInput, match=r"p\.md has changed"):
        label.gold_texts(tmp_path)


def test_gold_may_be_text_and_several_sentences_may_answer(tmp_path: Path) -> None:
    row = {"question": "q", "gold": "A `warp` has 32.", "gold_also": ["It has **32**."], "cell": "en-en"}
    (label,) = read_labels(write(tmp_path, row))
    assert label.gold_texts(None) == ("awarphas32.", "ithas32.")


def test_gold_of_a_note_counts_from_below_its_front_matter(tmp_path: Path) -> None:
    (tmp_path / "n.md").write_text("---\ntopics: [a]\n---\n\nA warp has 32.", encoding="utf-8")
    digest = hashlib.sha256(b"A warp has 32.").hexdigest()
    row = {"question": "q", "gold": {"path": "n.md", "start": 0, "end": 14, "sha256": digest}, "cell": "en-en"}
    (label,) = read_labels(write(tmp_path, row))
    assert label.gold_texts(tmp_path) == ("awarphas32.",)


def test_half_a_sentence_is_half_a_sentence() -> None:
    assert share_inside("abcdefghij", ["abcde"]) == pytest.approx(0.5)
    assert share_inside("abcdefghij", ["zzz"]) == 0.0


def test_our_labels_cover_what_they_promise() -> None:
    labels = read_labels(EVAL / "corpus.jsonl")
    sizes = {cell: sum(label.cell == cell for label in labels) for cell in {label.cell for label in labels}}
    assert min(sizes[cell] for cell in ("en-en", "zh-zh", "zh-en", "en-zh")) >= 90
    assert sizes["none"] == 120
    assert sizes["followup"] == 60
    assert len({label.id for label in labels}) == len(labels)
    gates = sum(label.half == "gate" for label in labels)
    assert 0.4 < gates / len(labels) < 0.6


def test_a_sentence_that_moved_in_its_page_is_found_by_its_digest(tmp_path: Path) -> None:
    said = "A warp has 32 threads."
    (tmp_path / "page.md").write_text(f"An introduction came before it.\n\n{said} More follows.", encoding="utf-8")
    gold = Gold("page.md", 0, len(said), hashlib.sha256(said.encode()).hexdigest())
    assert gold.text(tmp_path) == plain(said)
    (tmp_path / "page.md").write_text("A warp has 64 threads, and more follows.", encoding="utf-8")
    with pytest.raises(BadInput, match=r"page\.md"):
        gold.text(tmp_path)
