"""A library opened for labelled questions: a mirror of pages alone, or what came along under content/."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from knowledge.errors import IndexUnusable
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import LibraryServices, open_library

EVAL = Path(__file__).parent
CONTENT = EVAL.parents[1] / "content"


@asynccontextmanager
async def opened_library(data_dir: Path, mirror: Path | None = None) -> AsyncIterator[LibraryServices]:
    """Built in `data_dir` unless a usable index is there already."""
    async with open_core(Settings(data_dir=data_dir)) as core, open_library(core) as library:
        try:
            library.ask.sources.shared()
        except IndexUnusable:
            await library.build(mirror=mirror)
        yield library
