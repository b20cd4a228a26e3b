"""How often what a language model is shown holds the sentence that answers.

    python -m tests.eval.shown MIRROR DATA_DIR [--most N]

MIRROR is what tests/eval/reader/pages.py laid out, or any mirror with the pages of the labels; its index is built
in DATA_DIR unless it is there. Asked are the answerable questions that tests/eval/reader keeps for development,
as far as their pages are there. A passage of another page that says the same does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from knowledge.ask.evaluate import _holds
from knowledge.ask.labelled_questions import Label, read_labels
from knowledge.ask.model_passages import passages_for, tokens_of
from knowledge.ask.open_ask import AskFlow
from knowledge.errors import BadInput
from knowledge.store import Scope
from tests.eval.ask_library import opened_library
from tests.eval.reader.collect import for_development
from tests.eval.reader.pages import LABELS, page_of, read_rows


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("mirror", "data_dir"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="a random sample of so many")
    asked = parser.parse_args()
    labels = development_labels(asked.mirror)
    random.Random(0).shuffle(labels)
    async with opened_library(asked.data_dir, asked.mirror) as library:
        for line in report(labels[: asked.most], library.ask, asked.mirror):
            print(line)


def development_labels(mirror: Path) -> list[Label]:
    """The answerable ones whose sentence is found in the mirror."""
    rows = [row for row in read_rows(LABELS) if "gold" in row and for_development(page_of(row))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "labels.jsonl"
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return [label for label in read_labels(file) if _is_there(label, mirror)]


def _is_there(label: Label, mirror: Path) -> bool:
    try:
        return bool(label.gold_texts(mirror))
    except (OSError, BadInput):
        return False


def report(labels: Sequence[Label], flow: AskFlow, mirror: Path) -> Iterator[str]:
    """Of all questions and of each cell: how often it is shown, and at which place it stands."""
    places: dict[str, list[int]] = defaultdict(list)
    tokens, passages = [], []
    for label in labels:
        answer, _ = flow.asker.extract(label.question)
        shown = passages_for(answer, flow.searcher, Scope())
        golds = label.gold_texts(mirror)
        where = (number for number, one in enumerate(shown, start=1) if _holds([one.text], golds))
        places[label.cell].append(next(where, 0))
        tokens.append(sum(tokens_of(one.text) for one in shown))
        passages.append(len(shown))
    every = [place for found in places.values() for place in found]
    for cell, found in (("all", every), *sorted(places.items())):
        shares = ", ".join(f"{share(found, most):.3f} of the first {most}" for most in (1, 4, 12, 20))
        yield f"{cell}: {share(found):.3f} of {len(found)} questions; {shares}"
    yield f"{sum(passages) / len(passages):.1f} passages and {sum(tokens) / len(tokens):.0f} tokens on average"


def share(places: Sequence[int], most: int = 10_000) -> float:
    return sum(1 <= place <= most for place in places) / len(places)


if __name__ == "__main__":
    asyncio.run(main())
