"""A library opened for labelled questions: a mirror of pages alone, or what came along under content/."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from knowledge.errors import IndexUnusable
from knowledge.reader.model import Reader
from tests.eval.kept_vectors import keeping_vectors
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import LibraryServices, open_library

EVAL = Path(__file__).parent
CONTENT = EVAL.parents[1] / "content"


@asynccontextmanager
async def opened_library(
    data_dir: Path, mirror: Path | None = None, kept: Path | None = None
) -> AsyncIterator[LibraryServices]:
    """Built in `data_dir` unless a usable index is there already; `kept` is a folder for vectors of earlier runs."""
    async with open_core(Settings(data_dir=data_dir)) as core, open_library(core) as library:
        try:
            library.ask.sources.shared()
        except IndexUnusable:
            with keeping_vectors(kept, library.embedder) if kept else nullcontext(library.embedder) as embedder:
                await replace(library, embedder=embedder).build(mirror=mirror)
        # The logits are the same, and of two threads one spins while it waits for the other.
        library.ask.asker._reader = Reader(data_dir / "models", threads=1)
        yield library
