"""Whoever is cancelled at the end of a transaction leaves a sound connection behind."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import event, select

from knowledge.store import Scope, Store
from knowledge.store.tables import Submission


async def test_a_reader_cancelled_while_its_connection_is_given_back_gives_it_back_whole(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    async def read() -> None:
        async with store.reading(Scope.all()) as session:
            await session.scalars(select(Submission.id))

    reader = asyncio.ensure_future(read())
    event.listen(store.engine.sync_engine, "reset", lambda *_: reader.cancel(), once=True)
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert caplog.messages == []
    assert store.engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # of a queue pool
