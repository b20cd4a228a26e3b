"""Work that is not done twice: vectors and other results by the hash of what they came from.

A killed build loses one batch, and a build after a small change works on the change alone.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from knowledge.library.embed import Embedder, Vectors

Progress = Callable[[int, int], None]
_AT_ONCE = 512
Item = TypeVar("Item")


class WorkCache:
    """`progress(done, total)` is told about the texts of a call that are not in the cache yet."""

    def __init__(self, connection: sqlite3.Connection, embedder: Embedder, progress: Progress | None) -> None:
        self._connection, self._embedder, self._progress = connection, embedder, progress
        self.embedded = 0

    def passages(
        self, texts: Sequence[str], render: Callable[[str], str] | None = None, version: str = ""
    ) -> Vectors:
        """One row a text, in their order.

        `render` says how a text is read to the embedder, `version` what that depends on: only texts that were not
        embedded under this version are rendered at all.
        """
        keys = [_key(f"vector {version}" if render else "vector", text) for text in texts]
        known = {key: _unpacked(value) for key, value in self._known(keys)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        rendered = sorted(((key, render(text) if render else text) for key, text in missing.items()), key=_length)
        done = 0

        def count(fresh: int) -> None:
            nonlocal done
            done += fresh
            if self._progress:
                self._progress(done, len(rendered))

        for part in _parts(rendered):
            vectors = self._embedder.passages([text for _, text in part], count)
            packed = [(key, _packed(vector)) for (key, _), vector in zip(part, vectors, strict=True)]
            self._store(packed)
            known.update((key, _unpacked(value)) for key, value in packed)
        self.embedded += len(rendered)
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, self._embedder.spec.dimension), "f4")

    def remembered(self, kind: str, texts: Sequence[str], work: Callable[[str], bytes]) -> list[bytes]:
        """`work` of each text. `kind` names the work and its version: results under another name are others."""
        keys = [_key(kind, text) for text in texts]
        known = dict(self._known(keys))
        fresh = {key: work(text) for key, text in zip(keys, texts, strict=True) if key not in known}
        self._store(list(fresh.items()))
        known |= fresh
        return [known[key] for key in keys]

    def _known(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        for part in _parts(keys):
            marks = ",".join("?" * len(part))
            yield from self._connection.execute(f"SELECT key, value FROM work WHERE key IN ({marks})", part)  # noqa: S608  only question marks are put in

    def _store(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO work VALUES (?, ?)", rows)


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode()).digest()[:16]


def _length(item: tuple[bytes, str]) -> int:
    return len(item[1])


def _packed(vector: Vectors) -> bytes:
    """Half precision is finer than what int8 weights leave, and a vector from the cache equals a fresh one."""
    return vector.astype(np.float16).tobytes()


def _unpacked(value: bytes) -> Vectors:
    return np.frombuffer(value, dtype=np.float16).astype(np.float32)


def _parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    yield from (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))


@contextmanager
def open_cache(folder: Path, embedder: Embedder, progress: Progress | None = None) -> Iterator[WorkCache]:
    """One file an embedder: vectors of another model never mix in."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / f"work-{embedder.spec.key}.db", timeout=30)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS work (key BLOB PRIMARY KEY, value BLOB)")
        yield WorkCache(connection, embedder, progress)
