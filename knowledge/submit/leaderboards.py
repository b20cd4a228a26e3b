"""Leaderboards: one per problem and card, each member's best entry, ties to the earlier hand-in.

They rank what a GPU timed, in all languages together or in one of them; `predicted_boards` ranks what none has timed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import NotFound
from knowledge.store import Scope, Store
from knowledge.store.tables import Submission, VerdictRow
from knowledge.submit.kernel_facts import KernelLanguage
from worker.protocol import Backend, Form, Kind

LANGUAGES: Mapping[KernelLanguage, str] = MappingProxyType({"cuda": "CUDA", "triton": "Triton"})
"""With their names, which are the same in every tongue."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One scored submission."""

    submission: str
    score: float
    handed_in_at: datetime
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    member_id: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class BoardSummary:
    problem: str
    card: str
    members: int
    best: float


@dataclass(frozen=True, slots=True)
class Boards:
    store: Store

    async def cards(self, scope: Scope, problem: str) -> tuple[str, ...]:
        """Cards that somebody stands on a board of."""
        cards = _ranked(problem).with_only_columns(VerdictRow.card).distinct().order_by(VerdictRow.card)
        async with self.store.reading(scope) as session:
            return tuple(card for card in await session.scalars(cards) if card)

    async def overview(self, scope: Scope) -> tuple[BoardSummary, ...]:
        """Every board of this place that somebody stands on, without a name."""
        members = func.count(Submission.member_id.distinct())
        boards = (
            _timed()
            .where(Submission.withdrawn.is_(False))
            .with_only_columns(VerdictRow.problem, VerdictRow.card, members, func.max(VerdictRow.score))
            .group_by(VerdictRow.problem, VerdictRow.card)
            .order_by(VerdictRow.problem, VerdictRow.card)
        )
        async with self.store.reading(scope) as session:
            rows: Sequence[Any] = (await session.execute(boards)).all()
        return tuple(BoardSummary(*row) for row in rows)

    async def board(
        self, scope: Scope, problem: str, card: str, limit: int = 20, language: KernelLanguage | None = None
    ) -> tuple[Standing, ...]:
        """Return who stands where, in all languages together unless one is named."""
        async with self.store.reading(scope) as session:
            return await standings(session, scope, problem, card, limit, language)

    async def history(self, scope: Scope, member_id: str, problem: str, card: str) -> tuple[Entry, ...]:
        """The member's own scored submissions, oldest first, those withdrawn as well."""
        own = (
            _scored(problem)
            .where(VerdictRow.card == card, Submission.member_id == member_id)
            .with_only_columns(Submission.id, VerdictRow.score, Submission.created_at, Submission.withdrawn)
            .order_by(Submission.created_at, Submission.id)
        )
        async with self.store.reading(scope) as session:
            rows: Sequence[Any] = (await session.execute(own)).all()
        return tuple(Entry(*row) for row in rows)

    async def withdraw(self, scope: Scope, member_id: str, submission: str) -> None:
        """Take one's own entry off the board; the next best of one's own takes its place."""
        own = (Submission.id == submission, Submission.member_id == member_id)
        async with self.store.session(scope) as session:
            found = await session.execute(
                update(Submission).where(*own).values(withdrawn=True).returning(Submission.id)
            )
            if found.first() is None:
                raise NotFound("error.submission.unknown_number")


async def standings(
    session: AsyncSession,
    scope: Scope,
    problem: str,
    card: str,
    limit: int | None = None,
    language: KernelLanguage | None = None,
) -> tuple[Standing, ...]:
    """A guild ranks its own members among themselves, whatever else the session may see."""
    best_first = (VerdictRow.score.desc(), Submission.created_at, Submission.id)
    nth_of_member = func.row_number().over(partition_by=Submission.member_id, order_by=best_first)
    entries = (
        _ranked(problem)
        .where(
            VerdictRow.card == card,
            Submission.visible_to(scope),
            VerdictRow.visible_to(scope),
            *([VerdictRow.language == language] if language else []),
        )
        .with_only_columns(
            Submission.member_id, Submission.id, VerdictRow.score, Submission.created_at, nth_of_member.label("nth")
        )
        .subquery()
    )
    best = (
        select(entries.c.member_id, entries.c.id, entries.c.score, entries.c.created_at)
        .where(entries.c.nth == 1)
        .order_by(entries.c.score.desc(), entries.c.created_at, entries.c.id)
        .limit(limit)
    )
    rows: Sequence[Any] = (await session.execute(best)).all()
    return tuple(Standing(rank, member, Entry(*entry)) for rank, (member, *entry) in enumerate(rows, start=1))


def _ranked(problem: str) -> Select[Any]:
    return _scored(problem).where(Submission.withdrawn.is_(False))


def _scored(problem: str) -> Select[Any]:
    return _timed().where(VerdictRow.problem == problem)


def _timed() -> Select[Any]:
    """Only kernels that a GPU accepted and timed."""
    return (
        select(Submission)
        .join(VerdictRow, VerdictRow.submission_id == Submission.id)
        .where(
            Submission.form == Form.KERNEL.value,
            VerdictRow.kind == Kind.ACCEPTED.value,
            VerdictRow.backend == Backend.GPU.value,
            VerdictRow.score.is_not(None),
            VerdictRow.card.is_not(None),
        )
    )
