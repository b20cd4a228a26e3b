"""What to read instead of an answer: the nearest pages, as the shelf of recommendations knows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from knowledge.library.passages import Passage
from knowledge.readings import Reading
from knowledge.recommend.reasons import reading_of
from knowledge.recommend.shelf import Shelf
from knowledge.search.searcher import Hit
from knowledge.store.scope import Scope
from knowledge.words import Message

_MOST = 3


class NearestReadings:
    """Readings with title, level and minutes in the asker's language where the shelf has the page, gone ones last."""

    def __init__(self, shelf: Callable[[Scope], Awaitable[Shelf]]) -> None:
        self._shelf = shelf

    async def __call__(self, hits: Sequence[Hit], lang: str, scope: Scope) -> tuple[Reading, ...]:
        known = (await self._shelf(scope)).by_id
        readings = [
            reading_of(known[passage.resource_id], lang, Message("why.nearest").text(lang))
            if passage.resource_id in known
            else _of_passage(passage, lang)
            for passage in _one_a_resource(hits)
        ]
        return tuple(sorted(readings, key=lambda reading: reading.link_state == "dead")[:_MOST])


async def nearest_pages(hits: Sequence[Hit], lang: str, _scope: Scope) -> tuple[Reading, ...]:
    """The pages of the nearest passages, for an index without a shelf."""
    return tuple(_of_passage(passage, lang) for passage in _one_a_resource(hits))[:_MOST]


def _one_a_resource(hits: Sequence[Hit]) -> Iterable[Passage]:
    """The nearest passage of each resource, nearest first."""
    first: dict[str, Passage] = {}
    for hit in hits:
        first.setdefault(hit.passage.resource_id, hit.passage)
    return first.values()


def _of_passage(passage: Passage, lang: str) -> Reading:
    return Reading(
        resource_id=passage.resource_id,
        title=passage.title,
        url=passage.link,
        lang=passage.lang,
        level=passage.level or "",
        minutes=None,
        kind=passage.page_kind,
        topics=passage.topics,
        why=Message("why.nearest").text(lang),
    )
