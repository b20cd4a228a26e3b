"""What a transaction of the store costs, and what it sees."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import event, func, select

from knowledge.store import Scope, Store
from knowledge.store.engine import SQLITE_CONNECTIONS
from knowledge.store.tables import Member
from tests.stores import migrated_store

EVERYWHERE = Scope.all()


async def members(store: Store) -> int:
    async with store.reading(EVERYWHERE) as session:
        return await session.scalar(select(func.count()).select_from(Member)) or 0


async def test_many_readers_of_a_file_share_a_few_connections_that_stay(tmp_path: Path) -> None:
    async with migrated_store("sqlite", tmp_path) as store:
        opened: list[object] = []
        event.listen(store.engine.sync_engine, "connect", lambda made, _record: opened.append(made))
        for _ in range(3):
            assert await asyncio.gather(*(members(store) for _ in range(4 * SQLITE_CONNECTIONS)))
        assert len(opened) <= SQLITE_CONNECTIONS
        before = len(opened)
        for _ in range(20):
            await members(store)
        assert len(opened) == before


async def test_who_reads_a_file_sees_one_moment_of_it_however_long_they_read(tmp_path: Path) -> None:
    count = select(func.count()).select_from(Member)
    async with migrated_store("sqlite", tmp_path) as store:
        async with store.reading(EVERYWHERE) as reading:
            assert await reading.scalar(count) == 0
            async with store.session(EVERYWHERE) as writing:
                writing.add(Member(id="ann"))
            assert await reading.scalar(count) == 0
        assert await members(store) == 1
