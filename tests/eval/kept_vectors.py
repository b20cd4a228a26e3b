"""Vectors of a mirror's pages, kept between runs: the pages stay as they are, and to embed them takes minutes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from indexer.shipped_vectors import Collecting
from knowledge.library import bert, embed
from knowledge.library.embed import Embedder, Vectors

MADE_WITH = ("onnxruntime", "tokenizers", "numpy")


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """As they were made: no byte is rounded away."""

    vectors: Mapping[bytes, Vectors]

    def of(self, key: bytes) -> Vectors | None:
        return self.vectors.get(key)


@contextmanager
def keeping_vectors(folder: Path, embedder: Embedder) -> Iterator[Collecting]:
    """The embedder, asked for nothing twice; the folder then holds what was asked for this time, and no more."""
    file = folder / f"{made_by(embedder)}.npz"
    collecting = Collecting(embedder, KeptVectors(read(file)))
    yield collecting
    if collecting.missing:
        for old in folder.glob("*.npz"):
            old.unlink()
        write(file, collecting.vectors)


def made_by(embedder: Embedder) -> str:
    """A digest of all that decides a vector besides its text: after a change of it, everything is embedded anew."""
    code = [Path(str(module.__file__)).read_bytes() for module in (embed, bert)]
    digest = hashlib.sha256(b"\0".join(code))
    digest.update(" ".join([embedder.spec.key, *(version(name) for name in MADE_WITH)]).encode())
    return digest.hexdigest()[:16]


def read(file: Path) -> dict[bytes, Vectors]:
    if not file.is_file():
        return {}
    with np.load(file) as stored:
        return {key.tobytes(): vector for key, vector in zip(stored["keys"], stored["vectors"], strict=True)}


def write(file: Path, vectors: Mapping[bytes, Vectors]) -> None:
    """Whole or not at all, though several runs write at once."""
    keys = np.array([np.frombuffer(key, np.uint8) for key in vectors])
    beside = file.with_name(f"{file.stem}.{os.getpid()}.part.npz")
    np.savez(beside, keys=keys, vectors=np.array(list(vectors.values())))
    beside.replace(file)
