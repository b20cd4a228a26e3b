"""The legs of the search over one source: for each promising passage, four signals between 0 and about 1.

Each page language is searched with the question's words in that language. The signals are shares (of the
question's rarity, of the largest possible weight), so that passages of both languages compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.library.embed import Vectors
from knowledge.search.keywords import K1, KeywordIndex
from knowledge.search.question import Notion, Question
from knowledge.search.source import Field, Source
from knowledge.text.language import has_han

_EACH = 40
_NEAREST = 120
_ASKED = 20
_PLAIN_RARITY = 2.5
"""The most that an ordinary word may count: as much as a word that every twelfth passage contains."""
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Signals:
    """keyword, coverage, context, dense: in the order of the fusion's weights."""

    row: int
    lang: str
    keyword: float
    """BM25 over its largest possible value for this question."""
    coverage: float
    """Share of the question's notions, by rarity, that the passage or its headings speak of."""
    context: float
    """The same for title and headings alone."""
    dense: float
    """Cosine of passage and question."""
    asked: float = 0.0
    """Cosine of the question with the nearest one that the passage's section is known to answer."""

    @property
    def vector(self) -> tuple[float, float, float, float]:
        return self.keyword, self.coverage, self.context, self.dense


def rarities(source: Source, notions: Sequence[Notion]) -> NDArray[np.float64]:
    """How telling each notion is in this library: from the number of passages that may speak of it."""
    counts = np.array(
        [sum(_spoken_of(field.body, notion.ways[field.lang]) for field in source.fields) for notion in notions]
    )
    rarity: NDArray[np.float64] = np.log1p((source.size - np.minimum(counts, source.size) + 0.5) / (counts + 0.5))
    plain = np.array([notion.plain for notion in notions], dtype=bool)
    return np.where(plain, np.minimum(rarity, _PLAIN_RARITY), rarity)


def _spoken_of(index: KeywordIndex, ways: Iterable[tuple[str, ...]]) -> int:
    return max((min(index.count_of(token) for token in way) for way in ways), default=0)


def signals(source: Source, question: Question, vector: Vectors, rarity: NDArray[np.float64]) -> list[Signals]:
    """Candidates of both languages, in no order."""
    near = source.generation.nearest(vector, _NEAREST)
    dense = dict(near)
    english = next(field for field in source.fields if field.lang == "en")
    found = [_Leg(field, english, question, rarity) for field in source.fields]
    asked = source.asked.likeness(vector)
    by_words = (row for leg in found for row in leg.best(_EACH))
    rows = sorted({*dense, *by_words, *(int(row) for row in _top(asked, _ASKED))})
    missing = np.array([row for row in rows if row not in dense], dtype=np.int64)
    if len(missing):
        dense |= dict(source.generation.nearest(vector, len(missing), missing))
    return [made for leg in found for made in leg.signals(rows, dense, asked)]


class _Leg:
    """Keyword, coverage and context over the passages of one language."""

    def __init__(self, field: Field, english: Field, question: Question, rarity: NDArray[np.float64]) -> None:
        self._field = field
        whole = float(rarity.sum()) or 1.0
        size = field.body.size
        keyword, coverage, context = (np.zeros(size, dtype=np.float32) for _ in range(3))
        for notion, weight in zip(question.notions, rarity, strict=True):
            ways = notion.ways[field.lang]
            trust = [_trust(field, english, way) if own else 1.0 for way, own in _marked(notion, ways)]
            keyword += _best(field.body.scores, ways, trust, size)
            coverage += weight * _best(field.body.shares, ways, trust, size)
            context += weight * _best(field.context.shares, ways, trust, size)
        if question.lang == field.lang:
            keyword = field.body.scores(question.tokens)
        self._keyword = keyword / ((K1 + 1) * whole)
        self._coverage, self._context = coverage / whole, context / whole

    def best(self, k: int) -> list[int]:
        """Rows with the highest keyword or coverage signal."""
        tops = [_top(scores, k) for scores in (self._keyword, self._coverage)]
        return [int(self._field.rows[local]) for local in np.unique(np.concatenate(tops))]

    def signals(self, rows: Sequence[int], dense: dict[int, float], asked: Scores) -> list[Signals]:
        mine = self._field.rows
        locals_ = np.searchsorted(mine, rows)
        return [
            Signals(
                row=row,
                lang=self._field.lang,
                keyword=float(self._keyword[local]),
                coverage=float(self._coverage[local]),
                context=float(self._context[local]),
                dense=dense[row],
                asked=float(asked[row]),
            )
            for row, local in zip(rows, locals_, strict=True)
            if local < len(mine) and mine[local] == row
        ]


def _marked(notion: Notion, ways: Sequence[tuple[str, ...]]) -> list[tuple[tuple[str, ...], bool]]:
    """Each way with whether it is the asker's own English word, looked for among pages of either language."""
    ordinary = set() if notion.named or has_han(notion.text) else set(notion.ways["en"])
    return [(way, way in ordinary) for way in ways]


def _trust(field: Field, english: Field, way: tuple[str, ...]) -> float:
    """An ordinary English word is no rarity because few Chinese pages hold it: `help` in a log is not about help."""
    if field is english:
        return 1.0
    return min(1.0, *(english.body.rarity_of(token) / max(field.body.rarity_of(token), 1e-6) for token in way))


def _best(
    measure: Callable[[tuple[str, ...]], Scores], ways: Sequence[tuple[str, ...]], trust: Sequence[float], size: int
) -> Scores:
    """The highest value that any one way gives each passage."""
    best = np.zeros(size, dtype=np.float32)
    for way, factor in zip(ways, trust, strict=True):
        np.maximum(best, factor * measure(way), out=best)
    return best


def _top(scores: Scores, k: int) -> NDArray[np.int64]:
    k = min(k, len(scores))
    top: NDArray[np.int64] = np.argpartition(-scores, k - 1)[:k] if k else np.zeros(0, dtype=np.int64)
    return top[scores[top] > 0]
