"""Questions that sections answer: those written for them, and headings that are questions themselves.

A question that asks the same as one of these is answered there, though the section need not repeat its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.library.embed import Vectors

_NOWHERE = -1
_MARKS = ("?", "？")


def is_question(heading: str) -> bool:
    return heading.rstrip().endswith(_MARKS)


@dataclass(frozen=True, slots=True, eq=False)
class AskedIndex:
    """Vectors of questions, made as the members' own are, and the section that answers each."""

    vectors: Vectors
    """In the order of their sections."""
    first: NDArray[np.int32]
    """Of each section, the row of its first question."""
    section_of: NDArray[np.int32]
    """Of each passage, its section; -1 for one that no question was written for."""

    def likeness(self, question: Vectors) -> NDArray[np.float32]:
        """Of each passage the highest cosine of the question with one that its section answers, 0 without any."""
        found = np.zeros(len(self.section_of), dtype=np.float32)
        if len(self.first):
            of_section = np.maximum.reduceat(self.vectors @ question.ravel(), self.first)
            asked = self.section_of != _NOWHERE
            found[asked] = of_section[self.section_of[asked]]
        return found

    @classmethod
    def build(cls, sections: list[list[int]], counts: list[int], vectors: Vectors, passages: int) -> AskedIndex:
        """`sections`: the passages of each section; `counts`: how many of the vectors are its questions."""
        section_of = np.full(passages, _NOWHERE, dtype=np.int32)
        for number, rows in enumerate(sections):
            section_of[rows] = number
        first = np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts else np.zeros(0)
        return cls(vectors, first.astype(np.int32), section_of)

    def save(self, folder: Path) -> None:
        """In half precision: finer than the error of the model's int8 weights."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vectors.npy", self.vectors.astype(np.float16))
        np.save(folder / "first.npy", self.first)
        np.save(folder / "sections.npy", self.section_of)

    @classmethod
    def open(cls, folder: Path) -> AskedIndex:
        vectors = np.load(folder / "vectors.npy").astype(np.float32)
        return cls(vectors, np.load(folder / "first.npy"), np.load(folder / "sections.npy"))
