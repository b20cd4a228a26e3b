"""A published index generation: a folder that is never changed, opened read-only and memory-mapped.

    index/current                  the name of the generation in use, switched by one rename
    index/generations/<id>/        manifest.json  vectors.npy  pages.npy  langs.npy  kinds.npy  passages.db  …

The manifest names every file with its size and checksum, the embedder that made the vectors, and the counts.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import IndexUnusable
from knowledge.library.embed import EmbedderSpec, Vectors
from knowledge.library.passages import Passage
from knowledge.library.vectors import VectorIndex, open_vectors
from knowledge.text.language import Lang

FORMAT = 1
MANIFEST = "manifest.json"
IN_USE = "in-use.lock"
"""Whoever reads a generation shares the lock of this file; whoever removes it wants it alone."""
MEND = "run: warpmate index build"
LANGS: tuple[Lang, ...] = ("en", "zh")
KINDS = ("prose", "code")


@dataclass(frozen=True, slots=True)
class Manifest:
    format: int
    generation: str
    created_at: datetime
    embedder: EmbedderSpec
    counts: dict[str, int]
    files: dict[str, dict[str, Any]]
    """Relative path to {bytes, sha256}."""
    vectors: dict[str, Any]
    """Kind of the vector index and what it was measured at."""
    notes: dict[str, Any]
    """What the build says of itself: its wording, the pages it holds, the version of the search files."""


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Safe to share between threads. `close` when it is replaced."""

    folder: Path
    manifest: Manifest
    vectors: VectorIndex
    page_of: NDArray[np.int32]
    """Page number of each row: rows of one page share it."""
    lang_of: NDArray[np.uint8]
    """Index into LANGS."""
    kind_of: NDArray[np.uint8]
    """Index into KINDS."""
    _database: _Rows
    _use: Use

    def __len__(self) -> int:
        return len(self.page_of)

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        """Return these passages, in the order asked for."""
        return self._database.passages(rows)

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.int64] | None = None) -> list[tuple[int, float]]:
        """(row, cosine) of the best rows, best first; `among` confines the search to some rows, exactly."""
        return self.vectors.nearest(vector, k, among)

    def translated(self, pages: Collection[int], lang: str) -> set[int]:
        """Return those of the pages whose resource has another page that is in this language."""
        return self._database.translated(pages, lang)

    def close(self) -> None:
        self._database.close()
        self._use.end()


class Use:
    """A share in a generation's lock, until it is ended or nobody refers to it; the kernel ends a dead process's."""

    def __init__(self, folder: Path) -> None:
        self.end: Callable[[], object] = lambda: None
        with suppress(FileNotFoundError):  # of a version that made none
            file = os.open(folder / IN_USE, os.O_RDONLY)
            self.end = weakref.finalize(self, os.close, file)
            fcntl.flock(file, fcntl.LOCK_SH)


def remove_unless_read(folder: Path) -> None:
    """Remove a generation that no process reads, here or on another host that shares the folder."""
    try:
        with (folder / IN_USE).open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except FileNotFoundError:
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


def index_folder(data_dir: Path, guild_id: str | None = None) -> Path:
    """The shared library's index, or the small one of what a guild added for itself."""
    return data_dir / "index" if guild_id is None else data_dir / "index" / "guilds" / _safe(guild_id)


def links_folder(data_dir: Path) -> Path:
    """The index of links: of what is said about each listed resource."""
    return data_dir / "index" / "links"


def _safe(guild_id: str) -> str:
    return guild_id if guild_id.isalnum() else hashlib.sha256(guild_id.encode()).hexdigest()[:24]


def current_folder(index: Path) -> Path | None:
    """The generation in use, whether it is whole or not."""
    pointer = index / "current"
    try:
        name = pointer.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    folder = index / "generations" / name
    return folder if name and "/" not in name and folder.is_dir() else None


def open_current(data_dir: Path, *, guild_id: str | None = None, expect: EmbedderSpec | None = None) -> Generation:
    """The generation in use; IndexUnusable says why it cannot be used and what mends it."""
    index = index_folder(data_dir, guild_id)
    folder = current_folder(index)
    if folder is None:
        raise IndexUnusable(f"there is no index in {index}; {MEND}")
    return open_generation(folder, expect=expect)


