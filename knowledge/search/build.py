"""What search needs beside the vectors, written into a generation while it is made.

`readable` says how a text is read to the embedder, `writer` adds keyword indexes and sentences. Both go to the
indexer, which knows nothing of how they are used.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from knowledge.library.embed import Embedder, Vectors
from knowledge.library.generation import LANGS
from knowledge.library.passages import Passage
from knowledge.search.bridge import Bridge
from knowledge.search.keywords import KeywordIndex
from knowledge.search.sentences import quotable, sentence_index
from knowledge.search.stated import stated_pairs
from knowledge.text.language import has_han
from knowledge.text.sentences import Span
from knowledge.text.tokens import tokens
from knowledge.text.word_lists import read_table

FOLDER = "search"
NOTES = "notes.json"
VERSION = 4
"""Raise it when tokens, sentences, files or features of the refusal change: an index of another one is refused."""
_PROBE = Path(__file__).with_name("probe.toml")


class Texts(Protocol):
    """Work on further texts, done once for each."""

    def passages(
        self, texts: Sequence[str], render: Callable[[str], str] | None = None, version: str = ""
    ) -> Vectors: ...

    def begin(self, texts: Sequence[str], render: Callable[[str], str] | None = None, version: str = "") -> None: ...

    def remembered(self, kind: str, texts: Sequence[str], work: Callable[[str], bytes]) -> list[bytes]: ...


class Draft(Protocol):
    """What the indexer hands to a writer."""

    @property
    def folder(self) -> Path: ...
    @property
    def passages(self) -> Sequence[Passage]: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def cache(self) -> Texts: ...


def reads_chinese(embedder: Embedder) -> bool:
    """Whether the model knows that a Chinese sentence and its English translation mean the same: by asking it."""
    pairs = read_table(_PROBE)["pairs"]
    chinese = embedder.queries([zh for zh, _ in pairs])
    english = embedder.queries([en for _, en in pairs])
    nearest = (chinese @ english.T).argmax(axis=1)
    return bool((nearest == np.arange(len(pairs))).mean() > 0.8)


def readable(bridge: Bridge, *, chinese_read: bool) -> Callable[[str], str]:
    """Any text as the embedder can read it: Chinese is rendered into English for a model that reads none."""
    return lambda text: text if chinese_read or not has_han(text) else bridge.rendered(text)


def writer(bridge: Bridge, *, chinese_read: bool, version: str) -> Callable[[Draft], dict[str, Any]]:
    """`version` names what `bridge` was made of: sentences embedded under another one are rendered anew."""

    read = readable(bridge, chinese_read=chinese_read)

    def write(draft: Draft) -> dict[str, Any]:
        folder = draft.folder / FOLDER
        spans = [quotable(passage.text, passage.kind) for passage in draft.passages]
        said = [
            span.of(passage.text)
            for passage, own in zip(draft.passages, spans, strict=True)
            if passage.kind == "prose"
            for span in own
        ]
        draft.cache.begin(said, read, version)  # while words are counted
        for lang in LANGS:
            _write_keywords(folder / lang, draft, lang)
        _write_sentences(folder / "sentences", draft, spans, draft.cache.passages(said, read, version))
        chinese = (passage.in_context for passage in draft.passages if passage.lang == "zh")
        pairs = [asdict(pair) for pair in stated_pairs(chinese)]
        notes = {"chinese_read": chinese_read, "stated": pairs}
        (folder / NOTES).write_text(json.dumps(notes, ensure_ascii=False), encoding="utf-8")
        return {"search": {"version": VERSION, "chinese_read": chinese_read, "stated_pairs": len(pairs)}}

    return write


def _write_keywords(folder: Path, draft: Draft, lang: str) -> None:
    """Statistics of each language apart: a word rare among Chinese pages may be common among English ones."""
    rows = [row for row, passage in enumerate(draft.passages) if passage.lang == lang]
    contexts = _counted(draft.cache, [draft.passages[row].context for row in rows])
    texts = _counted(draft.cache, [draft.passages[row].text for row in rows])
    KeywordIndex.build([text + context for text, context in zip(texts, contexts, strict=True)]).save(folder / "body")
    KeywordIndex.build(contexts).save(folder / "context")
    np.save(folder / "rows.npy", np.array(rows, dtype=np.int64))


def _counted(cache: Texts, texts: Sequence[str]) -> list[Counter[str]]:
    def count(text: str) -> bytes:
        return json.dumps(Counter(tokens(text)), ensure_ascii=False).encode()

    return [Counter(json.loads(row)) for row in cache.remembered(f"tokens {VERSION}", texts, count)]


def _write_sentences(folder: Path, draft: Draft, spans: Sequence[Sequence[Span]], said: Vectors) -> None:
    """A code block is quoted whole, so its passage's vector serves: only sentences have vectors of their own."""
    counts = np.array([len(own) for own in spans], dtype=np.int64)
    rows = np.repeat(np.arange(len(spans)), counts)
    prose = np.repeat(np.array([passage.kind == "prose" for passage in draft.passages], dtype=bool), counts)
    vectors = np.array(draft.vectors[rows])
    vectors[prose] = said
    sentence_index(spans, vectors).save(folder)
