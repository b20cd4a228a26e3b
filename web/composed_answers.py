"""Answers that a language model still adds to: each grows in a task of its own, whether or not a page watches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from knowledge.ask.answer import Answer

Keep = Callable[[Answer], Awaitable[None]]


@dataclass(slots=True)
class _Growth:
    """The state of one growing answer; `changed` is set, and replaced, with every sentence."""

    latest: Answer | None = None
    over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class GrowingAnswers:
    """Those of this process; an answer that is whole is found in the store."""

    def __init__(self) -> None:
        self._growths: dict[str, _Growth] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, question_id: str, answers: AsyncIterator[Answer], keep: Keep) -> None:
        """Follow an answer to its end, then keep it."""
        growth = self._growths[question_id] = _Growth()
        task = asyncio.create_task(self._grow(question_id, growth, answers, keep), name=f"compose {question_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def is_growing(self, question_id: str) -> bool:
        return question_id in self._growths

    async def watch(self, question_id: str) -> AsyncIterator[Answer]:
        """Each new state of an answer until it is whole and kept; nothing where it is so already."""
        growth = self._growths.get(question_id)
        seen: Answer | None = None
        while growth is not None:
            changed = growth.changed
            if growth.latest is not None and growth.latest is not seen:
                yield (seen := growth.latest)
            elif growth.over:
                return
            else:
                await changed.wait()

    async def close(self) -> None:
        """Break off what still grows: the excerpts are kept already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _grow(self, question_id: str, growth: _Growth, answers: AsyncIterator[Answer], keep: Keep) -> None:
        try:
            async for answer in answers:
                growth.latest = answer
                growth.tell()
            if growth.latest is not None:
                await keep(growth.latest)
        finally:
            growth.over = True
            del self._growths[question_id]
            growth.tell()


GROWING = web.AppKey("growing", GrowingAnswers)


async def growing_answers(site: web.Application) -> AsyncIterator[None]:
    """Open them with the site and close them with it."""
    site[GROWING] = GrowingAnswers()
    yield
    await site[GROWING].close()