def open_generation(folder: Path, *, expect: EmbedderSpec | None = None) -> Generation:
    use = Use(folder)
    manifest = read_manifest(folder)
    if expect is not None and manifest.embedder != expect:
        raise IndexUnusable(
            f"the index was made with {_named(manifest.embedder)}, the settings name {_named(expect)}; {MEND}"
        )
    verify(folder, manifest)
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("pages", "langs", "kinds")}
    vectors = open_vectors(folder, manifest.vectors)
    if not len(vectors) == manifest.counts["passages"] == len(arrays["pages"]):
        raise IndexUnusable(f"the index in {folder} does not hold what its manifest counts; {MEND}")
    rows = _Rows(folder / "passages.db")
    return Generation(folder, manifest, vectors, arrays["pages"], arrays["langs"], arrays["kinds"], rows, use)


def _named(spec: EmbedderSpec) -> str:
    return f"{spec.model} ({spec.backend}, revision {spec.revision}, {spec.dimension} dimensions)"


def read_manifest(folder: Path) -> Manifest:
    try:
        row = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if row["format"] != FORMAT:
            raise IndexUnusable(f"the index in {folder} has format {row['format']}, not {FORMAT}; {MEND}")
        made = datetime.fromisoformat(row.pop("created_at"))
        return Manifest(created_at=made, embedder=EmbedderSpec(**row.pop("embedder")), **row)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise IndexUnusable(f"the index in {folder} has no readable manifest; {MEND}") from error


def verify(folder: Path, manifest: Manifest) -> None:
    """Every file is there, whole and unchanged."""
    for name, stated in manifest.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != stated["bytes"] or checksum(path) != stated["sha256"]:
            raise IndexUnusable(f"the index in {folder} is damaged ({name} is not what was published); {MEND}")


def checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class _Rows:
    """The passages' texts and addresses: one read-only connection for all threads, one question at a time."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?immutable=1", uri=True, check_same_thread=False
        )

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        wanted = [int(row) for row in rows]
        marks = ",".join("?" * len(wanted))
        with self._lock:
            found = self._connection.execute(f"{_SELECT} WHERE passages.row IN ({marks})", wanted).fetchall()
        by_row = {row[0]: _passage(row) for row in found}
        return [by_row[row] for row in wanted]

    def translated(self, pages: Collection[int], lang: str) -> set[int]:
        wanted = {"pages": json.dumps(sorted(pages)), "lang": lang}
        with self._lock:
            found = self._connection.execute(_TRANSLATED, wanted).fetchall()
        return {page for (page,) in found}

    def close(self) -> None:
        with self._lock:
            self._connection.close()


_SELECT = """
    SELECT passages.row, resource_id, snapshot_id, url, path, title, headings, anchor, passages.lang, passages.kind,
           text, start, "end", fetched_at, content_hash, page_kind, level, topics, meta
    FROM passages JOIN pages ON pages.page = passages.page
"""

# A page is in the language of most of its prose: a list of links on a Chinese page may well read as English.
_TRANSLATED = """
    SELECT pages.page
    FROM pages JOIN pages AS other ON other.resource_id = pages.resource_id AND other.page != pages.page
               JOIN passages ON passages.page = other.page
    WHERE pages.page IN (SELECT value FROM json_each(:pages)) AND passages.kind = 'prose'
    GROUP BY pages.page, other.page HAVING avg(passages.lang = :lang) > 0.5
"""


def _passage(row: tuple[Any, ...]) -> Passage:
    values = list(row)
    values[6] = tuple(json.loads(row[6]))
    values[13] = datetime.fromisoformat(row[13])
    values[17] = tuple(json.loads(row[17]))
    values[18] = json.loads(row[18])
    return Passage(*values)


@contextmanager
def opened(
    data_dir: Path, *, guild_id: str | None = None, expect: EmbedderSpec | None = None
) -> Iterator[Generation]:
    """`open_current` for the length of a block."""
    generation = open_current(data_dir, guild_id=guild_id, expect=expect)
    try:
        yield generation
    finally:
        generation.close()
