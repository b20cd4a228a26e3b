"""The sentences of a generation with a vector each, worked out at build time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.library.embed import Vectors
from knowledge.text.sentences import Span, sentences

_SCALE = 127.0


@dataclass(frozen=True, slots=True, eq=False)
class SentenceIndex:
    """Sentences of passage row r lie between starts[r] and starts[r + 1]; spans count from the passage's start."""

    starts: NDArray[np.int64]
    spans: NDArray[np.int32]
    vectors: NDArray[np.int8]
    """Unit vectors times 127: a quarter of the size, and a cosine off by less than .01."""

    def of(self, row: int) -> tuple[tuple[Span, ...], NDArray[np.int8]]:
        part = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return tuple(Span(int(start), int(end)) for start, end in self.spans[part]), self.vectors[part]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("starts", "spans", "vectors"):
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> SentenceIndex:
        names = ("starts", "spans", "vectors")
        return cls(*(np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in names))


def quotable(text: str, kind: str) -> tuple[Span, ...]:
    """What may be quoted of a passage: its sentences; of code, the whole block."""
    return sentences(text) if kind == "prose" else (Span(0, len(text)),)


def sentence_index(spans: Sequence[Sequence[Span]], vectors: Vectors) -> SentenceIndex:
    counts = np.array([len(of_one) for of_one in spans], dtype=np.int64)
    return SentenceIndex(
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        spans=np.array([(span.start, span.end) for of_one in spans for span in of_one], dtype=np.int32).reshape(
            -1, 2
        ),
        vectors=np.rint(vectors * _SCALE).astype(np.int8),
    )


def cosines(vectors: NDArray[np.int8], question: Vectors) -> NDArray[np.float32]:
    products: NDArray[np.float32] = vectors.astype(np.float32) @ question.ravel() / _SCALE
    return products
