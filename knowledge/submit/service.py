"""The submit flow as the faces use it: hand in, watch, cancel, look up."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import BadInput, NotFound, TooMany
from knowledge.members import ensure_member
from knowledge.outbox import OutboxItem, Owed
from knowledge.store import Scope, Store
from knowledge.store.tables import Submission, VerdictRow
from knowledge.submit.form import Limits, check_problem, check_source, check_try, decide
from knowledge.submit.progress_events import Feed, ProgressEvents, Step
from knowledge.submit.verdicts import cancelled, commit, job_of
from worker.hardware.cards import card_key
from worker.protocol import Backend, Form, Kind, Progress, Stage, Try, Verdict, WorkerState, from_json, to_json
from worker.queue import JobQueue, QueueUnavailable

log = logging.getLogger(__name__)

READ_AGAIN_S = 10.0
"""A followed submission is read this often even without an event: another server may have ended it."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What a member hands in, from which face, and where that face wants to report the verdict, if it does."""

    member_id: str
    source: str
    problem: str | None = None
    backend: Backend = Backend.AUTO
    public: bool = False
    lang: str = "en"
    """What the face speaks to them."""
    face: str = ""
    address: Mapping[str, Any] = field(default_factory=dict)
    """With a face, the verdict is owed there until it was shown (knowledge/outbox.py)."""
    trying: Try | None = None
    """Run once on sizes and inputs of one's own: no attempt at the problem, and on no leaderboard."""
    card: str = ""
    """The one card that it is to be timed on, by any of its names."""


@dataclass(frozen=True, slots=True)
class Owned:
    """One line of a member's own list."""

    submission: str
    form: Form
    problem: str | None
    state: str
    verdict: Kind | None
    score: float | None
    card: str | None
    withdrawn: bool
    created_at: datetime


