"""The labelled questions over our notes point at sentences that still stand there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from knowledge.content import load_notes, load_topics
from knowledge.text.sentences import sentences

ROOT = Path(__file__).parents[3]
BODIES = {note.path: note.body for note in load_notes(ROOT / "content", load_topics(ROOT / "content"))}
LABELS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("notes", "questions")  # the second over pages of questions, in words that no heading has
    for line in (ROOT / "tests/eval" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_every_cell_has_at_least_thirty_questions_and_no_question_comes_twice() -> None:
    assert (
        min(Counter(label["cell"] for label in LABELS)[cell] for cell in ("en-en", "zh-zh", "zh-en", "en-zh")) >= 30
    )
    assert len({label["question"] for label in LABELS}) == len({label["id"] for label in LABELS}) == len(LABELS)


def test_the_questions_reach_every_note() -> None:
    asked = {Path(path).stem for label in LABELS for path in label["relevant"]}
    assert asked == {Path(path).stem for path in BODIES}


def test_each_label_points_at_a_whole_sentence_of_its_note() -> None:
    """Offsets count characters of the note's body, front matter and the blank lines after it left out."""
    whole = {path: {span.of(body) for span in sentences(body)} for path, body in BODIES.items()}
    for line, label in enumerate(LABELS, 1):
        gold = label["gold"]
        quoted = BODIES[gold["path"]][gold["start"] : gold["end"]]
        at = f"label {line}: {label['id']} points at {quoted!r}"
        assert hashlib.sha256(quoted.encode()).hexdigest() == gold["sha256"], at
        assert quoted in whole[gold["path"]], at


def test_each_cell_names_the_languages_of_question_and_note() -> None:
    for line, label in enumerate(LABELS, 1):
        asked, answered = label["cell"].split("-")
        at = f"label {line}: {label['id']}"
        assert label["lang"] == asked, at
        assert label["relevant"][0] == label["gold"]["path"], at
        assert {path.split("/")[1] for path in label["relevant"]} == {answered}, at
        assert label["gold"]["path"].startswith(f"notes/{answered}/"), at
