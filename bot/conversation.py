"""One conversation a channel and member: ask, remember, and let the next question lean on this one."""

from __future__ import annotations

from dataclasses import dataclass

from bot.flows import Flows
from knowledge.ask.answer import Answer
from knowledge.store import Scope
from knowledge.text.language import Lang


@dataclass(frozen=True, slots=True)
class Turn:
    """A question on its way: who asks what where, and whether it goes on from the last one there."""

    question: str
    lang: Lang
    scope: Scope
    member_id: str
    channel: int | None
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """An answer and the number under which it is remembered."""

    question_id: str
    answer: Answer


async def converse(flows: Flows, turn: Turn) -> Told:
    thread = f"discord:{turn.channel}" if turn.channel else None
    before = await flows.questions.last_in(turn.scope, thread, turn.member_id) if turn.follows and thread else None
    answer = await flows.asker.ask(turn.question, turn.lang, before[1] if before else None, turn.scope)
    follows = before[0] if before else None
    question_id = await flows.questions.keep(turn.scope, turn.question, answer, turn.member_id, thread, follows)
    return Told(question_id, answer)
