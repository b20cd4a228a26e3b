"""Server-sent events: a response that stays open, into which a page is told what happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from aiohttp import web

from knowledge.errors import TooMany

MOST_STREAMS = 500
BEAT_S = 15.0
"""How often an idle stream sends a line, so that proxies and browsers keep it open."""
BEAT = b": still here\n\n"
Step = TypeVar("Step")


@dataclass(slots=True)
class OpenStreams:
    """The number of streams that are open in this process, and how many may be."""

    now: int = 0
    most: int = MOST_STREAMS


STREAMS: web.AppKey[OpenStreams] = web.AppKey("streams", OpenStreams)


@asynccontextmanager
async def event_stream(request: web.Request) -> AsyncIterator[web.StreamResponse]:
    """Open a response to write events into; the block ends quietly when the page is closed."""
    streams = request.app[STREAMS]
    if streams.now >= streams.most:
        raise TooMany("error.often.watchers", retry_after=timedelta(seconds=30))
    streams.now += 1
    try:
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}
        )
        await response.prepare(request)
        with suppress(ConnectionResetError):
            yield response
    finally:
        streams.now -= 1


def event(name: str, data: dict[str, Any]) -> bytes:
    """Return one event as it is sent."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


async def with_beats(steps: AsyncIterator[Step]) -> AsyncIterator[Step | None]:
    """Yield the steps, and None whenever nothing happened for a while, without giving up the wait for the step."""
    following = asyncio.ensure_future(anext(steps, None))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=BEAT_S)
            if not done:
                yield None
                continue
            if (step := following.result()) is None:
                return
            yield step
            following = asyncio.ensure_future(anext(steps, None))
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
