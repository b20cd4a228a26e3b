"""A database that is not heard of any more: whoever asks is told in time, and the next one is served."""

from __future__ import annotations

import asyncio
import socket

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from knowledge.store import Limits, Scope, Store, open_store
from knowledge.store.faults import explain
from tests.proxies import link_to

pytestmark = pytest.mark.needs("postgres")


async def one(store: Store) -> int:
    async with store.reading(Scope.all()) as session:
        return int((await session.scalars(text("SELECT 1"))).one())


async def test_connections_that_lead_nowhere_are_given_up_and_replaced(postgres_template: str) -> None:
    at = make_url(postgres_template)
    async with link_to(at.host or "", at.port or 5432) as link:
        url = at.set(host="127.0.0.1", port=link.port).render_as_string(hide_password=False)
        async with open_store(url, Limits(timeout_s=0.5)) as store:
            assert await asyncio.gather(one(store), one(store)) == [1, 1]
            link.forget()
            async with asyncio.timeout(15):
                with pytest.raises(ConnectionError) as told:
                    await one(store)
                assert "does not answer" in str(explain(told.value))
                while True:  # the pool may have another of the lost ones
                    try:
                        assert await one(store) == 1
                        break
                    except ConnectionError:
                        continue


async def test_the_system_itself_ends_a_connection_whose_host_is_gone(postgres_template: str) -> None:
    async with open_store(postgres_template) as store, store.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        wire = raw.driver_connection._transport.get_extra_info("socket")  # type: ignore[union-attr]
        assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert 0 < wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
