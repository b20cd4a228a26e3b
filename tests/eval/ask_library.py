"""A library opened for labelled questions: a mirror of pages alone, or what came along under content/."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from knowledge.errors import IndexUnusable
from warpmate.house import open_house
from warpmate.library import ReadingRoom, open_reading_room
from warpmate.settings import Settings

EVAL = Path(__file__).parent
CONTENT = EVAL.parents[1] / "content"


@asynccontextmanager
async def opened_library(data_dir: Path, mirror: Path | None = None) -> AsyncIterator[ReadingRoom]:
    """Built in `data_dir` unless a usable index is there already."""
    async with open_house(Settings(data_dir=data_dir)) as house, open_reading_room(house) as room:
        try:
            room.ask.sources.shared()
        except IndexUnusable:
            await room.build(mirror=mirror)
        yield room
