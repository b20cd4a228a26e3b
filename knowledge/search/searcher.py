"""Search over everything that somebody may see: the ranked passages, with what each signal said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knowledge.errors import BadInput, IndexUnusable
from knowledge.library.embed import Embedder, Vectors
from knowledge.library.passages import Passage
from knowledge.search.fusion import FITTED, Weights
from knowledge.search.question import Question, read_question
from knowledge.search.reranker import Reranker
from knowledge.search.signals import Signals, rarities, signals
from knowledge.search.source import Source, Sources
from knowledge.text.fold import visible
from knowledge.text.language import Lang
from knowledge.text.tokens import tokens

MOST_CHARACTERS = 4000
_READ_CHARACTERS = 1500
_PER_PAGE = 2
_RERANKED = 24
"""How many passages the reranker is shown: what search ranks lower, it found for other reasons."""

_NEAR, _SPEAKS_OF_IT = 0.2, 0.37
"""Cosine, and share of the question's rarity, from which a link is about what was asked: a book on knitting is a book
like those on CUDA, and says nothing of knitting."""

_NEAR_READINGS, _FULLY_NEAR = 30, 14.0
"""How many passages of a source are looked at, and the score of one that is on nothing else."""


@dataclass(frozen=True, slots=True)
class Hit:
    rank: int
    score: float
    passage: Passage
    signals: Signals
    source: Source

    @property
    def page(self) -> int:
        """Number of its page within its source."""
        return int(self.source.generation.page_of[self.passage.row])

    def as_json(self) -> dict[str, Any]:
        passage = self.passage
        return {
            "rank": self.rank,
            "score": round(self.score, 4),
            "url": passage.link,
            "path": passage.path,
            "title": passage.title,
            "section": passage.section,
            "lang": passage.lang,
            "kind": passage.kind,
            "text": passage.text,
        }


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search knows: enough for an answer, or for a refusal with reasons."""

    question: Question
    rarities: tuple[float, ...]
    vector: Vectors
    hits: tuple[Hit, ...]
    home: tuple[Hit, ...] = ()
    """To quote from: where a page exists in both languages, the asker's alone. Asked for with `at_home`."""


class Searcher:
    def __init__(
        self, sources: Sources, embedder: Embedder, weights: Weights = FITTED, reranker: Reranker | None = None
    ) -> None:
        self._sources = sources
        self._embedder = embedder
        self._weights = weights
        self._reranker = reranker

    @property
    def generation(self) -> str:
        """Name of the shared generation in use."""
        return self._sources.shared().name

    def search(
        self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Lang | None = None
    ) -> tuple[Hit, ...]:
        """The best passages, at most two of a page; `lang` confines them to pages in one language."""
        return self.findings(self.read(text, guild_id=guild_id), k, guild_id=guild_id, pages_in=lang).hits

    def read(self, text: str, *, guild_id: str | None = None) -> Question:
        """The question as search understands it; BadInput says what is wrong with it."""
        return read_question(checked(text), self._sources.visible(guild_id)[0].bridge)

    def vectors(self, questions: Sequence[Question]) -> Vectors:
        """A vector for each question, as it is searched with."""
        chinese_read = self._sources.shared().chinese_read
        return self._embedder.queries([one.for_embedder(chinese_read=chinese_read) for one in questions])

    def vocabulary(self, guild_id: str | None = None) -> Callable[[str], bool]:
        """What tells whether a word stands in any page that somebody in this guild may see."""
        numbers = [field.body.numbers for source in self._sources.visible(guild_id) for field in source.fields]
        return lambda word: any(token in known for token in tokens(word) for known in numbers)

    def findings(
        self,
        question: Question,
        k: int = 12,
        *,
        guild_id: str | None = None,
        pages_in: Lang | None = None,
        per_page: int = _PER_PAGE,
        at_home: bool = False,
    ) -> Findings:
        """`at_home`: also what to quote where a page exists in both languages."""
        sources = self._sources.visible(guild_id)
        return find(
            question, sources, self._embedder, k, per_page, pages_in, self._weights, self._reranker, at_home=at_home
        )

    def links(self, question: Question, k: int = 3) -> tuple[Hit, ...]:
        """Links to what was asked about, best first; none where the list has nothing on it.

        For a question that asks for something to read: what answers a question comes from pages, by `findings`.
        """
        source = self._sources.links()
        if source is None:
            return ()
        hits = find(question, (source,), self._embedder, k, 1, question.lang, self._weights).hits
        return tuple(hit for hit in hits if _about_it(hit))

    def near(self, guild_id: str | None, text: str) -> Mapping[str, float]:
        """How near readings are to a text, from 0 to 1, by their ids: notes by their best passage, links by what is
        said of them. Only those that speak of it are there; without an index, none.
        """
        seen = visible(text).strip()[:_READ_CHARACTERS]
        if not any(character.isalnum() for character in seen):
            return {}
        try:
            sources = (*self._sources.visible(guild_id), *filter(None, (self._sources.links(),)))
        except IndexUnusable:
            return {}
        question = self.read(seen, guild_id=guild_id)
        found: dict[str, float] = {}
        for source in sources:
            for hit in find(question, (source,), self._embedder, _NEAR_READINGS, 1, None, self._weights).hits:
                if _about_it(hit):
                    nearness = min(1.0, hit.score / _FULLY_NEAR)
                    name = hit.passage.resource_id
                    found[name] = max(nearness, found.get(name, 0.0))
        return found


