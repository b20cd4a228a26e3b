"""The weekly gaps: what the library could not answer, grouped by meaning; and who can be told of an answer by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.ask.answer import Answer
from knowledge.ask.asker import Asker
from knowledge.ask.record import Asked, QuestionLog
from knowledge.library.embed import Embedder
from knowledge.search.searcher import Searcher
from knowledge.store import Scope

_ALIKE = 0.62
"""Cosine from which two questions are taken for the same gap."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Questions that ask for the same thing; the first one stands for all."""

    questions: tuple[Asked, ...]

    @property
    def members(self) -> int:
        return len({question.member_id for question in self.questions})

    @property
    def text(self) -> str:
        return self.questions[0].text


@dataclass(frozen=True, slots=True)
class News:
    """A saved question that the library can answer now."""

    question: Asked
    answer: Answer


async def weekly_gaps(
    log: QuestionLog, searcher: Searcher, embedder: Embedder, scope: Scope, since: datetime
) -> tuple[Gap, ...]:
    """Most askers first, then most questions."""
    return gaps(await log.unanswered(scope, since), searcher, embedder)


def gaps(questions: Sequence[Asked], searcher: Searcher, embedder: Embedder) -> tuple[Gap, ...]:
    """Each question joins the first group whose first question it resembles, in either language."""
    if not questions:
        return ()
    read = [searcher.read(question.text) for question in questions]
    vectors = embedder.queries([one.rendered or one.text for one in read])
    groups: list[list[int]] = []
    for number in range(len(questions)):
        like = [float(vectors[number] @ vectors[group[0]]) for group in groups]
        if like and max(like) >= _ALIKE:
            groups[like.index(max(like))].append(number)
        else:
            groups.append([number])
    found = [Gap(tuple(questions[number] for number in group)) for group in groups]
    return tuple(sorted(found, key=lambda gap: (-gap.members, -len(gap.questions))))


async def answered_by_now(log: QuestionLog, asker: Asker, scope: Scope) -> tuple[News, ...]:
    """Saved questions that would be answered today. The caller tells the askers, then calls `log.told`."""
    news = []
    for question in await log.waiting(scope):
        answer = await asker.ask(question.text, scope=Scope(guild_id=question.guild_id))
        if answer.status == "answered":
            news.append(News(question, answer))
    return tuple(news)
