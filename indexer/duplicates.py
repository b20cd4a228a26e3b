"""Pages that say the same: mirrors are merged, translations linked.

A mirror shares most of its character runs; a translation shares none of its words, but its code, its formulas, its
numbers and the shape of its headings.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

_RUN = 5
_MIRROR = 0.8
_SHORTEST = 400
_SIGNED = 1000
"""How many hashes are compared to find candidates: the smallest ones are a fair sample."""
_COMMON = 0.3
"""The least share that two pages have in common of the terms that translators leave alone."""
_TERM = re.compile(r"[A-Za-z_][A-Za-z_0-9]{2,}|\d+(?:\.\d+)?|\\[a-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A text as far as its likeness to others goes."""

    runs: NDArray[np.uint32]
    """The hashes of a quarter of the text's runs of five characters, the same quarter for every text."""
    marks: Counter[str]
    """The terms that a translator leaves alone: identifiers with capitals or digits inside, numbers, formulas."""
    shape: tuple[int, ...]
    """The levels of the text's headings, in order."""

    def packed(self) -> bytes:
        return json.dumps([self.runs.tolist(), self.marks, self.shape]).encode()

    @classmethod
    def unpacked(cls, packed: bytes) -> Sketch:
        runs, marks, shape = json.loads(packed)
        return cls(np.array(runs, dtype=np.uint32), Counter(marks), tuple(shape))


def sketch(text: str) -> Sketch:
    lines = (line.split(" ", 1)[0] for line in text.split("\n") if line.startswith("#"))
    shape = tuple(len(mark) for mark in lines if set(mark) == {"#"})
    long_enough = len(text) >= _SHORTEST
    return Sketch(_runs(text) if long_enough else np.zeros(0, np.uint32), Counter(_kept(text)), shape)


@dataclass(frozen=True, slots=True)
class Document:
    key: str
    lang: str
    sketch: Sketch


@dataclass(frozen=True, slots=True)
class Likeness:
    first: str
    second: str
    kind: str
    """mirror or translation."""
    score: float


def mirrors(documents: Sequence[Document], threshold: float = _MIRROR) -> list[Likeness]:
    """Return the pairs whose character runs agree, found by MinHash and confirmed by counting."""
    runs = {document.key: document.sketch.runs for document in documents if len(document.sketch.runs)}
    if len(runs) < 2:
        return []  # before an import that takes as long as reading fifty pages
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=threshold - 0.1, num_perm=64)
    found: list[Likeness] = []
    for key, run in runs.items():
        signature = MinHash(num_perm=64, hashfunc=int)
        signature.update_batch(run[:_SIGNED].tolist())
        for other in index.query(signature):
            shared = len(np.intersect1d(run, runs[other], assume_unique=True))
            score = shared / max(1, len(run) + len(runs[other]) - shared)
            if score >= threshold:
                found.append(Likeness(other, key, "mirror", round(score, 3)))
        index.insert(key, signature)
    return found


def translations(documents: Sequence[Document], threshold: float = 0.45) -> list[Likeness]:
    """Return each Chinese page with the English page that agrees in code, numbers, terms and shape, if one does."""
    english = [document for document in documents if document.lang == "en"]
    found: list[Likeness] = []
    for chinese in documents:
        if chinese.lang != "zh":
            continue
        scored = sorted(((_alike(chinese.sketch, other.sketch), other.key) for other in english), reverse=True)
        if scored and scored[0][0] >= threshold and (len(scored) == 1 or scored[0][0] - scored[1][0] >= 0.1):
            found.append(Likeness(scored[0][1], chinese.key, "translation", round(scored[0][0], 3)))
    return found


def _runs(text: str) -> NDArray[np.uint32]:
    plain = re.sub(r"\W+", " ", text.lower())
    points = np.frombuffer(plain.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    mixed = np.zeros(max(0, len(points) - _RUN + 1), dtype=np.uint64)
    for offset in range(_RUN):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + points[offset : offset + len(mixed)]
    hashes = np.unique((mixed ^ (mixed >> np.uint64(29))) >> np.uint64(32)).astype(np.uint32)
    kept: NDArray[np.uint32] = hashes[hashes % 4 == 0]
    return kept


def _kept(text: str) -> Iterator[str]:
    for term in _TERM.findall(text):
        if not term.isalpha() or any(letter.isupper() for letter in term[1:]) or term.startswith("\\"):
            yield term


def _alike(one: Sketch, other: Sketch) -> float:
    if min(len(one.shape), len(other.shape)) < 3 or min(len(one.marks), len(other.marks)) < 8:
        return 0.0
    shared = (one.marks & other.marks).total()
    terms = 2 * shared / (one.marks.total() + other.marks.total())
    if shared < 15 or terms < _COMMON:
        return 0.0
    shape = SequenceMatcher(None, one.shape, other.shape, autojunk=False).ratio()
    return 0.6 * terms + 0.4 * shape
