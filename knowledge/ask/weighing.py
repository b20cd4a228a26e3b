"""How well a sentence answers: one weight a feature, fitted on labelled questions."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.ask.evidence import Sentence

WEIGHTS = (2.1, 2.0, 1.2, 0.8, 1.2, -1.0, 1.0, 2.3)
"""In the order of evidence.FEATURES; by `tests/eval/ask_fit.py`, on the fit half of tests/eval/corpus.jsonl."""


def merit(sentence: Sentence) -> float:
    return sum(weight * value for weight, value in zip(WEIGHTS, sentence.features, strict=True))


def by_merit(sentences: Sequence[Sentence]) -> list[tuple[float, Sentence]]:
    """Best first; of equals, the one that search ranked higher."""
    weighed = [(merit(sentence), sentence) for sentence in sentences]
    return sorted(weighed, key=lambda pair: (-pair[0], pair[1].hit.rank, pair[1].number))
