"""Migrations, run through the live connection, so that tests, start-up and `warpmate db` take one path.

Alembic is imported where something has to be migrated: most processes find the newest revision and start without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from knowledge.errors import StoreError, StoreNewer
from knowledge.store.engine import Store
from knowledge.store.faults import explain

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK_KEY = 0x77617270  # any number that every warpmate process agrees on
_LOOK_EVERY_S = 0.2
_WAITS_FOR_TABLES = "10s"
"""How long a migration stands in line for a table: whoever asks for the table meanwhile stands behind it."""


def revisions() -> tuple[str, ...]:
    """Return all revisions, oldest first: each migration's file begins with its own."""
    return tuple(sorted(path.name.partition("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py")))


async def upgrade(store: Store, revision: str = "head") -> tuple[str | None, str | None]:
    """Bring the database to a revision; returns the one before and the one after."""
    try:
        async with _alone(store) as connection:
            return await connection.run_sync(_upgrade, revision)
    except (TimeoutError, DBAPIError, OSError) as error:
        raise explain(error) or StoreError(f"the database cannot be used: {_first_line(error)}") from error


async def standing_revision(store: Store) -> str | None:
    """Return the revision of the database; None where there is nothing in it. Changes nothing."""
    async with store.engine.connect() as connection:
        return await connection.run_sync(_current)


async def downgrade(store: Store, revision: str) -> None:
    async with _alone(store) as connection:
        await connection.run_sync(_downgrade, revision)


@asynccontextmanager
async def _alone(store: Store) -> AsyncIterator[AsyncConnection]:
    """Yield a connection on which one process at a time migrates.

    SQLite: in one transaction. PostgreSQL: each migration in its own, under a lock of the session, for an index that
    is made while others write is made outside of any transaction. It waits for all transactions that began before,
    so whoever waits for the lock must not do so inside of one: hence asked again and again.
    """
    if store.is_sqlite:
        async with store.engine.begin() as connection:
            yield connection
        return
    async with store.engine.connect() as connection:
        while not await connection.scalar(text(f"SELECT pg_try_advisory_lock({_LOCK_KEY})")):
            await connection.rollback()
            await asyncio.sleep(_LOOK_EVERY_S)
        try:
            await connection.exec_driver_sql("SET statement_timeout = 0")
            await connection.exec_driver_sql(f"SET lock_timeout = '{_WAITS_FOR_TABLES}'")
            await connection.commit()
            yield connection
            await connection.commit()
        finally:
            await connection.invalidate()  # with the connection end its lock and its settings


def _upgrade(connection: Connection, revision: str) -> tuple[str | None, str | None]:
    before = _current(connection)
    if connection.dialect.name == "postgresql":
        connection.commit()  # from here on the migrations begin and end transactions themselves
    if before is not None and before not in revisions():
        raise StoreNewer(
            f"the database was written by a newer warpmate (revision {before}); "
            "update warpmate or name another database"
        )
    if before != (revisions()[-1] if revision == "head" else revision):
        from alembic import command

        command.upgrade(_config(connection), revision)
        return before, _current(connection)
    return before, before


def _downgrade(connection: Connection, revision: str) -> None:
    from alembic import command

    command.downgrade(_config(connection), revision)


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _first_line(error: BaseException) -> str:
    if isinstance(error, OperationalError) and error.orig is not None:
        error = error.orig
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
