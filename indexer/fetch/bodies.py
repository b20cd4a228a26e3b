"""The fetched bodies, kept by their hash, so that a better extractor needs no second visit."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


class Bodies:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest

    def keep(self, body: bytes) -> str:
        """Write the body to disk and return its hash; the file is whole even if the machine stops here."""
        digest = hashlib.sha256(body).hexdigest()
        path = self.path(digest)
        if path.is_file():
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two pages may have one body, and be kept at the same moment.
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        Path(stream.name).replace(path)
        return digest
