"""Writing an index generation beside the one in use, and switching to it by one rename."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from indexer.search_files import Draft, write_search_files
from knowledge.errors import IndexUnusable
from knowledge.library.embed import EmbedderSpec, Vectors
from knowledge.library.generation import (
    FORMAT,
    IN_USE,
    KINDS,
    LANGS,
    MANIFEST,
    Use,
    checksum,
    current_folder,
    read_manifest,
    remove_unless_read,
    verify,
)
from knowledge.library.passages import Passage
from knowledge.library.vectors import write_vectors
from knowledge.store.base import new_id

_SCHEMA = """
    CREATE TABLE pages (page INTEGER PRIMARY KEY, resource_id TEXT, snapshot_id INTEGER, url TEXT, path TEXT,
                        title TEXT, page_kind TEXT, level TEXT, topics TEXT, fetched_at TEXT);
    CREATE TABLE passages (row INTEGER PRIMARY KEY, page INTEGER, headings TEXT, anchor TEXT, lang TEXT, kind TEXT,
                           text TEXT, start INTEGER, "end" INTEGER, content_hash TEXT, meta TEXT);
"""
_INTO_PAGES = "INSERT INTO pages VALUES (?,?,?,?,?,?,?,?,?,?)"
_INTO_PASSAGES = "INSERT INTO passages VALUES (?,?,?,?,?,?,?,?,?,?,?)"


def publish(
    index: Path,
    draft: Draft,
    spec: EmbedderSpec,
    notes: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """Write a generation whole, then make it the current one. Returns its name. `notes` go into the manifest."""
    name = new_id()
    folder = index / "generations" / name
    half = folder.with_name(f".{name}")
    half.mkdir(parents=True)
    (half / IN_USE).touch()
    use = Use(half)  # who tidies up meanwhile leaves it alone
    try:
        stated = _write(half, draft.passages, draft.vectors)
        noted = {**notes, **write_search_files(half, draft)}
        _write_manifest(half, name, draft.passages, spec, stated, noted)
        half.replace(folder)
    except BaseException:
        use.end()
        shutil.rmtree(half, ignore_errors=True)
        raise
    switch(index, name)
    use.end()
    tidy(index)
    return name


def switch(index: Path, name: str) -> None:
    """Make a generation the current one; the former is remembered for `rollback`."""
    before = current_folder(index)
    if before is not None and before.name != name:
        _point(index / "previous", before.name)
    _point(index / "current", name)


def rollback(index: Path) -> str:
    """Go back to the generation before the current one, if it is whole."""
    try:
        name = (index / "previous").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise IndexUnusable(f"{index} keeps no earlier generation; run: warpmate index build") from None
    folder = index / "generations" / name
    verify(folder, read_manifest(folder))
    switch(index, name)
    return name


def _point(pointer: Path, name: str) -> None:
    beside = pointer.with_name(f".{pointer.name}-{os.getpid()}")
    with beside.open("w", encoding="utf-8") as stream:
        stream.write(name)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(pointer)


def _write(folder: Path, passages: Sequence[Passage], vectors: Vectors) -> dict[str, Any]:
    pages: dict[tuple[int, str], int] = {}
    page_of = [pages.setdefault((passage.snapshot_id, passage.path), len(pages)) for passage in passages]
    np.save(folder / "pages.npy", np.array(page_of, dtype=np.int32))
    np.save(folder / "langs.npy", np.array([LANGS.index(passage.lang) for passage in passages], dtype=np.uint8))
    np.save(folder / "kinds.npy", np.array([KINDS.index(passage.kind) for passage in passages], dtype=np.uint8))
    with closing(sqlite3.connect(folder / "passages.db")) as database:
        database.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA}")
        first = dict(zip(reversed(page_of), reversed(passages), strict=True))
        database.executemany(_INTO_PAGES, (_page(page, of) for page, of in first.items()))
        rows = (_row(row, page, of) for row, (page, of) in enumerate(zip(page_of, passages, strict=True)))
        database.executemany(_INTO_PASSAGES, rows)
        database.commit()
    return write_vectors(folder, vectors)


def _page(page: int, of: Passage) -> tuple[Any, ...]:
    topics, fetched = json.dumps(of.topics), of.fetched_at.isoformat()
    return page, of.resource_id, of.snapshot_id, of.url, of.path, of.title, of.page_kind, of.level, topics, fetched


def _row(row: int, page: int, of: Passage) -> tuple[Any, ...]:
    headings, meta = json.dumps(of.headings, ensure_ascii=False), json.dumps(of.meta, ensure_ascii=False)
    return row, page, headings, of.anchor, of.lang, of.kind, of.text, of.start, of.end, of.content_hash, meta


def _write_manifest(
    folder: Path,
    name: str,
    passages: Sequence[Passage],
    spec: EmbedderSpec,
    vectors: dict[str, Any],
    notes: dict[str, Any],
) -> None:
    files = {
        str(path.relative_to(folder)): {"bytes": path.stat().st_size, "sha256": checksum(path)}
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != IN_USE
    }
    counts = {
        "resources": len({passage.resource_id for passage in passages}),
        "pages": len({(passage.snapshot_id, passage.path) for passage in passages}),
        "passages": len(passages),
        "code": sum(passage.kind == "code" for passage in passages),
    }
    row = {
        "format": FORMAT,
        "generation": name,
        "created_at": datetime.now(UTC).isoformat(),
        "embedder": asdict(spec),
        "counts": counts,
        "files": files,
        "vectors": vectors,
        "notes": notes,
    }
    (folder / MANIFEST).write_text(json.dumps(row, indent=1), encoding="utf-8")


def tidy(index: Path) -> None:
    """Keep the current generation, the one before it and what somebody reads or writes; remove the rest."""
    kept = {folder.name for folder in [current_folder(index)] if folder}
    previous = index / "previous"
    if previous.is_file():
        kept.add(previous.read_text(encoding="utf-8").strip())
    for folder in (index / "generations").iterdir():
        if folder.name not in kept:
            remove_unless_read(folder)
