"""One conversation a channel and member: ask, remember, and let the next question lean on this one."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.ask.question_log import StoredAnswer
from knowledge.services import Services
from knowledge.store import Scope


@dataclass(frozen=True, slots=True)
class Turn:
    """A question on its way: who asks what where, and whether it goes on from the last one there."""

    question: str
    lang: str
    scope: Scope
    member_id: str
    channel: int | None
    follows: bool = False


async def converse(services: Services, turn: Turn) -> StoredAnswer:
    thread = f"discord:{turn.channel}" if turn.channel else None
    before = await services.questions.last_in(turn.scope, thread, turn.member_id) if turn.follows and thread else None
    answer = await services.library.ask(turn.question, turn.lang, before[1] if before else None, turn.scope)
    follows = before[0] if before else None
    question_id = await services.questions.keep(turn.scope, turn.question, answer, turn.member_id, thread, follows)
    return StoredAnswer(question_id, turn.question, answer, own=True, public=False)
