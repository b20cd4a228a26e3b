"""How certain it is that what was found answers the question: log-odds from what was read and what is missing.

The reader says how strongly the best passage answers. What gives a question away that the library cannot answer is
besides that a name or a term of the field in it that the answering page never says. Two borders cut the log-odds into
three degrees: answered, perhaps, not here.

A definition, a figure and an error whose words a page prints are certain without it: asker.py says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.answer import Status
from knowledge.ask.same_question import asks_otherwise
from knowledge.ask.weighing import WeighedPassage
from knowledge.search.question import Notion
from knowledge.search.searcher import Findings, Hit

_HARDLY = -1.0
"""Log-odds of a *perhaps* that a word strange to the field turns into *not here*."""
_THE_SAME, _NEARLY_THE_SAME = 0.8, 0.7
"""Cosines of two questions: of 69 development questions from the first on, 1 had no answer; of 100 below, 8."""
_PER_RARITY = 0.1
"""Rarities reach about ten."""


@dataclass(frozen=True, slots=True)
class Features:
    """What speaks for and against, in the order of the weights."""

    read: float
    """How strongly the best passage answers, as the reader says."""
    missing_name: float
    """Rarity of the most telling name, abbreviation or identifier that the answering page does not say."""
    missing_term: float
    """The same for terms of the field: the glossary knows their other names, so that they really are missing."""
    asked: float = 0.0
    """Cosine of the question with the nearest one that the best section is known to answer."""

    @property
    def values(self) -> tuple[float, ...]:
        return self.read, self.missing_name, self.missing_term


@dataclass(frozen=True, slots=True)
class Scale:
    """Weights of the features, a bias, and the two borders; fitted by tests/eval/ask_fit.py."""

    weights: tuple[float, ...]
    bias: float
    perhaps_from: float
    """Log-odds below this are not here: so that few answers are lost."""
    answered_from: float
    """Log-odds from here on are answered: so that few answers are false."""

    def log_odds(self, features: Features) -> float:
        read = self.bias + sum(weight * value for weight, value in zip(self.weights, features.values, strict=True))
        return max(read, self._known(features.asked))

    def _known(self, asked: float) -> float:
        """The least log-odds of a section that is known to answer what was asked, whatever the reader says."""
        if asked >= _THE_SAME:
            return self.answered_from
        return self.perhaps_from if asked >= _NEARLY_THE_SAME else float("-inf")

    def status(self, log_odds: float) -> Status:
        if log_odds >= self.answered_from:
            return "answered"
        return "perhaps" if log_odds >= self.perhaps_from else "refused"

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Scale:
        return cls(tuple(row["weights"]), row["bias"], row["perhaps_from"], row["answered_from"])


def shipped_scale() -> Scale:
    """Fitted on labelled questions over public pages and our notes."""
    return Scale.of(json.loads(Path(__file__).with_name("certainty.json").read_text(encoding="utf-8")))


def features_of(findings: Findings, read: Sequence[WeighedPassage]) -> Features | None:
    """None where there is nothing to weigh: no notion in the question, or no passage that says one of them.

    However strongly the reader speaks: a passage that says nothing of what was asked is no answer.
    """
    notions = findings.question.notions
    if not notions or not read:
        return None
    hit = read[0].hit
    if not _said(hit, np.array([hit.passage.row]), notions).any():
        return None
    unsaid = _PER_RARITY * np.array(findings.rarities) * (1 - _said(hit, _page_rows(hit), notions))
    unsaid = unsaid * asks_otherwise(hit.signals)
    return Features(
        read=max(passage.read for passage in read),
        missing_name=_missing("name", notions, unsaid, hit.passage.lang),
        missing_term=_missing("term", notions, unsaid, hit.passage.lang),
        asked=hit.signals.asked,
    )


def beside_the_subject(findings: Findings, read: Sequence[WeighedPassage], log_odds: float) -> bool:
    """Whether a question names nothing of the field, and the page is not about what it names either.

    A note for beginners may compare a kernel with a kitchen: that is no answer to how rice is cooked. A general word
    (`match`) beside one that is strange to the field (`football`) counts for little.
    """
    notions = [notion for notion in findings.question.notions if not notion.plain]
    kinds = {notion.kind for notion in notions}
    if kinds & {"name", "term"}:
        return False
    if "word" in kinds:
        return "stranger" in kinds and log_odds < _HARDLY
    hit = read[0].hit
    return not any(
        field.context.held_by(
            np.flatnonzero(np.isin(field.rows, _page_rows(hit))),
            {token for notion in notions for way in notion.ways[field.lang] for token in way},
        )
        for field in hit.source.fields
    )


def names_the_field(findings: Findings) -> bool:
    """Whether it has a name, a term, or a word of our pages that is not of everyday English; a year is none."""
    return any(
        notion.kind in {"name", "term", "word"} and not notion.plain and not notion.text.isdigit()
        for notion in findings.question.notions
    )


def _missing(kind: str, notions: Sequence[Notion], unsaid: NDArray[np.float64], lang: str) -> float:
    """The most telling one; what this language has no word for, no page of it can be said to lack."""
    telling = [
        float(rarity)
        for notion, rarity in zip(notions, unsaid, strict=True)
        if notion.kind == kind and notion.sayable(lang)
    ]
    return max(telling, default=0.0)


def _said(hit: Hit, rows: NDArray[np.int64], notions: Sequence[Notion]) -> NDArray[np.float64]:
    """For each notion, how much of it these rows say: of `diffusion model`, `model` alone is little."""
    held = _held(hit, rows, notions)
    lang, body = next((field.lang, field.body) for field in hit.source.fields if field.lang == hit.passage.lang)

    def share(way: Sequence[str]) -> float:
        rarities = [body.rarity_of(token) for token in way]
        return sum(rarity for token, rarity in zip(way, rarities, strict=True) if token in held) / sum(rarities)

    return np.array([max(map(share, notion.ways[lang]), default=0.0) for notion in notions], dtype=np.float64)


def _held(hit: Hit, rows: NDArray[np.int64], notions: Sequence[Notion]) -> frozenset[str]:
    """Tokens of the notions that stand anywhere in these rows of the hit's source."""
    held: frozenset[str] = frozenset()
    for field in hit.source.fields:
        mine = np.flatnonzero(np.isin(field.rows, rows))
        wanted = {token for notion in notions for way in notion.ways[field.lang] for token in way}
        held |= field.body.held_by(mine, wanted)
    return held


def _page_rows(hit: Hit) -> NDArray[np.int64]:
    pages = hit.source.generation.page_of
    return np.flatnonzero(pages == pages[hit.passage.row])
