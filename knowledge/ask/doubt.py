"""Whether what was found answers the question: a calibrated log-odds from a handful of features.

What tells a question that the library cannot answer, a wrong premise above all, is seldom a low similarity. It is
a telling term of the question that the answering page never mentions, and a question that comes nearer to the
passage when that term is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.evidence import Sentence
from knowledge.library.embed import Embedder
from knowledge.search.question import Notion, Question
from knowledge.search.searcher import Findings, Hit

_HALF = 0.5
_RIVALS = 4
"""Passages that may be as good as the best one: pages repeat each other."""
_PER_RARITY = 0.1
"""Rarities reach about ten; the other features lie between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The features, in the order of the weights."""

    merit: float
    """Of the best sentence."""
    told: float
    """Rarity of the most telling term that the answering passage says."""
    unsaid: float
    """Rarity of the most telling term that the answering page does not say."""
    missing_name: float
    """The same for names, abbreviations and identifiers that the language of the page could say, as for the next."""
    missing_term: float
    """For terms of the field: the glossary knows their other names, so that they really are missing."""
    missing_word: float
    """For general words, which a page may say in many ways."""
    missing_stranger: float
    """For what is neither: a page of the field has no reason to say it."""
    lighter: float
    """How much nearer the question comes to the passage without one of the terms that the passage lacks."""
    notions: float
    """How many things the question names: of a long one, some may well be missing."""
    lead: float
    """How far the best passage stands out from the common run: nothing answers what everything is a little like."""

    @property
    def values(self) -> tuple[float, ...]:
        missing = self.missing_name, self.missing_term, self.missing_word, self.missing_stranger
        return self.merit, self.told, self.unsaid, *missing, self.lighter, self.notions, self.lead


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the features, a bias and the bar, for questions in one language over one index."""

    weights: tuple[float, ...]
    bias: float
    bar: float
    """Log-odds below this are refused."""

    def log_odds(self, doubts: Doubts) -> float:
        return self.bias + sum(weight * value for weight, value in zip(self.weights, doubts.values, strict=True))

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Calibration:
        return cls(tuple(row["weights"]), float(row["bias"]), float(row["bar"]))


def shipped() -> dict[str, Calibration]:
    """Fitted on labelled questions over public pages; an index adds what it knows of its own noise."""
    rows = json.loads(Path(__file__).with_name("refusal.json").read_text(encoding="utf-8"))
    return {lang: Calibration.of(rows[lang]) for lang in ("en", "zh")}


def doubts(findings: Findings, weighed: list[tuple[float, Sentence]], embedder: Embedder) -> Doubts | None:
    """None where there is nothing to weigh: no notion in the question, or no passage."""
    notions = findings.question.notions
    if not notions or not findings.hits:
        return None
    merit, hit = (weighed[0][0], weighed[0][1].hit) if weighed else (0.0, findings.hits[0])
    lang = hit.passage.lang
    rarity = _PER_RARITY * np.array(findings.rarities)
    in_passage = _said(hit, np.array([hit.passage.row]), notions)
    unsaid = rarity * (1 - _said(hit, _page_rows(hit), notions))
    missing = _missing(notions, unsaid, lang)
    return Doubts(
        merit=merit,
        told=float((rarity * in_passage).max()),
        unsaid=float(unsaid.max()),
        missing_name=missing["name"],
        missing_term=missing["term"],
        missing_word=missing["word"],
        missing_stranger=missing["stranger"],
        lighter=_lighter(findings, hit, in_passage, embedder),
        notions=float(len(notions)),
        lead=_lead([hit.score for hit in findings.hits]),
    )


def _missing(notions: Sequence[Notion], unsaid: NDArray[np.float64], lang: str) -> dict[str, float]:
    """The most telling one of each kind; what this language has no word for, no page of it can be said to lack."""
    most = dict.fromkeys(("name", "term", "word", "stranger"), 0.0)
    for notion, telling in zip(notions, unsaid, strict=True):
        if notion.sayable(lang):
            most[notion.kind] = max(most[notion.kind], float(telling))
    return most


def _lead(scores: Sequence[float]) -> float:
    run = scores[_RIVALS:] or scores[-1:]
    return scores[0] - sum(run) / len(run)


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


def _lighter(findings: Findings, hit: Hit, in_passage: NDArray[np.float64], embedder: Embedder) -> float:
    question, row = findings.question, np.array([hit.passage.row])
    shorter = [
        text
        for notion, share in zip(question.notions, in_passage, strict=True)
        if share < _HALF and (text := _without(question, notion, chinese_read=hit.source.chinese_read))
    ]
    if not shorter:
        return 0.0
    nearest = hit.source.generation.nearest
    cosines = [nearest(vector, 1, row)[0][1] for vector in embedder.queries(shorter)]
    return max(0.0, max(cosines) - hit.signals.dense)


def _without(question: Question, notion: Notion, *, chinese_read: bool) -> str:
    """What the embedder would be given without this term; empty where the term is not in it."""
    text, word = (question.text, notion.text) if chinese_read else (question.rendered, notion.english)
    return text.replace(word, " ").strip() if word and word in text else ""
