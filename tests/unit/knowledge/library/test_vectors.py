"""Nearest vectors against numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from knowledge.errors import IndexUnusable
from knowledge.library.embed import Vectors
from knowledge.library.vectors import open_vectors, write_vectors


def unit(rows: int, columns: int, seed: int = 0) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def rows(found: list[tuple[int, float]]) -> list[int]:
    return [row for row, _ in found]


def by_numpy(matrix: Vectors, question: Vectors, k: int) -> list[int]:
    return [int(row) for row in np.argsort(-(matrix @ question))[:k]]


def test_exact_search_agrees_with_numpy(tmp_path: Path) -> None:
    matrix, question = unit(500, 32), unit(1, 32, seed=1)[0]
    index = open_vectors(tmp_path, write_vectors(tmp_path, matrix))
    found = index.nearest(question, 10)
    assert [row for row, _ in found] == by_numpy(matrix, question, 10)
    assert found[0][1] == pytest.approx(float((matrix @ question).max()), abs=1e-5)


def test_a_search_among_some_rows_stays_among_them(tmp_path: Path) -> None:
    matrix, question = unit(500, 32), unit(1, 32, seed=2)[0]
    some = np.arange(0, 500, 7)
    index = open_vectors(tmp_path, write_vectors(tmp_path, matrix))
    assert [row for row, _ in index.nearest(question, 5, some)] == [
        int(some[row]) for row in by_numpy(matrix[some], question, 5)
    ]
    assert index.nearest(question, 5, np.array([], dtype=np.int64)) == []


def test_more_neighbours_than_there_are_vectors_gives_all(tmp_path: Path) -> None:
    index = open_vectors(tmp_path, write_vectors(tmp_path, unit(3, 8)))
    assert len(index.nearest(unit(1, 8)[0], 10)) == 3


def test_above_the_measured_size_lists_are_written_with_their_recall(tmp_path: Path) -> None:
    matrix = unit(3000, 16)
    stated = write_vectors(tmp_path, matrix, exact_up_to=1000)
    assert stated["kind"] == "ivf"
    assert stated["recall@10"] >= 0.97
    index = open_vectors(tmp_path, stated)
    hits = [
        len(set(by_numpy(matrix, question, 10)) & {row for row, _ in index.nearest(question, 10)})
        for question in unit(50, 16, 3)
    ]
    assert np.mean(hits) >= 9.5


def test_vectors_of_an_unknown_kind_are_refused(tmp_path: Path) -> None:
    write_vectors(tmp_path, unit(3, 8))
    with pytest.raises(IndexUnusable, match="warpmate index build"):
        open_vectors(tmp_path, {"kind": "crystal ball"})
