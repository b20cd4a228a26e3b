"""How well a reader finds what answers, on the questions kept for development: table of the weights beside it.

    python -m tests.eval.reader.figures QUESTIONS [WEIGHTS]

The passages are those of the product's search; knowledge/ask/weighing.py has the weights that were chosen by this.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.ask.weighing import _MERIT_IN_STRENGTH, MOST_READ
from knowledge.reader.model import FOLDER, Floats, Readable, Reader
from knowledge.text.sentences import Span
from tests.eval.reader.rows import stored

_CHOICES = tuple((many, merit) for many in (4, 6, 8) for merit in (0.0, 0.5, 1.0, 2.0))
"""How many passages are read, and what a point of merit counts beside the reader's logit."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("weights", type=Path, nargs="?", default=FOLDER)
    asked = parser.parse_args()
    passages = [_readable(row) for row in stored(asked.questions / "passages.jsonl.xz")]
    questions = [row for row in stored(asked.questions / "questions.jsonl.xz") if row["development"]]
    with tempfile.TemporaryDirectory() as cache:
        reader = Reader(Path(cache), asked.weights)
        most = max(many for many, _ in _CHOICES)
        read = [(row, _promising(row, most)) for row in questions if row["candidates"]]
        logits = [reader.read(row["text"], [passages[one["passage"]] for one in found]) for row, found in read]
    for many, merit in _CHOICES:
        used = " (in use)" if (many, merit) == (MOST_READ, _MERIT_IN_STRENGTH) else ""
        print(f"{many} read, merit {merit}: {figures(read, logits, many, merit)}{used}")


def _readable(row: dict[str, Any]) -> Readable:
    return Readable(row["context"], row["text"], tuple(Span(*span) for span in row["sentences"]))


def _promising(question: dict[str, Any], many: int) -> list[dict[str, Any]]:
    """As knowledge/ask/weighing.py chooses what is read."""
    return sorted(question["candidates"], key=lambda found: max(found["merits"]), reverse=True)[:many]


def figures(
    read: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]],
    logits: Sequence[Sequence[Floats]],
    many: int,
    merit: float,
) -> str:
    """Share of questions whose best passage, or one of three, answers; of best sentences; and how refusals part."""
    best, among_three, sentence = [], [], []
    answerable, unanswerable = [], []
    for (question, found), own in zip(read, logits, strict=True):
        parts = [one + merit * np.array(hit["merits"]) for one, hit in zip(own[:many], found[:many], strict=False)]
        strongest = float(np.logaddexp.reduce(np.concatenate(own[:many])))
        if not question["answerable"]:
            unanswerable.append(strongest)
            continue
        answerable.append(strongest)
        order = np.argsort([-float(np.logaddexp.reduce(part)) for part in parts])
        right = [str(found[at]["passage"]) in question["gold"] for at in order]
        best.append(right[0])
        among_three.append(any(right[:3]))
        strong = [float(part.max()) for part in parts]
        first = strong.index(max(strong))
        sentence.append(int(parts[first].argmax()) in question["gold"].get(str(found[first]["passage"]), ()))
    apart = np.mean(np.array(answerable)[:, None] > np.array(unanswerable)[None]) if unanswerable else float("nan")
    return (
        f"passage {np.mean(best):.3f}, of three {np.mean(among_three):.3f}, sentence {np.mean(sentence):.3f},"
        f" answerable above unanswerable {apart:.3f}; {len(answerable)} and {len(unanswerable)} questions"
    )


if __name__ == "__main__":
    main()
