"""How strongly passages and their sentences answer: what the reader says, and what the words say beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knowledge.ask.evidence import Sentence, sentences_of
from knowledge.ask.same_question import certainty_of_question, worth_of_question
from knowledge.reader.model import Readable, Reader
from knowledge.search.searcher import Findings, Hit

MERIT = (0.36, 1.73, 3.22, 0.75, 1.23, 0.19, 0.35, 6.55)
"""Of a sentence by its words, in the order of evidence.FEATURES: so that the best sentence of a passage tells whether
it is worth reading; by tests/eval/ask_fit.py."""
MOST_READ = 4
"""Passages that the reader reads: each costs some thirty milliseconds; docs/ask.md has the table."""
_READ_IN_STRENGTH = 0.5
"""What the reader's logit counts beside a point of merit: with more, the first passage answers less often."""
_LEADS_ON = re.compile(r"^The (?:next step is the )?note on\b|那篇笔记|^下一步")
_BEHIND_FOR_LEADING_ON = 10.0
"""A sentence of a note of ours that leads to another one names the subject and says nothing of it."""
_OUR_NOTES = "note:"


@dataclass(frozen=True, slots=True)
class WeighedPassage:
    """A passage that the reader has read: how strongly it answers, and each of its sentences."""

    hit: Hit
    strength: float
    """By the reader and by its words: what passages are ranked by."""
    read: float
    """By the reader alone: what tells whether there is an answer at all."""
    sentences: tuple[tuple[float, Sentence], ...]
    """In the order of the page."""

    @property
    def near(self) -> float | None:
        """Cosine of what was asked with the nearest question that its section answers; None where none is known."""
        return self.hit.signals.asked or None


def merit(sentence: Sentence) -> float:
    return sum(weight * value for weight, value in zip(MERIT, sentence.features, strict=True))


def weigh(reader: Reader, findings: Findings) -> tuple[WeighedPassage, ...]:
    """The most promising passages, read; strongest first."""

    by_words = [
        (hit, [(merit(one) + worth_of_question(hit.signals), one) for one in of_hit])
        for hit, of_hit in sentences_of(findings)
    ]
    promising = _most_promising(by_words, code=findings.question.wants_code)
    logits = reader.read(findings.question.text, [_readable(of_hit) for _, of_hit in promising])
    weighed = [
        _weighed(hit, [float(logit) for logit in found], of_hit)
        for (hit, of_hit), found in zip(promising, logits, strict=True)
    ]
    return tuple(sorted(weighed, key=lambda passage: (-passage.strength, passage.hit.rank)))


_Found = tuple[Hit, list[tuple[float, Sentence]]]


def _most_promising(found: Sequence[_Found], *, code: bool) -> list[_Found]:
    """What is worth the time of reading, by its best sentence; where code was asked for, a block is among it."""
    ranked = sorted(found, key=lambda one: -max(merit for merit, _ in one[1]))
    blocks = [one for one in ranked if one[0].passage.kind == "code"]
    if code and blocks and blocks[0] not in ranked[:MOST_READ]:
        return [*ranked[: MOST_READ - 1], blocks[0]]
    return ranked[:MOST_READ]


def _readable(of_hit: Sequence[tuple[float, Sentence]]) -> Readable:
    passage = of_hit[0][1].hit.passage
    return Readable(passage.context, passage.text, tuple(one.span for _, one in of_hit))


def _weighed(hit: Hit, logits: Sequence[float], of_hit: Sequence[tuple[float, Sentence]]) -> WeighedPassage:
    sentences = tuple(
        (_READ_IN_STRENGTH * logit + by_words - _BEHIND_FOR_LEADING_ON * _leads_on(one), one)
        for logit, (by_words, one) in zip(logits, of_hit, strict=True)
    )
    strength = float(np.logaddexp.reduce([weight for weight, _ in sentences]))
    read = float(np.logaddexp.reduce(logits)) + certainty_of_question(hit.signals)
    return WeighedPassage(hit, strength, read, sentences)


def _leads_on(sentence: Sentence) -> bool:
    ours = sentence.hit.passage.resource_id.startswith(_OUR_NOTES)
    return ours and _LEADS_ON.search(sentence.text) is not None
