"""What is kept of the past, what becomes a number, and what is deleted: once a day, or by `warpmate db tidy`.

Days that are over are counted without a name first; nothing is deleted that was not counted. Rows go in small
transactions, oldest first, so that nobody waits for it and a run that is broken off has done what it has done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, select
from sqlalchemy.orm import aliased
from ulid import ULID

from knowledge.store import Scope, Store
from knowledge.store.counts import count_past_days, first_uncounted
from knowledge.store.tables import Fetch, Question, ReviewRow, Submission, VerdictRow
from knowledge.submit.kernel_facts import fill_in
from worker.protocol import Kind

AT_ONCE = 500
_EVERYWHERE = Scope.all()
_LEAST_DAYS = 2
"""Younger days are not counted yet."""


@dataclass(frozen=True, slots=True)
class Keep:
    """For how many days rows are kept; 0 keeps them for ever."""

    questions_days: int = 0
    submissions_days: int = 0
    fetches_days: int = 0


@dataclass(frozen=True, slots=True)
class Tidied:
    days_counted: int
    kernels_filled_in: int
    """Accepted by a version that served while this one was started."""
    questions: int
    submissions: int
    fetches: int


async def tidy(store: Store, keep: Keep, at: datetime) -> Tidied:
    """Count what is over, then delete what is older than it is to be kept."""
    filled = await _fill_in(store)
    counted = await count_past_days(store, at)
    async with store.reading(_EVERYWHERE) as session:
        whole_until = await first_uncounted(session)

    def before(days: int) -> datetime | None:
        return at - timedelta(days=max(days, _LEAST_DAYS)) if days else None

    def counted_before(days: int) -> datetime | None:
        until = before(days)
        return min(until, whole_until) if until and whole_until else None

    return Tidied(
        counted,
        filled,
        questions=await _delete_old(store, Question, counted_before(keep.questions_days), _dispensable_questions),
        submissions=await _delete_old(
            store, Submission, counted_before(keep.submissions_days), _dispensable_submissions
        ),
        fetches=await _delete_fetches(store, before(keep.fetches_days)),
    )


def _dispensable_questions(until: datetime) -> ColumnElement[bool]:
    """Nobody waits for the answer, and nobody else was given its address."""
    return and_(Question.asked_at < until, Question.saved.is_(False), Question.public.is_(False))


def _dispensable_submissions(until: datetime) -> ColumnElement[bool]:
    """Neither accepted for a problem, which boards and streaks are made of, nor shared, nor asked about again."""
    solved = exists().where(
        VerdictRow.submission_id == Submission.id,
        VerdictRow.kind == Kind.ACCEPTED.value,
        VerdictRow.problem.is_not(None),
    )
    asked_about = exists().where(ReviewRow.submission_id == Submission.id)
    return and_(
        Submission.finished_at < until,
        Submission.state == "done",
        Submission.public.is_(False),
        ~solved,
        ~asked_about,
    )


async def _delete_old(store: Store, table: type[Question | Submission], until: datetime | None, which: Any) -> int:
    """Go by the key: ids begin with the time, and each batch goes on where the last one ended."""
    if until is None:
        return 0
    last, end, gone = "", str(ULID.from_datetime(until))[:10], 0
    while True:
        wanted = select(table.id).where(table.id > last, table.id < end, which(until))
        async with store.session(_EVERYWHERE) as session:
            ids = (await session.scalars(wanted.order_by(table.id).limit(AT_ONCE))).all()
            await session.execute(delete(table).where(table.id.in_(ids)))
        if not ids:
            return gone
        last, gone = ids[-1], gone + len(ids)


async def _delete_fetches(store: Store, until: datetime | None) -> int:
    """The newest of each page stays: the crawler goes by it."""
    if until is None:
        return 0
    newer, last, gone = aliased(Fetch), 0, 0
    outdated = exists().where(
        newer.url == Fetch.url,
        newer.id > Fetch.id,
        newer.resource_id.is_not_distinct_from(Fetch.resource_id),
        newer.guild_id.is_not_distinct_from(Fetch.guild_id),
    )
    while True:
        wanted = select(Fetch.id).where(Fetch.id > last, Fetch.at < until, outdated)
        async with store.session(_EVERYWHERE) as session:
            ids: Sequence[int] = (await session.scalars(wanted.order_by(Fetch.id).limit(AT_ONCE))).all()
            await session.execute(delete(Fetch).where(Fetch.id.in_(ids)))
        if not ids:
            return gone
        last, gone = ids[-1], gone + len(ids)


async def _fill_in(store: Store) -> int:
    done = 0
    while True:
        async with store.session(_EVERYWHERE) as session:
            filled = await session.run_sync(lambda inner: fill_in(inner.connection()))
        if not filled:
            return done
        done += filled
