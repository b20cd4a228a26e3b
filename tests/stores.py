"""Real stores for tests: an SQLite file, or a PostgreSQL database made for this test alone."""

from __future__ import annotations

import asyncio
import functools
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from uuid import uuid4

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from knowledge.store import Store, open_store
from knowledge.store.migrate import upgrade

SERVER = "postgresql+asyncpg://postgres@127.0.0.1:5432"


@asynccontextmanager
async def empty_database(kind: str, folder: Path) -> AsyncIterator[str]:
    """The address of a database without tables, gone after the block."""
    if kind == "sqlite":
        yield _file_in(folder)
        return
    url = await _created("template1")
    try:
        yield url
    finally:
        await _drop(url)


def _file_in(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'warpmate.db'}"


async def _created(template: str) -> str:
    """The address of a new database on the server that begins as the template is."""
    name = f"warpmate_test_{uuid4().hex}"
    await _on_server(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{SERVER}/{name}"


async def _drop(url: str) -> None:
    await _on_server(f'DROP DATABASE "{url.rpartition("/")[2]}" WITH (FORCE)')


@asynccontextmanager
async def migrated_store(kind: str, folder: Path) -> AsyncIterator[Store]:
    """A store of one's own with every table and no row, for who has no fixture with a template at hand."""
    async with empty_database(kind, folder) as url:
        if kind == "sqlite":  # migrated once in a test process
            (folder / "warpmate.db").write_bytes(await asyncio.to_thread(_migrated_file))
        else:
            await _migrate(url)
        async with open_store(url) as store:
            yield store


@functools.cache
def _migrated_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder, template_of("sqlite", Path(folder)) as url:
        return Path(url.partition("///")[2]).read_bytes()


@contextmanager
def template_of(kind: str, folder: Path) -> Iterator[str]:
    """The address of a database with every table and no row, to be copied: migrating takes longer than many a test.

    Each step has a loop of its own, for the template outlives the loops of the tests that copy it.
    """
    url = _file_in(folder) if kind == "sqlite" else asyncio.run(_created("template1"))
    try:
        asyncio.run(_migrate(url))
        yield url
    finally:
        if kind != "sqlite":
            asyncio.run(_drop(url))


async def _migrate(url: str) -> None:
    async with open_store(url) as store:
        await upgrade(store)


@asynccontextmanager
async def copied_database(template: str, folder: Path) -> AsyncIterator[str]:
    """The address of a database of one's own, as migrated as the template is; gone after the block."""
    if template.startswith("sqlite"):
        url = _file_in(folder)
        await asyncio.to_thread(shutil.copy, template.partition("///")[2], url.partition("///")[2])
    else:
        url = await _created(template.rpartition("/")[2])
    try:
        yield url
    finally:
        if not url.startswith("sqlite"):
            await _drop(url)


@asynccontextmanager
async def copied_store(template: str, folder: Path) -> AsyncIterator[Store]:
    """A store of one's own over such a database."""
    async with copied_database(template, folder) as url, open_store(url) as store:
        yield store


async def _on_server(statement: str) -> None:
    engine = create_async_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
