"""Opening the database and handing out sessions: one short transaction a step, never held across slow work."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import Session

from knowledge.errors import StoreError
from knowledge.store.scope import Scope, confine
from knowledge.store.tls import without_tls

_READS_ONLY = "warpmate_reads_only"
SQLITE_CONNECTIONS = 15
"""At once, to one file."""


class _ScopedSession(Session):
    """The class that `confine` listens on, so that no other SQLAlchemy user of the process is touched."""


confine(_ScopedSession)


@dataclass(frozen=True, slots=True)
class Store:
    engine: AsyncEngine
    _writing: async_sessionmaker[AsyncSession]
    _reading: async_sessionmaker[AsyncSession]
    _turn: AbstractAsyncContextManager[None]
    """Writers of one process to an SQLite file stand in line; PostgreSQL needs none."""
    _patience_s: float | None = None
    """How long a transaction may last: a server that went away without a word never answers."""

    @asynccontextmanager
    async def session(self, scope: Scope) -> AsyncIterator[AsyncSession]:
        """A transaction that may write: committed at the end of the block, rolled back when the block raises."""
        async with self._turn, _transaction(self._writing(info={"scope": scope}), self._patience_s) as session:
            yield session

    @asynccontextmanager
    async def reading(self, scope: Scope) -> AsyncIterator[AsyncSession]:
        """A transaction that only reads: on SQLite it neither waits for a writer nor holds one up."""
        async with _transaction(self._reading(info={"scope": scope}), self._patience_s) as session:
            yield session

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may ask of a PostgreSQL server; an SQLite file has no use for it."""

    connections: int = 20
    """At once; five of them stay open."""
    timeout_s: float = 30.0
    """How long a statement may take, and how long somebody waits for a free connection."""


@asynccontextmanager
async def open_store(url: str, limits: Limits = Limits()) -> AsyncIterator[Store]:
    """The store behind a URL such as `sqlite+aiosqlite:///data/warpmate.db` or `postgresql+asyncpg://…`."""
    parsed, tls = without_tls(_parsed(url))
    engine = create_async_engine(parsed, **_options(url, limits, tls))
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    else:
        event.listen(engine.sync_engine, "connect", _notice_dead_network)
    try:
        reader = engine.execution_options(**{_READS_ONLY: True})
        # SQLite lets whoever asks at the right moment in, so that under load somebody waits until the time-out.
        turn = asyncio.Lock() if engine.dialect.name == "sqlite" else nullcontext()
        patience_s = None if engine.dialect.name == "sqlite" else 2 * limits.timeout_s
        yield Store(engine, _maker(engine), _maker(reader), turn, patience_s)
    finally:
        await engine.dispose()


class NoAnswer(ConnectionError):
    """The database said nothing for longer than any statement may take."""


@asynccontextmanager
async def _transaction(session: AsyncSession, patience_s: float | None) -> AsyncIterator[AsyncSession]:
    """However the block ends, its end is not broken off: a connection given back halfway is lost to the pool."""
    ending = AsyncExitStack()
    await ending.enter_async_context(session)
    await ending.enter_async_context(session.begin())
    patience = asyncio.timeout(patience_s)
    try:
        async with patience:
            yield session
    except BaseException as error:
        if patience.expired():
            await session.invalidate()  # whoever did not answer will not answer a rollback either
            raise NoAnswer("the database does not answer") from error
        await _to_the_end(ending.__aexit__(type(error), error, error.__traceback__))
        raise
    await _to_the_end(ending.aclose())


async def _to_the_end(work: Coroutine[Any, Any, object]) -> None:
    """A cancellation meanwhile is obeyed afterwards."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise


def _maker(engine: AsyncEngine) -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(engine, sync_session_class=_ScopedSession, expire_on_commit=False)


def _parsed(url: str) -> Any:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError("WARPMATE_DATABASE_URL is not a database address; see docs/operations.md") from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    if parsed.drivername in drivers:
        return parsed.set(drivername=drivers[parsed.drivername])
    if parsed.drivername in drivers.values():
        return parsed
    raise StoreError(f"WARPMATE_DATABASE_URL: {parsed.drivername} is not supported; use sqlite or postgresql")


def _options(url: str, limits: Limits, tls: dict[str, Any]) -> dict[str, Any]:
    if not url.startswith("postgres"):
        # Each has a thread: one that was opened stays, and as few as will do are in use.
        return {"pool_size": SQLITE_CONNECTIONS, "max_overflow": 0, "pool_use_lifo": True}
    kept, timeout_ms = min(5, limits.connections), str(int(limits.timeout_s * 1000))
    return {
        "pool_pre_ping": True,  # a server may have gone away meanwhile; a file has not
        "pool_size": kept,
        "max_overflow": limits.connections - kept,
        "pool_timeout": limits.timeout_s,
        "connect_args": tls
        | {
            "server_settings": {
                "application_name": "warpmate",
                "statement_timeout": timeout_ms,
                # A process that was frozen within a transaction keeps nobody waiting for its rows for ever.
                "idle_in_transaction_session_timeout": str(2 * int(timeout_ms)),
            }
        },
    }


def _notice_dead_network(connection: Any, _record: Any) -> None:
    """Have the system end a connection whose other side is heard of no more: after 15 s, not after hours."""
    wire = connection.driver_connection._transport.get_extra_info("socket")  # noqa: SLF001  asyncpg has no other way
    if wire is None or wire.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        ("TCP_KEEPIDLE", 5),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 2),
        ("TCP_USER_TIMEOUT", 15_000),
    ):
        if hasattr(socket, option):  # not every system has each
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver's own transaction handling begins too late for SELECT; `_begin_sqlite` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "busy_timeout=5000", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    """Begin what only reads in one step of the driver's thread, with nothing that could fail: it locks nothing yet.

    A writer takes its lock at once: upgrading a read transaction later can fail without waiting.
    """
    if connection.get_execution_options().get(_READS_ONLY, False):
        connection.connection.run_async(lambda driver: driver.execute("BEGIN"))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
