"""Sentences of the best passages with what speaks for each: the material of answers and of refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.search.question import Notion
from knowledge.search.searcher import Findings, Hit
from knowledge.search.sentences import cosines
from knowledge.text.sentences import Span
from knowledge.text.tokens import tokens

_DIGIT = re.compile(r"\d")
_DEFINES = re.compile(
    r"\b(?:is|are) (?:an?|the)\b|\b(?:means|refers to|stands for|is called|is used (?:to|for))\b"
    r"|是一|指的?是|是指|是用来|用于|称[为作]|叫做|定义为"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One quotable span and its features, in the order of FEATURES."""

    hit: Hit
    number: int
    """Position among the quotable spans of its passage."""
    span: Span
    features: tuple[float, ...]

    @property
    def text(self) -> str:
        return self.span.of(self.hit.passage.text)

    @property
    def place(self) -> tuple[int, int, int]:
        return id(self.hit.source), self.hit.passage.row, self.number


FEATURES = (
    "covered",
    "covered_in_context",
    "covered_nearby",
    "passage",
    "quantity",
    "fragment",
    "definition",
    "cosine",
)


def sentences_of(findings: Findings) -> list[tuple[Hit, list[Sentence]]]:
    """Of each passage what may be quoted, in its order; a block of code is one."""
    if not findings.hits:
        return []
    top = findings.hits[0].score
    found = [(hit, _of_hit(findings, hit, top)) for hit in findings.hits]
    return [(hit, sentences) for hit, sentences in found if sentences]


def _of_hit(findings: Findings, hit: Hit, top: float) -> list[Sentence]:
    spans, vectors = hit.source.sentences.of(hit.passage.row)
    if not spans:
        return []
    question, lang = findings.question, hit.passage.lang
    weights = np.array(findings.rarities)
    weights = weights / (weights.sum() or 1.0)
    held = [frozenset(tokens(span.of(hit.passage.text))) for span in spans]
    around = [frozenset().union(*held[max(0, at - 1) : at + 2]) for at in range(len(held))]
    context = coverage(question.notions, lang, frozenset(tokens(hit.passage.context)))
    similar = cosines(vectors, findings.vector)
    made = []
    for number, span in enumerate(spans):
        text = span.of(hit.passage.text)
        here = coverage(question.notions, lang, held[number])
        nearby = coverage(question.notions, lang, around[number])
        features = (
            float(weights @ here),
            float(weights @ np.maximum(here, context)),
            float(weights @ np.maximum(nearby, context)),
            hit.score - top,
            float(question.wants_quantity and _DIGIT.search(text) is not None),
            float(len(held[number]) < 5),
            float(question.wants_meaning and _DEFINES.search(text) is not None),
            float(similar[number]),
        )
        made.append(Sentence(hit, number, span, features))
    return made


def coverage(notions: Sequence[Notion], lang: str, held: frozenset[str]) -> NDArray[np.float64]:
    """For each notion, the share of its tokens that are held, by the best way to say it in this language."""
    return np.array([_covered(notion, lang, held) for notion in notions], dtype=np.float64)


def _covered(notion: Notion, lang: str, held: frozenset[str]) -> float:
    ways = notion.ways["zh" if lang == "zh" else "en"]
    return max((sum(token in held for token in way) / len(way) for way in ways), default=0.0)
