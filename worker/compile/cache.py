"""Compiled modules by content: the same source for the same card is compiled once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from worker.sandbox import wire

MAX_FILES = 4096


class Cache:
    """One file an entry, written beside and renamed; the oldest go when there are too many."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @staticmethod
    def key(**parts: Any) -> str:
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> Any | None:
        """The entry; None when there is none or it cannot be read."""
        path = self._folder / key
        try:
            frame = path.read_bytes()
            os.utime(path)
            return wire.unpack(frame)
        except (FileNotFoundError, ValueError):
            return None

    def put(self, key: str, entry: Any) -> None:
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
            file.write(wire.pack(entry))
        Path(file.name).replace(self._folder / key)
        self._prune()

    def _prune(self) -> None:
        """Down to seven eighths once over the limit, so that it is not done at every entry."""
        entries = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        if len(entries) <= MAX_FILES:
            return
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(entries, key=lambda path: path.stat().st_mtime)[: len(entries) - MAX_FILES * 7 // 8]:
                path.unlink(missing_ok=True)
