"""The files that search reads beside the vectors: keyword indexes, sentences, questions with the sections that answer
them, pairs of names that pages state.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from indexer.work_cache import WorkCache
from knowledge.content.asked import INTRODUCTION, AskedSection
from knowledge.library.embed import Vectors
from knowledge.library.generation import LANGS
from knowledge.library.passages import Passage
from knowledge.search.asked import AskedIndex, is_question
from knowledge.search.keywords import KeywordIndex
from knowledge.search.sentences import quotable, sentence_index
from knowledge.search.source import FOLDER, NOTES, VERSION
from knowledge.search.stated_pairs import stated_pairs
from knowledge.search.wording import Wording
from knowledge.text.sentences import Span
from knowledge.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Draft:
    """The source of the files: the passages of the next generation, and their vectors."""

    passages: Sequence[Passage]
    vectors: Vectors
    cache: WorkCache
    """Embeds sentences and counts words, once per text."""
    wording: Wording
    asked: Sequence[AskedSection] = ()
    """What sections of our notes answer."""


def write_search_files(generation: Path, draft: Draft) -> dict[str, Any]:
    """Write the files below the folder of the generation; return what the manifest notes of them."""
    folder, wording = generation / FOLDER, draft.wording
    spans = [quotable(passage.text, passage.kind) for passage in draft.passages]
    said = [
        span.of(passage.text)
        for passage, own in zip(draft.passages, spans, strict=True)
        if passage.kind == "prose"
        for span in own
    ]
    draft.cache.begin(said, wording.readable, wording.version)  # while words are counted
    for lang in LANGS:
        _write_keywords(folder / lang, draft, lang)
    _write_sentences(
        folder / "sentences", draft, spans, draft.cache.passages(said, wording.readable, wording.version)
    )
    _write_asked(folder / "asked", draft)
    chinese = (passage.in_context for passage in draft.passages if passage.lang == "zh")
    pairs = [asdict(pair) for pair in stated_pairs(chinese)]
    notes = {"chinese_read": wording.chinese_read, "stated": pairs}
    (folder / NOTES).write_text(json.dumps(notes, ensure_ascii=False), encoding="utf-8")
    return {"search": {"version": VERSION, "chinese_read": wording.chinese_read, "stated_pairs": len(pairs)}}


def _write_keywords(folder: Path, draft: Draft, lang: str) -> None:
    """Write the keyword files of each language apart: a word rare in Chinese pages may be common in English ones."""
    rows = [row for row, passage in enumerate(draft.passages) if passage.lang == lang]
    contexts = _counted(draft.cache, [draft.passages[row].context for row in rows])
    texts = _counted(draft.cache, [draft.passages[row].text for row in rows])
    KeywordIndex.build([text + context for text, context in zip(texts, contexts, strict=True)]).save(folder / "body")
    KeywordIndex.build(contexts).save(folder / "context")
    np.save(folder / "rows.npy", np.array(rows, dtype=np.int64))


def _write_asked(folder: Path, draft: Draft) -> None:
    """Write the questions of each section with the passages below its heading.

    A model that reads one language alone cannot compare questions in two: nothing is written for it.
    """
    written = {(one.resource_id, heading): one for one in draft.asked for heading in one.headings}
    rows: dict[tuple[str, str], list[int]] = {}
    asked: dict[tuple[str, str], dict[str, None]] = {}
    for row, passage in enumerate(draft.passages if draft.wording.chinese_read else ()):
        heading = passage.headings[-1] if passage.headings else INTRODUCTION
        section = written.get((passage.resource_id, heading))
        key = (section.resource_id, section.headings[0]) if section else (str(passage.snapshot_id), heading)
        own = [heading] if is_question(heading) else []
        if section or own:
            rows.setdefault(key, []).append(row)
            asked.setdefault(key, {}).update(dict.fromkeys([*(section.questions if section else ()), *own]))
    vectors = draft.cache.questions([question for own in asked.values() for question in own])
    counts = [len(own) for own in asked.values()]
    AskedIndex.build(list(rows.values()), counts, vectors, len(draft.passages)).save(folder)


def _counted(cache: WorkCache, texts: Sequence[str]) -> list[Counter[str]]:
    def count(text: str) -> bytes:
        return json.dumps(Counter(tokens(text)), ensure_ascii=False).encode()

    return [Counter(json.loads(row)) for row in cache.remembered(f"tokens {VERSION}", texts, count)]


def _write_sentences(folder: Path, draft: Draft, spans: Sequence[Sequence[Span]], said: Vectors) -> None:
    """Write the sentences with their vectors; a code block is quoted whole and has only its passage's vector."""
    counts = np.array([len(own) for own in spans], dtype=np.int64)
    rows = np.repeat(np.arange(len(spans)), counts)
    prose = np.repeat(np.array([passage.kind == "prose" for passage in draft.passages], dtype=bool), counts)
    vectors = np.array(draft.vectors[rows])
    vectors[prose] = said
    sentence_index(spans, vectors).save(folder)
