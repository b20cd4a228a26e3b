"""Search, answers and refusals stay above their floors: over our notes everywhere, over pages where they are."""

from __future__ import annotations

import asyncio
import tomllib
from collections import Counter
from typing import Any

import pytest

from knowledge.ask.labelled_questions import FOLLOW_UP, NONE, read_labels
from tests import prepared
from tests.eval.ask_library import EVAL
from tests.eval.report import fresh, half_of, over_notes, over_pages
from tests.needs import corpus

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
FLOORS = tomllib.loads((EVAL / "floors.toml").read_text(encoding="utf-8"))


def fallen(report: dict[str, Any], floors: dict[str, Any]) -> list[str]:
    """Every number on the wrong side of its floor or ceiling."""
    numbers = {cell: row["hit@5"] for cell, row in report["cells"].items()} | report["answers"]
    ceilings = floors["at_most"]
    low = [
        f"{name} {numbers[name]} < {floor}"
        for name, floor in floors.items()
        if name != "at_most" and numbers[name] < floor
    ]
    return low + [f"{name} {numbers[name]} > {most}" for name, most in ceilings.items() if numbers[name] > most]


@pytest.mark.needs("corpus")
def test_pages_are_found_quoted_and_refused_as_well_as_promised(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> None:
    mirror = corpus()
    assert mirror is not None
    kept = pytestconfig.cache.mkdir("vectors-of-pages")
    report = asyncio.run(over_pages(tmp_path_factory.mktemp("pages"), mirror, half_of("gate"), kept))
    assert fallen(report, FLOORS["pages"]) == []


def test_notes_are_found_and_quoted_as_well_as_promised(tmp_path_factory: pytest.TempPathFactory) -> None:
    data_dir = tmp_path_factory.mktemp("notes")
    prepared.give_first_index(tmp_path_factory, data_dir)
    report = asyncio.run(over_notes(data_dir))
    assert fallen(report, FLOORS["notes"]) == []


def test_the_questions_never_tuned_on_are_many_enough_to_say_something() -> None:
    cells = Counter(label.cell for label in fresh())
    assert all(cells[cell] >= 25 for cell in ("en-en", "zh-zh", "zh-en", "en-zh"))
    assert cells[NONE] >= 50
    assert cells[FOLLOW_UP] >= 20


@pytest.mark.needs("corpus")
def test_every_gold_sentence_over_pages_is_where_its_label_says() -> None:
    mirror = corpus()
    assert mirror is not None
    texts = [text for label in (*read_labels(EVAL / "corpus.jsonl"), *fresh()) for text in label.gold_texts(mirror)]
    assert len(texts) >= 470
    assert all(texts)
