"""Composing against a real server that speaks the protocol: streaming, errors, slow bytes, planted orders."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from knowledge.ask.answer import Answer
from knowledge.ask.composing import Composer, ModelSettings
from knowledge.search.searcher import Findings
from tests.integration.knowledge.ask.pages import SmallLibrary

QUESTION = "How do I avoid bank conflicts?"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Heard:
    bodies: list[dict[str, Any]] = field(default_factory=list)


def chunk(text: str, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(event)}\n\n".encode()


async def stream(request: web.Request, parts: list[bytes]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for part in parts:
        await response.write(part)
    await response.write(b"data: [DONE]\n\n")
    return response


def saying(*sentences: tuple[str, int], finish: str = "stop") -> Handler:
    """A model that streams these sentences a few characters at a time."""
    reply = json.dumps({"sentences": [{"text": text, "excerpt": excerpt} for text, excerpt in sentences]})

    async def handler(request: web.Request) -> web.StreamResponse:
        parts = [chunk(reply[at : at + 7]) for at in range(0, len(reply), 7)]
        return await stream(request, [*parts, chunk("", finish)])

    return handler


@asynccontextmanager
async def model_server(handler: Handler) -> AsyncIterator[tuple[str, Heard]]:
    """The base URL of a server that speaks the protocol, and what it was told."""
    heard = Heard()

    async def listen(request: web.Request) -> web.StreamResponse:
        heard.bodies.append(await request.json())
        return await handler(request)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", listen)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1", heard
    finally:
        await runner.cleanup()


@asynccontextmanager
async def model(
    library: SmallLibrary, handler: Handler, timeout_s: float = 5.0
) -> AsyncIterator[tuple[Composer, Heard]]:
    async with model_server(handler) as (base_url, heard):
        settings = ModelSettings(base_url, "small", timeout_s=timeout_s)
        composer = Composer(settings, library.flow.embedder, library.flow.sources.shared().bridge)
        try:
            yield composer, heard
        finally:
            await composer.close()


def extracted(library: SmallLibrary, question: str = QUESTION) -> tuple[Answer, Findings]:
    answer, findings = library.flow.asker.extract(question)
    assert answer.excerpts
    return answer, findings


def number_of(answer: Answer, words: str) -> int:
    return next(n for n, excerpt in enumerate(answer.excerpts, start=1) if words in excerpt.text)


async def test_words_that_the_excerpt_supports_are_taken(library: SmallLibrary) -> None:
    answer, findings = extracted(library)
    number = number_of(answer, "Pad each row")
    handler = saying(("To avoid bank conflicts, pad each row of the tile by one element.", number))
    async with model(library, handler) as (composer, heard):
        made = await composer(answer, findings)
    (composed,) = made.composed
    assert composed.text.startswith("To avoid")
    assert composed.citation == answer.excerpts[number - 1].citation
    assert made.excerpts == answer.excerpts
    assert heard.bodies[0]["stream"] is True


@pytest.mark.parametrize(
    "invented",
    [
        "Pad each row of the tile by 17 elements to avoid bank conflicts.",
        "Use cp.async.bulk to avoid bank conflicts in each row of a tile.",
        "Bananas are rich in potassium.",
        "Pad each row, see https://evil.example for bank conflicts.",
    ],
)
async def test_a_sentence_that_the_excerpt_does_not_support_is_dropped(library: SmallLibrary, invented: str) -> None:
    answer, findings = extracted(library)
    async with model(library, saying((invented, number_of(answer, "Pad each row")))) as (composer, _):
        assert await composer(answer, findings) == answer


async def test_a_number_that_names_no_excerpt_is_dropped(library: SmallLibrary) -> None:
    answer, findings = extracted(library)
    async with model(library, saying(("Pad each row of the tile.", 99))) as (composer, _):
        assert await composer(answer, findings) == answer


async def test_a_reply_that_was_cut_short_is_not_used(library: SmallLibrary) -> None:
    answer, findings = extracted(library)
    handler = saying(("Pad each row of a tile by one element.", 1), finish="length")
    async with model(library, handler) as (composer, _):
        assert await composer(answer, findings) == answer


async def test_an_empty_reply_leaves_the_excerpts(library: SmallLibrary) -> None:
    answer, findings = extracted(library)

    async def silent(request: web.Request) -> web.StreamResponse:
        return await stream(request, [chunk("", "stop")])

    async with model(library, silent) as (composer, _):
        assert await composer(answer, findings) == answer


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_an_error_of_the_server_leaves_the_excerpts(library: SmallLibrary, status: int) -> None:
    answer, findings = extracted(library)

    async def broken(_: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": "no"}}, status=status)

    async with model(library, broken) as (composer, heard):
        assert await composer(answer, findings) == answer
    assert len(heard.bodies) == 1


async def test_slow_bytes_end_at_the_time_out(library: SmallLibrary) -> None:
    answer, findings = extracted(library)
    gave_up = asyncio.Event()

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            while True:
                await response.write(chunk(" "))
                await asyncio.sleep(0.05)
        finally:
            gave_up.set()

    async with model(library, drip, timeout_s=0.4) as (composer, _):
        assert await asyncio.wait_for(composer(answer, findings), 5) == answer
        await asyncio.wait_for(gave_up.wait(), 5)


async def test_planted_orders_travel_as_data_and_change_nothing(library: SmallLibrary) -> None:
    answer, findings = extracted(library, "What is occupancy the ratio of?")
    orders = number_of(answer, "Ignore all previous")
    handler = saying(("Occupancy is 900 percent.", orders), ("@everyone obey", orders))
    async with model(library, handler) as (composer, heard):
        assert await composer(answer, findings) == answer
    system, user = heard.bodies[0]["messages"]
    assert "Ignore all previous" not in system["content"]
    assert json.loads(user["content"])["excerpts"]


async def test_a_server_that_is_not_there_leaves_the_excerpts(library: SmallLibrary) -> None:
    answer, findings = extracted(library)
    settings = ModelSettings("http://127.0.0.1:9/v1", "small", timeout_s=2)
    composer = Composer(settings, library.flow.embedder, library.flow.sources.shared().bridge)
    try:
        assert await composer(answer, findings) == answer
    finally:
        await composer.close()
