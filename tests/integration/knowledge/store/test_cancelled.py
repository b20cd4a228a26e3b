"""Whoever is cancelled in the middle of a transaction leaves a sound connection behind."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from knowledge.store import Scope, Store
from knowledge.store.tables import Submission


async def read_for_ever(store: Store) -> None:
    while True:
        async with store.reading(Scope.all()) as session:
            await session.scalars(select(Submission.id))


async def test_a_cancelled_reader_gives_its_connection_back_whole(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    for steps in range(120):
        readers = [asyncio.ensure_future(read_for_ever(store)) for _ in range(3)]
        for _ in range(steps):
            await asyncio.sleep(0)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    assert caplog.messages == []
    assert store.engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # of a queue pool
