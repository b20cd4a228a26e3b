"""Two servers in processes of their own, over one database and one broker: what ends on one is seen on the other."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar

from knowledge.submit.service import READ_AGAIN_S
from tests import prepared
from tests.integration.warpmate.test_faults import serving
from tests.integration.web.stage import RIGHT, Browser
from tests.integration.worker.queue.processes import own_broker
from tests.stores import empty_database

pytestmark = [pytest.mark.needs("redis"), pytest.mark.needs("postgres"), pytest.mark.slow]


@pytest.fixture
async def servers(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Browser, Browser]]:
    """No worker is there, so that what is handed in waits for as long as it is not cancelled."""
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(own_broker(tmp_path))
        database = await stack.enter_async_context(empty_database("postgresql", tmp_path))
        shared = {"WARPMATE_REDIS_URL": broker.url, "WARPMATE_DATABASE_URL": database}
        browsers = []
        for name in ("here", "there"):
            prepared.give_first_index(tmp_path_factory, tmp_path / name)
            _, address = stack.enter_context(serving(tmp_path / name, **shared))
            session = ClientSession(address, cookie_jar=CookieJar(unsafe=True))
            browsers.append(Browser(await stack.enter_async_context(session)))
        yield browsers[0], browsers[1]


async def test_an_open_page_learns_at_once_what_another_server_cancelled(servers: tuple[Browser, Browser]) -> None:
    """At once: well before the slow second look."""
    here, there = servers
    status, page = await here.send("/submit", source=RIGHT, problem="vector_add")
    assert status == 303
    async with here.session.get(f"{page}/events") as stream, asyncio.timeout(READ_AGAIN_S / 2):
        first = await stream.content.readuntil(b"\n\n")
        assert b"event: progress" in first
        assert (await there.send(f"{page}/cancel"))[0] == 303
        rest = await stream.text()
    assert re.search(r"event: verdict\ndata: .*cancelled", rest)
