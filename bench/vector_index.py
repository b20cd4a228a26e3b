"""Up to which size is exact search fast enough, and what do the lists above it cost and lose?

    python bench/vector_index.py [rows ...]      (default: 10000 50000 100000 200000)

Synthetic passages of 384 dimensions: clusters like those of a real library (many near each other, none equal), and
questions that are blurred passages. Prints the median search time, recall@10 against exact search, and build times.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from bench.record import record
from knowledge.library.embed import Vectors
from knowledge.library.vectors import EXACT_UP_TO, VectorIndex, open_vectors, write_vectors

DIMENSION = 384
QUESTIONS = 300


def passages(rows: int, chance: np.random.Generator) -> Vectors:
    """A mixture: a cluster for every hundred passages, its members at a cosine of about .6 to its centre."""
    centres = chance.normal(size=(max(1, rows // 100), DIMENSION)).astype(np.float32)
    made = centres[chance.integers(len(centres), size=rows)]
    made += 1.3 * chance.normal(size=made.shape).astype(np.float32)
    return _unit(made)


def questions(matrix: Vectors, chance: np.random.Generator) -> Vectors:
    picked = matrix[chance.choice(len(matrix), QUESTIONS, replace=False)]
    return _unit(picked + chance.normal(scale=0.7 / np.sqrt(DIMENSION), size=picked.shape).astype(np.float32))


def _unit(matrix: Vectors) -> Vectors:
    scaled: Vectors = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def search_ms(index: VectorIndex, asked: Vectors) -> tuple[float, list[set[int]]]:
    for question in asked[:20]:
        index.nearest(question, 10)
    taken, found = [], []
    for question in asked:
        since = time.perf_counter()
        hits = index.nearest(question, 10)
        taken.append((time.perf_counter() - since) * 1000)
        found.append({row for row, _ in hits})
    return statistics.median(taken), found


def one_size(rows: int, folder: Path) -> dict[str, Any]:
    chance = np.random.default_rng(rows)
    matrix = passages(rows, chance)
    asked = questions(matrix, chance)
    result: dict[str, Any] = {"rows": rows}
    truth: list[set[int]] = []
    for name, limit in (("exact", rows), ("ivf", 0)):
        if name == "ivf" and rows < EXACT_UP_TO // 2:
            continue
        target = folder / f"{name}-{rows}"
        target.mkdir()
        since = time.perf_counter()
        stated = write_vectors(target, matrix, exact_up_to=limit)
        built = time.perf_counter() - since
        ms, found = search_ms(open_vectors(target, stated), asked)
        truth = truth or found
        recall = float(np.mean([len(got & true) / 10 for got, true in zip(found, truth, strict=True)]))
        result[name] = {"p50_ms": round(ms, 3), "recall@10": round(recall, 4), "build_s": round(built, 1), **stated}
        chosen = "  <- chosen" if (name == "exact") == (rows <= EXACT_UP_TO) else ""
        print(
            f"{rows:8} {name:6} p50 {ms:7.3f} ms  recall@10 {recall:.4f}  built in {built:6.1f} s{chosen}", flush=True
        )
    return result


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or [10_000, 50_000, 100_000, 200_000]
    print(f"exact up to {EXACT_UP_TO} passages, inverted lists above; {DIMENSION} dimensions, top 10")
    with tempfile.TemporaryDirectory() as folder:
        record("vector_index", {"sizes": [one_size(size, Path(folder)) for size in sizes]})


if __name__ == "__main__":
    main()
