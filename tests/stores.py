"""Real stores for tests: an SQLite file, or a PostgreSQL database made for this test alone."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
        yield f"sqlite+aiosqlite:///{folder / 'warpmate.db'}"
        return
    name = f"warpmate_test_{uuid4().hex}"
    await _on_server(f'CREATE DATABASE "{name}"')
    try:
        yield f"{SERVER}/{name}"
    finally:
        await _on_server(f'DROP DATABASE "{name}" WITH (FORCE)')


@asynccontextmanager
async def migrated_store(kind: str, folder: Path) -> AsyncIterator[Store]:
    async with empty_database(kind, folder) as url, open_store(url) as store:
        await upgrade(store)
        yield store


async def migrated_file(folder: Path) -> Path:
    """An SQLite database with every table and no row, to be copied: migrating takes longer than many a test."""
    async with migrated_store("sqlite", folder):
        return folder / "warpmate.db"


@asynccontextmanager
async def copied_store(template: Path, folder: Path) -> AsyncIterator[Store]:
    """A store of one's own, as migrated as the template is."""
    async with empty_database("sqlite", folder) as url:
        await asyncio.to_thread(shutil.copy, template, folder / template.name)
        async with open_store(url) as store:
            yield store


async def _on_server(statement: str) -> None:
    engine = create_async_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
