"""The weekly gaps: what the library could not answer, grouped by meaning; and who can be told of an answer by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.ask.answer import Answer, Asks
from knowledge.ask.question_log import QuestionLog, StoredQuestion
from knowledge.search.searcher import Searcher
from knowledge.store import Scope

_ALIKE = 0.52
"""Cosine from which two questions are taken for the same gap."""
MOST_AT_ONCE = 3
"""Answers that somebody missed and is told beside the one that they came for."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Questions that ask for the same thing; the first one stands for all."""

    questions: tuple[StoredQuestion, ...]

    @property
    def members(self) -> int:
        return len({question.member_id for question in self.questions})

    @property
    def text(self) -> str:
        return self.questions[0].text


@dataclass(frozen=True, slots=True)
class News:
    """A saved question that the library can answer now."""

    question: StoredQuestion
    answer: Answer


async def weekly_gaps(log: QuestionLog, searcher: Searcher, scope: Scope, since: datetime) -> tuple[Gap, ...]:
    """Most askers first, then most questions."""
    return gaps(await log.unanswered(scope, since), searcher)


def gaps(questions: Sequence[StoredQuestion], searcher: Searcher) -> tuple[Gap, ...]:
    """Each question joins the first group whose first question it resembles, in either language."""
    if not questions:
        return ()
    read = [searcher.read(question.text) for question in questions]
    vectors = searcher.vectors(read)
    groups: list[list[int]] = []
    for number in range(len(questions)):
        like = [float(vectors[number] @ vectors[group[0]]) for group in groups]
        if like and max(like) >= _ALIKE:
            groups[like.index(max(like))].append(number)
        else:
            groups.append([number])
    found = [Gap(tuple(questions[number] for number in group)) for group in groups]
    return tuple(sorted(found, key=lambda gap: (-gap.members, -len(gap.questions))))


def gaps_report(found: Sequence[Gap], at: datetime) -> str:
    """Return the gaps as Markdown, for whoever keeps the library."""
    lines = [f"- {' '.join(gap.text.split())} (asked {len(gap.questions)} times by {gap.members})" for gap in found]
    return "\n".join([f"# What the library lacks, {at:%Y-%m-%d}", "", *(lines or ["Nothing."]), ""])


async def answered_by_now(log: QuestionLog, asker: Asks, scope: Scope) -> tuple[News, ...]:
    """Saved questions that would be answered today.

    The caller tells the askers, then the outbox that it was delivered, or undelivered where that cannot be done.
    """
    return await _answered(await log.waiting(scope), asker)


async def missed(log: QuestionLog, asker: Asks, scope: Scope, member_id: str) -> tuple[News, ...]:
    """What this member could not be told, now that they are here. The caller tells them, then the outbox."""
    return await _answered((await log.undelivered(scope, member_id))[:MOST_AT_ONCE], asker)


async def _answered(questions: Sequence[StoredQuestion], asker: Asks) -> tuple[News, ...]:
    answers = [(one, await asker.ask(one.text, scope=Scope(guild_id=one.guild_id))) for one in questions]
    return tuple(News(question, answer) for question, answer in answers if answer.status == "answered")
