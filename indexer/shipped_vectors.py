"""Vectors that come along with content/: a first build embeds only what was edited since they were made.

`content/vectors.bin` holds them by the hash of what the embedder was read, so that a text that was changed, or is
worded otherwise by now, is simply not found there. A number takes one byte (the cosine to the vector itself is above
.9999), and vectors of length 1 need no scale. The file is a checksum and, after it, what numpy's `savez` writes.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import structlog
from numpy.typing import NDArray

from knowledge.library.embed import Embedder, Progress, Vectors

FILE = "vectors.bin"
_KEY_BYTES = 16
_CHECKSUM_BYTES = 32
_LARGEST = 127
_PARTS = {"model", "release", "keys", "numbers"}
log = structlog.get_logger(__name__)


def key_of(reading: str) -> bytes:
    """The hash of a text as the embedder is read it."""
    return hashlib.sha256(f"vector\0{reading}".encode()).digest()[:_KEY_BYTES]


def key_of_question(text: str) -> bytes:
    """The same of a question, which the embedder reads otherwise than a passage."""
    return key_of(f"question\0{text}")


@dataclass(frozen=True)
class ShippedVectors:
    """Rows in the order of their keys."""

    release: str
    """The version of warpmate that they were made for."""
    keys: NDArray[np.uint8]
    numbers: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def _rows(self) -> Mapping[bytes, int]:
        return {key.tobytes(): row for row, key in enumerate(self.keys)}

    def of(self, key: bytes) -> Vectors | None:
        """The unit vector of the text with this key."""
        row = self._rows.get(key)
        if row is None:
            return None
        numbers: Vectors = self.numbers[row].astype(np.float32)
        return numbers / np.linalg.norm(numbers)


def read_vectors(file: Path, embedder: Embedder) -> ShippedVectors | None:
    """None where there is no such file, or a damaged one, or one of another model or form."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    if _checksum(content[_CHECKSUM_BYTES:]) != content[:_CHECKSUM_BYTES]:
        log.warning("the vectors that came along are damaged, so every text is embedded", file=str(file))
        return None
    with np.load(io.BytesIO(content[_CHECKSUM_BYTES:])) as stored:
        if set(stored.files) != _PARTS or str(stored["model"]) != embedder.spec.key:
            return None
        return ShippedVectors(str(stored["release"]), stored["keys"], stored["numbers"])


def write_vectors(file: Path, embedder: Embedder, release: str, vectors: Mapping[bytes, Vectors]) -> None:
    """Write them whole or not at all; the same vectors make the same bytes."""
    keys = sorted(vectors)
    rows = np.array([vectors[key] for key in keys], dtype=np.float32).reshape(len(keys), embedder.spec.dimension)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    stored = io.BytesIO()
    np.savez_compressed(
        stored,
        model=np.array(embedder.spec.key),
        release=np.array(release),
        keys=np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, _KEY_BYTES),
        numbers=np.rint(rows / largest * _LARGEST).astype(np.int8),
    )
    beside = file.with_name(f".{file.name}")
    beside.write_bytes(_checksum(stored.getvalue()) + stored.getvalue())
    beside.replace(file)


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


Embed = Callable[[Sequence[str], Progress | None], Vectors]


class Collecting:
    """An embedder that takes what it can from shipped vectors and keeps the vectors of all that it was asked for."""

    def __init__(self, embedder: Embedder, shipped: ShippedVectors | None) -> None:
        self.embedder, self.spec, self._shipped = embedder, embedder.spec, shipped
        self.count_tokens = embedder.count_tokens
        self.vectors: dict[bytes, Vectors] = {}
        self.missing = 0

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._made([key_of(text) for text in texts], texts, self.embedder.passages, progress)

    def queries(self, texts: Sequence[str]) -> Vectors:
        keys = [key_of_question(text) for text in texts]
        return self._made(keys, texts, lambda fresh, _: self.embedder.queries(fresh), None)

    def _made(self, keys: Sequence[bytes], texts: Sequence[str], embed: Embed, progress: Progress | None) -> Vectors:
        known = {key: vector for key in keys if self._shipped and (vector := self._shipped.of(key)) is not None}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if progress:
            progress(len(texts) - len(fresh))
        made = embed(list(fresh.values()), progress) if fresh else ()
        known |= dict(zip(fresh, made, strict=True))
        self.missing += len(fresh)
        self.vectors |= known
        return np.stack([known[key] for key in keys])
