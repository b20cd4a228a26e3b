"""A file that is being worked on: its source at every save."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

LOOK_EVERY_S = 0.25


async def saves(file: Path) -> AsyncIterator[bytes]:
    """Yield what the file holds now and after every save; a save under way is waited for, a missing file too."""
    seen: bytes | None = None
    before: tuple[int, ...] | None = None
    while True:
        state = _state(file)
        if state is not None and (state == before or seen is None):
            source = await asyncio.to_thread(_read, file)
            if source is not None and source != seen:
                seen = source
                yield source
        before = state
        await asyncio.sleep(LOOK_EVERY_S)


def _state(file: Path) -> tuple[int, ...] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None