class Submissions:
    def __init__(
        self,
        store: Store,
        queue: JobQueue,
        events: ProgressEvents,
        problems: Collection[str],
        limits: Limits | None = None,
        cards_of: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        self._store = store
        self._queue = queue
        self._events = events
        self._problems = problems
        self._limits = limits or Limits()
        self._cards_of = cards_of
        """Keys of the cards that a problem needs, by slug."""

    async def hand_in(self, scope: Scope, what: HandIn) -> str:
        """The new submission's id. The row comes first: without a broker it waits there until one is back."""
        check_source(what.source, self._limits)
        if what.trying is not None:
            check_problem(what.trying.problem, self._problems)
            check_try(what.trying)
        if what.problem is not None:
            check_problem(what.problem, self._problems)
        if what.card:
            what = replace(what, backend=Backend.GPU)
        if what.backend is Backend.GPU:
            await self._check_gpu(what.card)
        row = await self._write_row(scope, what)
        try:
            await self._queue.put(job_of(row))
        except QueueUnavailable:
            log.warning("the job broker does not answer; %s waits in the database", row.id)
        return row.id

    async def watch(self, scope: Scope, submission: str) -> AsyncIterator[Progress | Verdict]:
        """Progress as it happens, positions included, and the verdict as the last item."""
        if verdict := await self.verdict(scope, submission):
            yield verdict
            return
        shown: Step | None = None
        with self._events.followed(submission) as feed:
            while not isinstance(shown, Verdict):
                event = feed.next_event
                step = await feed.step(partial(self._read_step, submission))
                if step != shown:
                    yield step
                    shown = step
                else:
                    await _next_event(feed, event)

    async def verdict(self, scope: Scope, submission: str) -> Verdict | None:
        """None while there is none yet; NotFound if there is no such submission here."""
        async with self._store.reading(scope) as session:
            if await session.get(Submission, submission) is None:
                raise _no_such_submission()
            return await _verdict(session, submission)

    async def cancel(self, scope: Scope, member_id: str, submission: str) -> bool:
        """False if its verdict was there first. Takes the job from a worker's hands if need be."""
        async with self._store.session(scope) as session:
            row = await _own(session, member_id, submission)
            if row.state == "done":
                return False
            await commit(session, row, row.fence, cancelled(row), readings=lambda _finding, _lang: ())
        try:
            await self._queue.cancel(submission)
        except QueueUnavailable:
            log.warning("the job broker does not answer; the verdict on %s will be dropped", submission)
        self._events.done(submission)
        return True

    async def mine(
        self,
        scope: Scope,
        member_id: str,
        limit: int = 20,
        problem: str | None = None,
        before: str | None = None,
    ) -> tuple[Owned, ...]:
        """The member's own submissions in this place, newest first; `before` names the last of an earlier page."""
        query = (
            select(Submission, VerdictRow)
            .outerjoin(VerdictRow, VerdictRow.submission_id == Submission.id)
            .where(Submission.member_id == member_id, Submission.form != Form.TRY.value)
            .order_by(Submission.created_at.desc(), Submission.id.desc())
            .limit(limit)
        )
        if problem is not None:
            query = query.where(Submission.problem == problem)
        if before is not None:
            at = select(Submission.created_at).where(Submission.id == before, Submission.member_id == member_id)
            query = query.where(tuple_(Submission.created_at, Submission.id) < tuple_(at.scalar_subquery(), before))
        async with self._store.reading(scope) as session:
            return tuple(_owned(row, verdict) for row, verdict in await session.execute(query))

    async def attempt(self, scope: Scope, member_id: str, submission: str) -> int:
        """The how-manieth of the member's submissions to its problem this one is."""
        async with self._store.reading(scope) as session:
            own = await _own(session, member_id, submission)
            earlier = (
                select(func.count())
                .select_from(Submission)
                .where(Submission.member_id == member_id, Submission.problem == own.problem)
                .where(tuple_(Submission.created_at, Submission.id) <= tuple_(own.created_at, own.id))
            )
            return await session.scalar(earlier) or 0

    async def source(self, scope: Scope, member_id: str, submission: str) -> str:
        """One's own code back."""
        async with self._store.reading(scope) as session:
            return (await _own(session, member_id, submission)).source

    async def workers(self) -> tuple[WorkerState, ...]:
        """Who is there to judge; none while the broker does not answer."""
        try:
            return await self._queue.workers()
        except QueueUnavailable:
            return ()

    async def waiting(self) -> int:
        """Return how many jobs stand in line."""
        return await self._queue.waiting()

    async def _check_gpu(self, card: str) -> None:
        """Only refused when workers are there and none has a GPU: one that restarts will be back. A card by name is
        promised only while a worker with it is there: most names are no card of anybody's.
        """
        workers = await self.workers()
        cards = {worker.serves for worker in workers if Backend.GPU in worker.backends and worker.serves}
        if card and card_key(card) not in cards:
            known = ", ".join(sorted(cards)) or "-"
            raise BadInput("error.submission.no_card", name=card[:60], known=known)
        if workers and not any(Backend.GPU in worker.backends for worker in workers):
            raise BadInput("error.submission.no_gpu")

    async def _write_row(self, scope: Scope, what: HandIn) -> Submission:
        async with self._store.session(scope) as session:
            await ensure_member(session, what.member_id)
            await self._check_unfinished(session, what.member_id, scope.guild_id)
            row = Submission(
                member_id=what.member_id,
                guild_id=scope.guild_id,
                form=Form.TRY.value if what.trying else decide(what.source, what.problem).value,
                problem=None if what.trying else what.problem,
                trying=to_json(what.trying) if what.trying else None,
                source=what.source,
                backend=what.backend.value,
                cards=card_key(what.card) if what.card else ",".join(self._cards_of.get(what.problem or "", ())),
                public=what.public,
                lang=what.lang,
            )
            session.add(row)
            if what.face:
                await session.flush()
                session.add(verdict_owed(scope, row.id, what).as_row())
        return row

    async def _check_unfinished(self, session: AsyncSession, member_id: str, guild_id: str | None) -> None:
        count = (
            select(func.count())
            .select_from(Submission)
            .where(Submission.member_id == member_id, Submission.unfinished())
        )
        if (await session.scalar(count) or 0) >= self._limits.unfinished_per_member:
            most = self._limits.unfinished_per_member
            raise TooMany("error.submission.too_many", most=most, retry_after=timedelta(minutes=1))
        if guild_id is None:
            return
        count = (
            select(func.count())
            .select_from(Submission)
            .where(Submission.guild_id == guild_id, Submission.unfinished())
        )
        if (await session.scalar(count) or 0) >= self._limits.unfinished_per_guild:
            most = self._limits.unfinished_per_guild
            raise TooMany("error.submission.too_many_here", most=most, retry_after=timedelta(minutes=1))

    async def _committed(self, submission: str) -> Verdict | None:
        async with self._store.reading(Scope.all()) as session:
            return await _verdict(session, submission)

    async def _read_step(self, submission: str, feed: Feed) -> Step:
        """The verdict; else waiting, at its place in the line; else the last that its worker said."""
        if feed.may_be_done:
            feed.may_be_done = False
            try:
                verdict = await self._committed(submission)
            except BaseException:
                feed.may_be_done = True
                raise
            if verdict:
                return verdict
        try:
            position = await self._queue.position(submission)
        except QueueUnavailable:
            position = None
        if position is not None:
            feed.running = None
        return feed.running or Progress(submission, Stage.QUEUED, position)


def verdict_owed(scope: Scope, submission: str, what: HandIn) -> OutboxItem:
    """Return what the face owes to the member who handed this in."""
    return OutboxItem(Owed.VERDICT, submission, what.face, what.member_id, scope, what.address)


async def _next_event(feed: Feed, event: asyncio.Event) -> None:
    """Wait for the event, or long enough; not all at once, for those who follow may have come at the same time."""
    try:
        async with asyncio.timeout(READ_AGAIN_S * random.uniform(1, 1.5)):  # noqa: S311  no secret
            await event.wait()
    except TimeoutError:
        feed.expire(READ_AGAIN_S)


async def _verdict(session: AsyncSession, submission: str) -> Verdict | None:
    row = await session.get(VerdictRow, submission)
    return from_json(Verdict, row.body) if row else None


async def _own(session: AsyncSession, member_id: str, submission: str) -> Submission:
    row = await session.get(Submission, submission, with_for_update=True)
    if row is None or row.member_id != member_id:
        raise _no_such_submission()
    return row


def _owned(row: Submission, verdict: VerdictRow | None) -> Owned:
    return Owned(
        submission=row.id,
        form=Form(row.form),
        problem=row.problem,
        state=row.state,
        verdict=Kind(verdict.kind) if verdict else None,
        score=verdict.score if verdict else None,
        card=verdict.card if verdict else None,
        withdrawn=row.withdrawn,
        created_at=row.created_at,
    )


def _no_such_submission() -> NotFound:
    return NotFound("error.submission.unknown")
