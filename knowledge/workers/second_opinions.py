"""A share of the verdicts of workers on other hosts is judged again by somebody else: so a liar is found."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec.structs import replace
from sqlalchemy import func, select

from knowledge.store import Scope, Store
from knowledge.store.tables import SecondOpinion, VerdictRow
from knowledge.workers.registry import REMOTE, Workers, is_remote
from worker.protocol import Form, Job, Kind, Verdict, WorkerState
from worker.queue import JobQueue, Report, suits

log = logging.getLogger(__name__)

MARK = "~again"
"""Ends the name of a job that is a second opinion; no submission's id has it."""
GROUP = "~again"
"""They take turns as one guild among the others."""
NOT_JUDGED = frozenset({Kind.INFRASTRUCTURE_ERROR, Kind.CANCELLED})
SCORES_APART = 0.25
"""Two honest scores of one kernel on one card differ by a few percent."""
MOST_LISTED = 50
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Disagreement:
    submission: str
    worker: str
    opinions: tuple[dict[str, Any], ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class SecondOpinions:
    store: Store

    async def ask(self, queue: JobQueue, job: Job, report: Report, share: float) -> None:
        """Put the job in line once more, for somebody else: whoever is trusted, where one of these could do it."""
        verdict = report.body
        if not is_remote(report.worker) or not isinstance(verdict, Verdict) or verdict.verdict in NOT_JUDGED:
            return
        if job.form is Form.TRY or random.random() >= share:  # noqa: S311  no secret
            return
        alive = await queue.workers()
        remote = tuple(worker.name for worker in alive if is_remote(worker.name))
        for avoid in ({report.worker, *remote}, {report.worker}):
            again = replace(
                job, submission=job.submission + MARK, group=GROUP, avoid=tuple(sorted(avoid)), fence=0,
                backend=verdict.backend,
            )  # fmt: skip
            if _somebody(alive, again):
                await queue.put(again)
                return

    async def hear(self, report: Report) -> None:
        """Compare it with the verdict that the member has. Whom a trusted worker contradicts is paused."""
        second = report.body
        if not isinstance(second, Verdict) or second.verdict in NOT_JUDGED:
            return
        submission = second.submission.removesuffix(MARK)
        async with self.store.session(_EVERYWHERE) as session:
            first = await session.get(VerdictRow, submission)
            if first is None or await session.get(SecondOpinion, submission) is not None:
                return
            opinions = [
                {"worker": first.worker, "verdict": first.kind, "card": first.card, "score": first.score},
                {
                    "worker": report.worker, "verdict": second.verdict.value,
                    "card": second.card.name if second.card else None, "score": second.score,
                },
            ]  # fmt: skip
            agree, accused = agrees(opinions), first.worker
            session.add(SecondOpinion(submission_id=submission, worker=accused, opinions=opinions, agree=agree))
        if agree:
            return
        log.error("%s and %s disagree on %s: %s", accused, report.worker, submission, opinions)
        if not is_remote(report.worker):
            await Workers(self.store).pause(accused.removeprefix(REMOTE), f"{submission} was judged otherwise")

    async def disagreements(self) -> tuple[Disagreement, ...]:
        """Return the newest, for operators."""
        query = select(SecondOpinion).where(SecondOpinion.agree.is_(False)).order_by(SecondOpinion.at.desc())
        async with self.store.reading(_EVERYWHERE) as session:
            rows = await session.scalars(query.limit(MOST_LISTED))
            return tuple(Disagreement(row.submission_id, row.worker, tuple(row.opinions), row.at) for row in rows)

    async def counts(self) -> dict[bool, int]:
        """Return how many agreed, and how many did not."""
        query = select(SecondOpinion.agree, func.count()).group_by(SecondOpinion.agree)
        async with self.store.reading(_EVERYWHERE) as session:
            found = {row[0]: row[1] for row in await session.execute(query)}
        return {agree: found.get(agree, 0) for agree in (True, False)}


def is_again(submission: str) -> bool:
    return submission.endswith(MARK)


def agrees(opinions: Sequence[dict[str, Any]]) -> bool:
    """The same verdict and, on one card, scores that are not far apart."""
    first, second = opinions
    if first["verdict"] != second["verdict"]:
        return False
    scores = (first["score"], second["score"])
    if first["card"] != second["card"] or None in scores:
        return True
    return bool(abs(scores[0] - scores[1]) <= SCORES_APART * max(*scores, 1e-9))


def _somebody(alive: Sequence[WorkerState], job: Job) -> bool:
    return any(suits(worker, job, alive) for worker in alive)
