"""Links as something to find: what is known of each listed resource is a passage of an index of its own.

The index of pages does not hold them: a question is answered by the page that explains it, and two lines that name a
course on the subject would stand before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from indexer.build import BuildSetup, opened_cache
from indexer.generations import publish
from indexer.search_files import Draft
from knowledge.catalogue import Item
from knowledge.content import Topics
from knowledge.errors import IndexUnusable
from knowledge.library.generation import LANGS, current_folder, links_folder, open_generation
from knowledge.library.passages import Passage, content_hash
from knowledge.store.base import now
from knowledge.words import core_languages

KIND = "link"
"""The kind of page of such a passage."""
_VERSION = 1
"""Raise it when the text of a link is put together in another way."""


def index_links(setup: BuildSetup, items: Iterable[Item], topics: Topics) -> bool:
    """Publish the links among the items; False where the index in use has them all as they are."""
    index = links_folder(setup.data_dir)
    passages = [replace(one, row=row) for row, one in enumerate(_passages(items, topics))]
    notes = {"wording": setup.wording.version, "holds": _digest(passages)}
    if _stands(setup, notes):
        return False
    with opened_cache(setup) as cache:
        texts = [passage.in_context for passage in passages]
        vectors = cache.passages(texts, setup.wording.readable, setup.wording.version)
        publish(index, Draft(passages, vectors, cache, setup.wording), setup.embedder.spec, notes)
    return True


def _passages(items: Iterable[Item], topics: Topics) -> Iterator[Passage]:
    """Yield a passage in each language in which a resource has a summary; our own notes are read themselves."""
    for item in items:
        summaries = {"en": item.summary_en, "zh": item.summary_zh}
        if item.own or not item.url or item.origin == "mirror" or item.link_state == "dead":
            continue
        yield from (_passage(item, lang, summaries[lang], topics) for lang in LANGS if summaries[lang])


def _passage(item: Item, lang: str, summary: str, topics: Topics) -> Passage:
    language = core_languages()[lang]
    labels = [
        language.word("kind", item.kind),
        language.word("level", item.level),
        language.word("language", item.lang),
        *(topics[topic].title.text(lang) for topic in item.topics if topic in topics),
    ]
    text = f"{summary}\n{language.listed(labels)}"
    return Passage(
        row=0,
        resource_id=item.id,
        snapshot_id=0,
        url=item.url or "",
        path=f"links/{lang}/{item.id}",
        title=item.title(lang),
        headings=(),
        anchor="",
        lang=lang,
        kind="prose",
        text=text,
        start=0,
        end=len(text),
        fetched_at=now(),
        content_hash=content_hash(text),
        page_kind=KIND,
        level=item.stated_level,
        topics=item.topics,
    )


def _digest(passages: Sequence[Passage]) -> str:
    held = sorted((one.path, one.url, one.in_context) for one in passages)
    return hashlib.sha256(repr((_VERSION, held)).encode()).hexdigest()


def _stands(setup: BuildSetup, notes: dict[str, Any]) -> bool:
    folder = current_folder(links_folder(setup.data_dir))
    if folder is None:
        return False
    try:
        generation = open_generation(folder, expect=setup.embedder.spec)
    except IndexUnusable:
        return False
    generation.close()
    return all(generation.manifest.notes.get(key) == value for key, value in notes.items())
