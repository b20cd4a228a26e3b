"""Counts for whoever watches over an installation: verdicts by kind, questions by how they ended."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from knowledge.store import Scope, Store
from knowledge.store.tables import Question, VerdictRow


@dataclass(frozen=True, slots=True)
class Counts:
    verdicts: dict[str, int]
    questions: dict[str, int]
    """By status: answered or refused."""


async def read_counts(store: Store) -> Counts:
    async with store.reading(Scope.all()) as session:
        verdicts = await session.execute(select(VerdictRow.kind, func.count()).group_by(VerdictRow.kind))
        questions = await session.execute(select(Question.status, func.count()).group_by(Question.status))
        return Counts({row[0]: row[1] for row in verdicts}, {row[0]: row[1] for row in questions})
