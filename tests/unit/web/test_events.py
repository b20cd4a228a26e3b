"""Event streams over a real server: never more open than there may be, however many come at once."""

from __future__ import annotations

import asyncio
from collections import Counter

from aiohttp import ClientSession, TCPConnector, web
from aiohttp.test_utils import TestServer

from knowledge.errors import TooMany
from web.events import STREAMS, OpenStreams, event, event_stream


async def test_streams_that_open_at_once_stay_within_the_limit_and_are_all_given_back() -> None:
    site, end = web.Application(), asyncio.Event()
    site[STREAMS] = OpenStreams(most=3)

    async def prepare_slowly(_request: web.Request, _response: web.StreamResponse) -> None:
        for _ in range(50):
            await asyncio.sleep(0)

    async def follow(request: web.Request) -> web.StreamResponse:
        try:
            async with event_stream(request) as response:
                await response.write(event("progress", {"text": "编译"}))
                await end.wait()
        except TooMany:
            raise web.HTTPTooManyRequests from None
        return response

    site.on_response_prepare.append(prepare_slowly)
    site.router.add_get("/", follow)
    async with TestServer(site) as server, ClientSession(connector=TCPConnector(limit=0)) as session:
        opened = await asyncio.gather(*(session.get(server.make_url("/")) for _ in range(20)))
        assert Counter(response.status for response in opened) == {200: 3, 429: 17}
        assert site[STREAMS].now == 3
        end.set()
        told = [await response.text() for response in opened if response.status == 200]
        assert told == ['event: progress\ndata: {"text": "编译"}\n\n'] * 3
        assert site[STREAMS].now == 0
