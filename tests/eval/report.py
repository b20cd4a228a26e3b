"""The quality of search, answers and refusals in numbers (`make eval`), with the ablation table.

    python -m tests.eval.report [DATA_DIR]

Over our own notes everywhere; over the pages of a mirror where WARPMATE_CORPUS names one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from knowledge.ask.evaluate import evaluate, outcomes_of, report
from knowledge.ask.labelled_questions import Label, read_labels
from tests.eval.ask_ablation import table
from tests.eval.ask_library import CONTENT, EVAL, opened_library
from tests.needs import corpus


async def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        data_dir = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch)
        print("notes, all labels:", json.dumps(await over_notes(data_dir / "notes"), indent=1))
        mirror = corpus()
        if mirror is None:
            print("no mirror of pages here: set WARPMATE_CORPUS for the rest")
            return
        for name, labels in (
            ("fit half", half_of("fit")),
            ("gate half", half_of("gate")),
            ("never tuned on", fresh()),
        ):
            found = await over_pages(data_dir / "pages", mirror, labels)
            found.pop("per_question")
            print(f"pages, {name}:", json.dumps(found, indent=1))
        async with opened_library(data_dir / "pages", mirror) as room:
            print("hit@5 on the gate half")
            for line in table(room.ask, half_of("gate"), data_dir):
                print(line, flush=True)


async def over_notes(data_dir: Path) -> dict[str, Any]:
    """Over all four cells, but the gold sentences where question and labelled note share a language.

    Every note stands in both languages, and an answer quotes the one in the asker's: the sentence that a cross cell
    labels in the other one is not what should be quoted.
    """
    labels = read_labels(EVAL / "notes.jsonl")
    async with opened_library(data_dir) as room:
        asked = outcomes_of(labels, room.ask.asker, room.ask.searcher, CONTENT)
        at_home = [one for one in asked if one.label.cell in {"en-en", "zh-zh"}]
        found = await report(asked, room.core.store)
        answers = (await report(at_home, room.core.store))["answers"]
        gold = {name: answers[name] for name in answers if name.startswith("gold_")}
        return {"cells": found["cells"], "answers": found["answers"] | gold}


async def over_pages(
    data_dir: Path, mirror: Path, labels: Sequence[Label], kept: Path | None = None
) -> dict[str, Any]:
    async with opened_library(data_dir, mirror, kept) as room:
        return await evaluate(labels, room.ask.asker, room.ask.searcher, room.core.store, mirror)


def half_of(half: str) -> list[Label]:
    return [label for label in read_labels(EVAL / "corpus.jsonl") if label.half == half]


def fresh() -> tuple[Label, ...]:
    """Short and sloppy questions, labelled after everything else: for measuring, never for fitting."""
    return read_labels(EVAL / "fresh.jsonl")


if __name__ == "__main__":
    asyncio.run(main())
