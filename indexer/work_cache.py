"""Work that is not done twice: vectors and other results by the hash of what they came from.

A killed build loses one batch, and a build after a small change works on the change alone.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from indexer.shipped_vectors import ShippedVectors, key_of, key_of_question, read_vectors
from knowledge.library.embed import Embedder, Vectors

Progress = Callable[[int, int], None]
Render = Callable[[str], str]
_AT_ONCE = 512
Item = TypeVar("Item")


class WorkCache:
    """Embeds texts, in one thread of its own and in the order asked for, and remembers the results of other work.

    `progress(done, total)` is told about the texts that were not in the cache, all calls together. `shipped` names a
    file of vectors that came along: what it holds is taken into the cache instead of being embedded.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        embedder: Embedder,
        embedding: ThreadPoolExecutor,
        progress: Progress | None = None,
        shipped: Path | None = None,
    ) -> None:
        self._connection, self._embedder, self._embedding, self._progress = connection, embedder, embedding, progress
        self._shipped_file = shipped
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._none = np.zeros((0, embedder.spec.dimension), dtype=np.float32)
        self._wanted = 0
        self.embedded = 0

    def passages(self, texts: Sequence[str], render: Render | None = None, version: str = "") -> Vectors:
        """Return the vectors of the texts, one row per text, in their order.

        `render` words a text for the embedder, and `version` names the wording: under a new version all texts are
        rendered again, and those whose words changed are embedded.
        """
        found = self._embedding.submit(self._made, texts, render, version).result()
        return np.stack([_unpacked(one) for one in found]) if found else self._none

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of questions, made as a search makes them, one row per text, in their order."""
        found = self._embedding.submit(self._made_of_questions, texts).result()
        return np.stack([_unpacked(one) for one in found]) if found else self._none

    def begin(self, texts: Sequence[str], render: Render | None = None, version: str = "") -> None:
        """Begin to embed the texts while the caller goes on; `passages` then finds them done.

        An error is raised by `passages`, where it occurs again.
        """
        self._embedding.submit(self._made, texts, render, version)

    def remembered(self, kind: str, texts: Sequence[str], work: Callable[[str], bytes]) -> list[bytes]:
        """Return the result of `work` for each text, stored under `kind`: the name and version of the work."""
        keys = [_key(kind, text) for text in texts]
        known = self._known(keys)
        fresh = {key: work(text) for key, text in zip(keys, texts, strict=True) if key not in known}
        self._store(fresh.items())
        known |= fresh
        return [known[key] for key in keys]

    def close(self) -> None:
        """Stop embedding after the current part; texts that were begun and never asked for are left."""
        self._closing.set()

    def _made(self, texts: Sequence[str], render: Render | None, version: str) -> list[bytes]:
        rendered: dict[bytes, str] = {}

        def key_of_rendered(text: str) -> bytes:
            shown = render(text) if render else text
            rendered[key := key_of(shown)] = shown
            return key

        keys = (
            self.remembered(f"reading {version}", texts, key_of_rendered)
            if version
            else [key_of_rendered(text) for text in texts]
        )
        known = self._known(keys)
        for key, text in zip(keys, texts, strict=True):
            if key not in known and key not in rendered:
                key_of_rendered(text)
        known |= self._came_along(rendered.keys() - known.keys())
        known |= self._embedded({key: text for key, text in rendered.items() if key not in known})
        return [known[key] for key in keys]

    def _made_of_questions(self, texts: Sequence[str]) -> list[bytes]:
        keys = [key_of_question(text) for text in texts]
        known = self._known(keys)
        known |= self._came_along(set(keys) - known.keys())
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= self._embedded(fresh, as_questions=True)
        return [known[key] for key in keys]

    def _came_along(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        if not keys or self._shipped is None:
            return {}
        found = {key: _packed(vector) for key in keys if (vector := self._shipped.of(key)) is not None}
        self._store(found.items())
        return found

    @cached_property
    def _shipped(self) -> ShippedVectors | None:
        return read_vectors(self._shipped_file, self._embedder) if self._shipped_file else None

    def _embedded(self, rendered: dict[bytes, str], *, as_questions: bool = False) -> dict[bytes, bytes]:
        """Embed the texts, shortest first, part by part; each part is stored before the next one begins."""
        found: dict[bytes, bytes] = {}
        self._wanted += len(rendered)
        for part in _parts(sorted(rendered.items(), key=lambda item: len(item[1]))):
            if self._closing.is_set():
                raise CancelledError
            own = [text for _, text in part]
            vectors = self._embedder.queries(own) if as_questions else self._embedder.passages(own, self._count)
            packed = {key: _packed(vector) for (key, _), vector in zip(part, vectors, strict=True)}
            self._store(packed.items())
            found |= packed
        return found

    def _count(self, fresh: int) -> None:
        self.embedded += fresh
        if self._progress:
            self._progress(self.embedded, self._wanted)

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for part in _parts(keys):
            marks = ",".join("?" * len(part))
            with self._lock:
                found.update(self._connection.execute(f"SELECT key, value FROM work WHERE key IN ({marks})", part))  # noqa: S608  only question marks are put in
        return found

    def _store(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        with self._lock, self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO work VALUES (?, ?)", rows)


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode()).digest()[:16]


def _packed(vector: Vectors) -> bytes:
    """Return the vector in half precision, which is finer than the error of the model's int8 weights."""
    return vector.astype(np.float16).tobytes()


def _unpacked(value: bytes) -> Vectors:
    return np.frombuffer(value, dtype=np.float16).astype(np.float32)


def _parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    yield from (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))


@contextmanager
def open_cache(
    folder: Path, embedder: Embedder, progress: Progress | None = None, shipped: Path | None = None
) -> Iterator[WorkCache]:
    """Open the cache: one file per embedder, so that vectors of different models never mix."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"work-{embedder.spec.key}.db"
    # Used by this thread and by the embedding one, which the cache keeps apart.
    with closing(sqlite3.connect(path, timeout=30, check_same_thread=False)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS work (key BLOB PRIMARY KEY, value BLOB)")
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding") as embedding:
            cache = WorkCache(connection, embedder, embedding, progress, shipped)
            try:
                yield cache
            finally:
                cache.close()
