"""A language model's server that speaks the protocol and says what a test has it say."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from knowledge.ask.answer import Answer
from knowledge.ask.faithful.check import Checker
from knowledge.ask.language_model import Composer, ModelSettings
from knowledge.ask.open_ask import bridge_maker
from tests.integration.knowledge.ask.pages import SmallLibrary
from tests.shipped_content import shipped_content

QUESTION = "How do I avoid bank conflicts?"
PADDING = "To avoid bank conflicts, pad each row of a tile by one element."
BANKS = "Shared memory is divided into 32 banks of four bytes each."
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Heard:
    bodies: list[dict[str, Any]] = field(default_factory=list)
    looks: list[dict[str, Any]] = field(default_factory=list)
    """The second looks that were asked for."""

    def shown(self) -> list[dict[str, Any]]:
        """The passages of the last request."""
        passages: list[dict[str, Any]] = json.loads(self.bodies[-1]["messages"][1]["content"])["passages"]
        return passages


class Purse:
    """A budget that a test fills."""

    def __init__(self, answers: int = 100) -> None:
        self.answers = answers
        self.asked: list[str | None] = []

    async def take(self, guild_id: str | None) -> bool:
        self.asked.append(guild_id)
        self.answers -= 1
        return self.answers >= 0


def chunk(text: str, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(event)}\n\n".encode()


def completion(text: str) -> web.Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return web.json_response(
        {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    )


async def opened(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


async def stream(request: web.Request, parts: list[bytes]) -> web.StreamResponse:
    response = await opened(request)
    for part in parts:
        await response.write(part)
    await response.write(b"data: [DONE]\n\n")
    return response


def number_of(passages: list[dict[str, Any]], words: str) -> int:
    return next(int(passage["number"]) for passage in passages if words in passage["text"])


def replying(reply: str, finish: str = "stop") -> Handler:
    """A model that streams this, a few characters at a time."""

    async def handler(request: web.Request) -> web.StreamResponse:
        parts = [chunk(reply[at : at + 7]) for at in range(0, len(reply), 7)]
        return await stream(request, [*parts, chunk("", finish)])

    return handler


def saying(*sentences: tuple[str, str], finish: str = "stop") -> Handler:
    """A model that writes these sentences, each citing the passage that holds the words beside it."""

    async def handler(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        passages = json.loads(body["messages"][1]["content"])["passages"]
        lines = [f"{text} [{number_of(passages, words)}]" for text, words in sentences]
        return await replying("\n".join(lines), finish)(request)

    return handler


@asynccontextmanager
async def model_server(handler: Handler, verdict: str = "YES") -> AsyncIterator[tuple[str, Heard]]:
    """The base URL of a server that speaks the protocol, and what it was told."""
    heard = Heard()

    async def listen(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if not body.get("stream"):
            heard.looks.append(body)
            return completion(verdict)
        heard.bodies.append(body)
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
    library: SmallLibrary,
    handler: Handler,
    timeout_s: float = 5.0,
    purse: Purse | None = None,
    verdict: str = "YES",
) -> AsyncIterator[tuple[Composer, Heard]]:
    checker = Checker(bridge_maker(shipped_content().glossary)(()))
    async with model_server(handler, verdict) as (base_url, heard):
        settings = ModelSettings(base_url, "small", "sesame", timeout_s)
        composer = Composer(settings, library.flow.searcher, checker, purse or Purse())
        try:
            yield composer, heard
        finally:
            await composer.close()


def extracted(library: SmallLibrary, question: str = QUESTION) -> Answer:
    answer, _ = library.flow.asker.extract(question)
    assert answer.excerpts
    return answer


async def grown(composer: Composer, answer: Answer, question: str = QUESTION, **more: Any) -> list[Answer]:
    return [state async for state in composer.compose(question, answer, **more)]