def _about_it(link: Hit) -> bool:
    return link.signals.dense >= _NEAR and link.signals.coverage >= _SPEAKS_OF_IT


def find(
    question: Question,
    sources: Sequence[Source],
    embedder: Embedder,
    k: int = 12,
    per_page: int = _PER_PAGE,
    pages_in: Lang | None = None,
    weights: Weights = FITTED,
    reranker: Reranker | None = None,
    *,
    at_home: bool = False,
) -> Findings:
    """The best passages of all sources; the first one says how rare the question's terms are."""
    shared = sources[0]
    rarity = rarities(shared, question.notions)
    vector = embedder.queries([question.for_embedder(chinese_read=shared.chinese_read)])[0]
    scored = sorted(
        (
            (weights.score(of), source, of)
            for source in sources
            for of in signals(source, question, vector, rarity)
            if pages_in is None or of.lang == pages_in
        ),
        key=lambda found: (-found[0], found[2].row),
    )

    def best(of: Iterable[_Scored]) -> tuple[Hit, ...]:
        if reranker is None:
            return tuple(_hits(_spread(of, per_page), k))
        return _reranked(question.text, tuple(_hits(_spread(of, per_page), max(k, _RERANKED))), reranker)[:k]

    hits = home = best(scored)
    if at_home:
        ours = [found for found in scored if found[2].lang == question.lang]
        home = _brought_home(hits, lambda: best(ours), question.lang)
    return Findings(question, tuple(float(value) for value in rarity), vector, hits, home)


def _reranked(question: str, hits: Sequence[Hit], reranker: Reranker) -> tuple[Hit, ...]:
    """Return the passages in the reranker's order. A rank keeps its score: refusals are measured on that scale."""
    read = reranker.scores(question, [hit.passage.in_context for hit in hits])
    order = sorted(range(len(hits)), key=lambda place: (-read[place], place))
    return tuple(
        replace(hits[place], rank=rank, score=hits[rank - 1].score) for rank, place in enumerate(order, start=1)
    )


def _brought_home(hits: Sequence[Hit], ours: Callable[[], Sequence[Hit]], lang: Lang) -> tuple[Hit, ...]:
    """Passages of a page that has a translation into the asker's language give way to the best in that language."""
    abroad: dict[Source, set[int]] = {}
    for hit in hits:
        if hit.passage.lang != lang:
            abroad.setdefault(hit.source, set()).add(hit.page)
    twins = {(source, page) for source, pages in abroad.items() for page in source.generation.translated(pages, lang)}
    if not twins:
        return tuple(hits)
    kept = [hit for hit in hits if hit.passage.lang == lang or (hit.source, hit.page) not in twins]
    known = {(hit.source, hit.signals.row) for hit in kept}
    kept += [hit for hit in ours() if (hit.source, hit.signals.row) not in known]
    ranked = sorted(kept, key=lambda hit: -hit.score)[: len(hits)]
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(ranked, start=1))


def checked(text: str) -> str:
    """A question that can be searched for, cut to what an embedder reads; BadInput otherwise."""
    if len(text) > MOST_CHARACTERS:
        raise BadInput("error.question.too_long", length=len(text), most=MOST_CHARACTERS)
    seen = visible(text).strip()
    if not any(character.isalnum() for character in seen):
        raise BadInput("error.question.empty")
    return seen[:_READ_CHARACTERS]


_Scored = tuple[float, Source, Signals]


def _spread(scored: Iterable[_Scored], per_page: int) -> Iterator[_Scored]:
    """At most so many passages of one page, so that one long page does not fill the list."""
    of_page: Counter[tuple[int, int]] = Counter()
    for found in scored:
        page = (id(found[1]), int(found[1].generation.page_of[found[2].row]))
        of_page[page] += 1
        if of_page[page] <= per_page:
            yield found


def _hits(scored: Iterable[_Scored], k: int) -> Iterator[Hit]:
    chosen = [found for found, _ in zip(scored, range(k), strict=False)]
    passages: dict[tuple[int, int], Passage] = {}
    for source in {id(source): source for _, source, _ in chosen}.values():
        rows = [of.row for _, its, of in chosen if its is source]
        passages |= {
            (id(source), row): passage for row, passage in zip(rows, source.generation.passages(rows), strict=True)
        }
    for rank, (score, source, of) in enumerate(chosen, start=1):
        yield Hit(rank, score, passages[id(source), of.row], of, source)
