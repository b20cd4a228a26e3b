"""The keyword leg: BM25 weights of every token in every passage, worked out at build time and memory-mapped.

Kept by hand instead of taking a library because a query is a list of notions here, not a bag of words: of the
several ways to say one notion the best counts, and the share of notions that a passage holds counts beside the sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
_FILES = ("starts", "passages", "weights", "rarity")


@dataclass(frozen=True, slots=True, eq=False)
class KeywordIndex:
    """Postings in one array after another: those of token number t lie between starts[t] and starts[t + 1]."""

    numbers: dict[str, int]
    starts: NDArray[np.int64]
    passages: NDArray[np.int32]
    weights: NDArray[np.float32]
    rarity: NDArray[np.float32]
    """Inverse document frequency of each token."""
    size: int

    @classmethod
    def build(cls, token_counts: Sequence[Counter[str]]) -> KeywordIndex:
        """Weights of the passages whose counted tokens are given, in their order."""
        size = len(token_counts)
        postings: dict[str, list[tuple[int, int]]] = {}
        for passage, counts in enumerate(token_counts):
            for token, count in counts.items():
                postings.setdefault(token, []).append((passage, count))
        vocabulary = sorted(postings)
        document_counts = np.array([len(postings[token]) for token in vocabulary], dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(document_counts))).astype(np.int64)
        flat = np.array([pair for token in vocabulary for pair in postings[token]], dtype=np.int64).reshape(-1, 2)
        rarity = np.log1p((size - document_counts + 0.5) / (document_counts + 0.5)).astype(np.float32)
        lengths = np.array([counts.total() for counts in token_counts], dtype=np.float64)
        norm = K1 * (1 - B + B * lengths / (lengths.mean() if lengths.sum() else 1.0))
        frequency = flat[:, 1]
        saturated = frequency * (K1 + 1) / (frequency + norm[flat[:, 0]])
        return cls(
            numbers={token: number for number, token in enumerate(vocabulary)},
            starts=starts,
            passages=flat[:, 0].astype(np.int32),
            weights=(saturated * np.repeat(rarity, document_counts)).astype(np.float32),
            rarity=rarity,
            size=size,
        )

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            np.save(folder / f"{name}.npy", getattr(self, name))
        np.save(folder / "size.npy", np.array(self.size))
        (folder / "vocabulary.txt").write_text("\n".join(self.numbers), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> KeywordIndex:
        words = (folder / "vocabulary.txt").read_text(encoding="utf-8")
        # As plain arrays over the mapped files: each look at a memmap makes a Python object, and there are thousands.
        arrays = {name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in _FILES}
        return cls(
            numbers={token: number for number, token in enumerate(words.split("\n") if words else [])},
            size=int(np.load(folder / "size.npy")),
            **arrays,
        )

    def rarity_of(self, token: str) -> float:
        """How telling a token is; one that no passage holds is as rare as can be."""
        number = self.numbers.get(token)
        return float(np.log1p(2.0 * self.size + 1.0)) if number is None else float(self.rarity[number])

    def count_of(self, token: str) -> int:
        """Number of passages that hold the token."""
        number = self.numbers.get(token)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])

    def held_by(self, passages: NDArray[np.int64], tokens: Iterable[str]) -> frozenset[str]:
        """Those of the tokens that one of these passages holds."""
        held = set()
        for token in tokens:
            number = self.numbers.get(token)
            if number is not None:
                postings = self.passages[self.starts[number] : self.starts[number + 1]]
                at = np.minimum(np.searchsorted(postings, passages), len(postings) - 1)
                if np.any(postings[at] == passages):
                    held.add(token)
        return frozenset(held)

    def scores(self, tokens: Iterable[str]) -> NDArray[np.float32]:
        """BM25 of every passage."""
        found = np.zeros(self.size, dtype=np.float32)
        for token in tokens:
            number = self.numbers.get(token)
            if number is not None:
                span = slice(self.starts[number], self.starts[number + 1])
                found[self.passages[span]] += self.weights[span]
        return found

    def shares(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """Share of the tokens, by rarity, that every passage holds."""
        found = np.zeros(self.size, dtype=np.float32)
        rarities = [self.rarity_of(token) for token in tokens]
        for token, rarity in zip(tokens, rarities, strict=True):
            number = self.numbers.get(token)
            if number is not None:
                found[self.passages[self.starts[number] : self.starts[number + 1]]] += rarity
        return found / (sum(rarities) or 1.0)
