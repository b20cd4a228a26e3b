"""A folder of pages with a manifest, read in place of the network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.fetch.kinds import kind_by_suffix
from knowledge.errors import BadInput

MANIFEST = "manifest.jsonl"


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page of some source, before it is read."""

    url: str
    path: str
    """The path below the mirror's folder; empty for a page from the network."""
    title: str
    lang: str
    kind: str
    file: Path
    charset: str = ""
    resource_id: str = ""
    etag: str | None = None
    last_modified: str | None = None
    content: bytes | None = None
    """Of a page that lies in no file."""

    def read(self) -> bytes:
        return self.file.read_bytes() if self.content is None else self.content


@dataclass(frozen=True, slots=True)
class Failure:
    """A page that could not be used, and why; never a lost page."""

    url: str
    path: str
    reason: str


def read_mirror(folder: Path) -> tuple[list[SourcePage], list[Failure]]:
    """Return every page that the manifest lists and the folder holds; BadInput without a usable manifest."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise BadInput("error.mirror.no_manifest", folder=folder, manifest=MANIFEST)
    pages: dict[str, SourcePage] = {}
    failures: list[Failure] = []
    for number, line in _lines(manifest):
        found = _page(folder, number, line)
        if isinstance(found, Failure):
            failures.append(found)
        elif found.path in pages:
            failures.append(Failure(found.url, found.path, f"{MANIFEST} line {number}: the path is listed twice"))
        else:
            pages[found.path] = found
    return list(pages.values()), failures


def _lines(manifest: Path) -> Iterator[tuple[int, str]]:
    text = manifest.read_text(encoding="utf-8", errors="replace")
    yield from ((number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())


def _page(folder: Path, number: int, line: str) -> SourcePage | Failure:
    where = f"{MANIFEST} line {number}"
    try:
        row: Any = json.loads(line)
    except ValueError:
        return Failure("", "", f"{where}: not JSON")
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("url", "path")):
        return Failure("", "", f"{where}: url and path are needed")
    url, path = row["url"], row["path"]
    file = _inside(folder, path)
    if file is None:
        return Failure(url, path, f"{where}: the path leaves the mirror")
    if not file.is_file():
        return Failure(url, path, f"{where}: there is no such file")
    words = {key: row[key] if isinstance(row.get(key), str) else "" for key in ("title", "lang", "kind", "charset")}
    kind = words["kind"] or kind_by_suffix(path) or "html"
    return SourcePage(url, path, words["title"], words["lang"], kind, file, charset=words["charset"])


def _inside(folder: Path, path: str) -> Path | None:
    """Return the file, unless its path or a link on the way leads out of the folder."""
    try:
        file = (folder / path).resolve()
        return file if file.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError):
        return None
