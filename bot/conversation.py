"""One conversation per channel and member: ask, remember, and let the next question refer to this one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from knowledge.ask.question_log import StoredAnswer
from knowledge.services import Services
from knowledge.store import Scope

PACE_S = 1.5
"""Between two edits of one answer: Discord takes five edits in five seconds of a whole channel."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with who asks it and where, and whether it follows up on the last one there."""

    question: str
    lang: str
    scope: Scope
    member_id: str
    channel: int | None
    follows: bool = False


async def converse(services: Services, turn: Turn, pace_s: float = PACE_S) -> AsyncGenerator[StoredAnswer, None]:
    """The answer as soon as there is one, and again, at a pace, as a language model adds to it."""
    thread = f"discord:{turn.channel}" if turn.channel else None
    before = await services.questions.last_in(turn.scope, thread, turn.member_id) if turn.follows and thread else None
    earlier = before[1] if before else None
    answer = await services.library.ask(turn.question, turn.lang, earlier, turn.scope, turn.member_id)
    follows = before[0] if before else None
    question_id = await services.questions.keep(turn.scope, turn.question, answer, turn.member_id, thread, follows)
    stored = StoredAnswer(question_id, turn.question, answer, own=True, public=False)
    yield stored
    async with aclosing(_growing(services, turn, stored, earlier, pace_s)) as growing:
        async for grown in growing:
            yield grown


async def _growing(
    services: Services, turn: Turn, stored: StoredAnswer, earlier: str | None, pace_s: float
) -> AsyncGenerator[StoredAnswer, None]:
    """The whole one comes last, and is kept before it is shown."""
    grown = shown = stored
    free_at = time.monotonic() + pace_s
    async for answer in services.library.compose(turn.question, stored.answer, earlier, turn.scope):
        grown = replace(stored, answer=answer)
        if time.monotonic() >= free_at:
            yield (shown := grown)
            free_at = time.monotonic() + pace_s
    if grown is not stored:
        await services.questions.complete(turn.scope, stored.id, grown.answer)
    if grown is not shown:
        await asyncio.sleep(max(0.0, free_at - time.monotonic()))
        yield grown
