"""Submissions that could not be judged for no fault of their members: seen by whoever administers, retried or let go.

The member has been told and waits for nobody; a retry takes the verdict of our fault back and judges the row anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import NotFound
from knowledge.store import Scope, Store
from knowledge.store.tables import SetAside, Submission, VerdictRow
from worker.queue import MAX_ATTEMPTS

JUDGE_FAILED, WORKERS_DIED = "judge_failed", "workers_died"
MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class AsideJob:
    submission: str
    problem: str | None
    reason: str
    """A word under `aside` in the catalogues."""
    attempts: int
    worker: str
    at: datetime


def aside_row(row: Submission, fence: int, worker: str) -> SetAside:
    """Of a submission that ends in trouble of ours: its workers died, each time, or the judge failed."""
    died = fence > MAX_ATTEMPTS
    reason, attempts = (WORKERS_DIED, MAX_ATTEMPTS) if died else (JUDGE_FAILED, fence)
    return SetAside(
        submission_id=row.id, guild_id=row.guild_id, reason=reason, attempts=attempts, worker="" if died else worker
    )


@dataclass(frozen=True, slots=True)
class AsideJobs:
    store: Store

    async def listed(self, scope: Scope) -> tuple[AsideJob, ...]:
        """Return those of this place, newest first."""
        query = (
            select(SetAside, Submission.problem)
            .join(Submission, Submission.id == SetAside.submission_id)
            .order_by(SetAside.at.desc())
            .limit(MOST_LISTED)
        )
        async with self.store.reading(scope) as session:
            return tuple(
                AsideJob(row.submission_id, problem, row.reason, row.attempts, row.worker, row.at)
                for row, problem in await session.execute(query)
            )

    async def count(self) -> int:
        """Return how many there are anywhere."""
        async with self.store.reading(Scope.all()) as session:
            return await session.scalar(select(func.count()).select_from(SetAside)) or 0

    async def let_go(self, scope: Scope, submission: str) -> None:
        """Leave it at the verdict that the member has."""
        async with self.store.session(scope) as session:
            await _taken(session, submission)

    async def retry(self, scope: Scope, submission: str) -> None:
        """Have it judged anew: some server finds the row within seconds and puts it in line."""
        async with self.store.session(scope) as session:
            await _taken(session, submission)
            row = await session.get_one(Submission, submission, with_for_update=True)
            await session.execute(delete(VerdictRow).where(VerdictRow.submission_id == submission))
            row.state, row.fence, row.attempts, row.finished_at = "waiting", 0, 0, None


async def _taken(session: AsyncSession, submission: str) -> None:
    row = await session.get(SetAside, submission, with_for_update=True)
    if row is None:
        raise NotFound("error.aside.unknown", name=submission[:40])
    await session.delete(row)
