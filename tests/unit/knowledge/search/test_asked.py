"""How like a question is to those that the sections answer, over vectors that are easy to see through."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from knowledge.search.asked import AskedIndex, is_question

EAST, NORTH, SOUTH = (np.array(way, dtype=np.float32) for way in ([1, 0], [0, 1], [0, -1]))


def index() -> AskedIndex:
    """Of five passages two belong to a section with one question and one to a section with two."""
    return AskedIndex.build([[1, 4], [2]], [1, 2], np.stack([EAST, NORTH, SOUTH]), 5)


def test_a_passage_is_as_like_as_the_nearest_question_of_its_section() -> None:
    assert index().likeness(EAST).tolist() == [0, 1, 0, 0, 1]
    assert index().likeness(NORTH).tolist() == [0, 0, 1, 0, 0]
    assert index().likeness(SOUTH[None]).tolist() == [0, 0, 1, 0, 0]


def test_it_is_the_same_after_it_was_saved(tmp_path: Path) -> None:
    index().save(tmp_path / "asked")
    question = np.array([0.6, 0.8], dtype=np.float32)
    assert AskedIndex.open(tmp_path / "asked").likeness(question) == pytest.approx(
        index().likeness(question), abs=1e-3
    )


def test_where_nothing_is_asked_nothing_is_alike(tmp_path: Path) -> None:
    AskedIndex.build([], [], np.zeros((0, 2), dtype=np.float32), 3).save(tmp_path)
    assert AskedIndex.open(tmp_path).likeness(EAST).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("heading", "is_one"), [("Why 32?", True), ("为什么是 32？ ", True), ("Limits", False), ("", False)]
)
def test_a_heading_is_a_question_by_its_mark(heading: str, is_one: bool) -> None:
    assert is_question(heading) is is_one
