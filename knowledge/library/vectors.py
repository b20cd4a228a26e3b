"""Nearest vectors: exact while that is fast enough, inverted lists above that.

Exact search runs straight over the memory-mapped array and needs no index file at all. The size at which it is
given up comes from bench/vector_index.py, and so does the choice of lists over a graph: an HNSW graph is searched
faster still, but takes many times as long to build, and a library is rebuilt more often than that matters.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import IndexUnusable
from knowledge.library.embed import Vectors

EXACT_UP_TO = 60_000
VECTORS = "vectors.npy"
LISTS = "vectors.ivf"


class VectorIndex(Protocol):
    def __len__(self) -> int: ...

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.int64] | None = None) -> list[tuple[int, float]]: ...


class ExactVectors:
    def __init__(self, matrix: Vectors) -> None:
        self.matrix = matrix

    def __len__(self) -> int:
        return len(self.matrix)

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.int64] | None = None) -> list[tuple[int, float]]:
        import faiss

        rows = self.matrix if among is None else np.ascontiguousarray(self.matrix[among])
        k = min(k, len(rows))
        if k == 0:
            return []
        question = np.ascontiguousarray(vector.reshape(1, -1), dtype=np.float32)
        scores, found = faiss.knn(question, rows, k, metric=faiss.METRIC_INNER_PRODUCT)
        numbers = found[0] if among is None else among[found[0]]
        return [(int(row), float(score)) for row, score in zip(numbers, scores[0], strict=True)]


class ListVectors(ExactVectors):
    """Vectors in lists by their nearest centre, the likeliest lists searched; among given rows it stays exact."""

    def __init__(self, matrix: Vectors, lists: Path, probes: int) -> None:
        import faiss

        super().__init__(matrix)
        self._lists = faiss.read_index(str(lists), faiss.IO_FLAG_MMAP)
        self._probes = probes

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.int64] | None = None) -> list[tuple[int, float]]:
        if among is not None:
            return super().nearest(vector, k, among)
        question = np.ascontiguousarray(vector.reshape(1, -1), dtype=np.float32)
        settings = _probing(self._probes)
        scores, found = self._lists.search(question, min(k, len(self)), params=settings)
        return [(int(row), float(score)) for row, score in zip(found[0], scores[0], strict=True) if row >= 0]


def open_vectors(folder: Path, stated: dict[str, Any]) -> VectorIndex:
    matrix = np.load(folder / VECTORS, mmap_mode="r")
    match stated.get("kind"):
        case "exact":
            return ExactVectors(matrix)
        case "ivf":
            return ListVectors(matrix, folder / LISTS, int(stated["probes"]))
        case other:
            raise IndexUnusable(f"the index in {folder} holds vectors of kind {other!r}; run: warpmate index build")


def write_vectors(folder: Path, matrix: Vectors, *, exact_up_to: int = EXACT_UP_TO) -> dict[str, Any]:
    """Write what `open_vectors` reads; returns what belongs into the manifest."""
    np.save(folder / VECTORS, matrix)
    if len(matrix) <= exact_up_to:
        return {"kind": "exact"}
    return write_lists(folder / LISTS, matrix)


def write_lists(path: Path, matrix: Vectors) -> dict[str, Any]:
    """Train and fill the lists, and find, by measuring on the collection itself, how many to search."""
    import faiss

    count = int(4 * np.sqrt(len(matrix)))
    centres = faiss.IndexFlatIP(matrix.shape[1])
    lists = faiss.IndexIVFFlat(centres, matrix.shape[1], count, faiss.METRIC_INNER_PRODUCT)
    lists.cp.niter, lists.cp.max_points_per_centroid = 8, 40
    lists.train(np.ascontiguousarray(matrix))
    lists.add(np.ascontiguousarray(matrix))
    probes, recall = _tuned(lists, matrix)
    faiss.write_index(lists, str(path))
    return {"kind": "ivf", "lists": count, "probes": probes, "recall@10": recall}


def _tuned(lists: Any, matrix: Vectors, wanted: float = 0.985) -> tuple[int, float]:
    """The fewest probes that find nearly all of the true ten nearest of a few hundred blurred vectors."""
    import faiss

    chance = np.random.default_rng(0)
    picked = np.asarray(matrix[chance.choice(len(matrix), min(300, len(matrix)), replace=False)])
    blurred = picked + chance.normal(scale=0.7 / np.sqrt(picked.shape[1]), size=picked.shape)
    questions = (blurred / np.linalg.norm(blurred, axis=1, keepdims=True)).astype(np.float32)
    _, truth = faiss.knn(questions, np.ascontiguousarray(matrix), 10, metric=faiss.METRIC_INNER_PRODUCT)
    probes, recall = 4, 0.0
    while recall < wanted and probes < lists.nlist:
        probes *= 2
        _, found = lists.search(questions, 10, params=_probing(probes))
        recall = float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(truth, found, strict=True)]))
    return probes, round(recall, 4)


def _probing(probes: int) -> Any:
    import faiss

    parameters: Any = faiss.SearchParametersIVF  # its arguments are attached at run time
    return parameters(nprobe=probes)
