"""An opened generation with its search files, and the right one at the right time: it changes while we run."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import IndexUnusable
from knowledge.library.embed import EmbedderSpec
from knowledge.library.generation import (
    LANGS,
    MEND,
    Generation,
    current_folder,
    index_folder,
    links_folder,
    open_generation,
)
from knowledge.search.asked import AskedIndex
from knowledge.search.bridge import Bridge, Pair
from knowledge.search.keywords import KeywordIndex
from knowledge.search.sentences import SentenceIndex
from knowledge.text.language import Lang

FOLDER = "search"
NOTES = "notes.json"
VERSION = 5
"""Raise it when tokens, sentences, files or features of the certainty change: an index of another one is refused."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The passages of one language, by the words of their text and of their headings."""

    lang: Lang
    rows: NDArray[np.int64]
    body: KeywordIndex
    context: KeywordIndex


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Passages with everything that search and ask read about them."""

    generation: Generation
    fields: tuple[Field, ...]
    sentences: SentenceIndex
    asked: AskedIndex
    bridge: Bridge
    chinese_read: bool
    name: str = ""
    """Of the generation."""

    @property
    def size(self) -> int:
        return len(self.generation)


class Sources:
    """The shared library and each guild's own, opened when first asked for and again after a new build."""

    def __init__(self, data_dir: Path, expect: EmbedderSpec, bridge: Callable[[tuple[Pair, ...]], Bridge]) -> None:
        """`bridge` makes a bridge out of the pairs that a generation's pages state."""
        self._data_dir = data_dir
        self._expect = expect
        self._bridge = bridge
        self._lock = threading.Lock()
        self._opened: dict[Path, tuple[Path, Source]] = {}

    def shared(self) -> Source:
        """IndexUnusable where there is none."""
        return self._current(index_folder(self._data_dir))

    def links(self) -> Source | None:
        """What is said of each listed resource; None where no build has indexed that yet."""
        index = links_folder(self._data_dir)
        return self._current(index) if current_folder(index) is not None else None

    def visible(self, guild_id: str | None) -> tuple[Source, ...]:
        """What somebody in this guild may see: the shared library, and the guild's own if it has one."""
        own = index_folder(self._data_dir, guild_id)
        if guild_id is None or current_folder(own) is None:
            return (self.shared(),)
        return self.shared(), self._current(own)

    def close(self) -> None:
        with self._lock:
            for _, source in self._opened.values():
                source.generation.close()
            self._opened.clear()

    def _current(self, index: Path) -> Source:
        folder = current_folder(index)
        if folder is None:
            raise IndexUnusable(f"there is no index in {index}; {MEND}")
        with self._lock:
            known = self._opened.get(index)
            if known is None or known[0] != folder:
                # The one before is left to the questions that still read it; it closes with its last reference.
                self._opened[index] = known = (folder, self._open(folder))
            return known[1]

    def _open(self, folder: Path) -> Source:
        generation = open_generation(folder, expect=self._expect)
        notes = generation.manifest.notes
        if notes.get("search", {}).get("version") != VERSION:
            generation.close()
            raise IndexUnusable(f"the index in {folder} was made by another version of the search; {MEND}")
        source = read_files(folder / FOLDER, generation, self._bridge)
        return replace(source, name=generation.manifest.generation)


def read_files(files: Path, generation: Generation, make_bridge: Callable[[tuple[Pair, ...]], Bridge]) -> Source:
    """Open the search files of a generation."""
    notes = json.loads((files / NOTES).read_text(encoding="utf-8"))
    return Source(
        generation=generation,
        fields=tuple(_field(files / lang, lang) for lang in LANGS),
        sentences=SentenceIndex.open(files / "sentences"),
        asked=AskedIndex.open(files / "asked"),
        bridge=make_bridge(tuple(Pair(tuple(row["en"]), tuple(row["zh"])) for row in notes["stated"])),
        chinese_read=bool(notes["chinese_read"]),
    )


def _field(folder: Path, lang: Lang) -> Field:
    return Field(
        lang=lang,
        rows=np.load(folder / "rows.npy"),
        body=KeywordIndex.open(folder / "body"),
        context=KeywordIndex.open(folder / "context"),
    )
