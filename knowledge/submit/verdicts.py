"""Make a job of a row, and a committed row of a verdict."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.plans.reviews import note_mistakes
from knowledge.store import Scope
from knowledge.store.base import now
from knowledge.store.tables import Member, ReadingEvent, Submission, VerdictRow
from knowledge.submit.kernel_facts import kernel_facts
from knowledge.submit.leaderboards import standings
from worker.protocol import Backend, Finding, Form, Job, Kind, Try, Verdict, from_json, to_json

Readings = Callable[[str, str], tuple[dict[str, Any], ...]]
"""Finding id and language in, readings out: supplied by the recommend flow."""

CARD_NAME, WORKER_NAME = 128, 64
"""As long as the columns."""

log = logging.getLogger(__name__)


def job_of(row: Submission) -> Job:
    return Job(
        submission=row.id,
        form=Form(row.form),
        source=row.source,
        problem=row.problem,
        backend=Backend(row.backend),
        trying=from_json(Try, row.trying) if row.trying else None,
        queued_by=_opaque(row.member_id),
        group=_opaque(row.guild_id) if row.guild_id else "",
        fence=row.fence,
        cards=tuple(filter(None, row.cards.split(","))),
    )


def _opaque(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=8).hexdigest()


def cancelled(row: Submission) -> Verdict:
    return Verdict(row.id, Form(row.form), row.problem, Backend(row.backend), Kind.CANCELLED)


async def commit(
    session: AsyncSession, row: Submission, fence: int, verdict: Verdict, readings: Readings, worker: str = ""
) -> None:
    """End the submission. What the row knows is taken from the row; a worker is believed about its own work only."""
    lang = await _language(session, row)
    final = replace(
        verdict,
        submission=row.id,
        form=Form(row.form),
        problem=row.problem,
        findings=tuple(_with_readings(finding, lang, readings) for finding in verdict.findings),
        score=verdict.score if _may_score(row, verdict) else None,
        rank=None,
    )
    stored = _row_of(row, final, worker)
    if final.verdict is Kind.ACCEPTED:
        stored.language, stored.counted = kernel_facts(row.source, stored.body)
    row.state, row.fence, row.attempts, row.finished_at = "done", fence, fence, now()
    session.add(stored)
    await _remember(session, row, final)
    if final.score is not None:
        await session.flush()
        stored.body = to_json(replace(final, rank=await _rank(session, row, stored)))


async def _remember(session: AsyncSession, row: Submission, verdict: Verdict) -> None:
    """What was solved counts for the member from now on, and what went wrong is asked about."""
    if row.problem is None:
        return
    if verdict.verdict is Kind.ACCEPTED:
        session.add(ReadingEvent(member_id=row.member_id, item=f"problem:{row.problem}", event="solved"))
    else:
        await note_mistakes(session, row, verdict)


def _row_of(row: Submission, verdict: Verdict, worker: str) -> VerdictRow:
    return VerdictRow(
        submission_id=row.id,
        guild_id=row.guild_id,
        problem=row.problem,
        kind=verdict.verdict.value,
        backend=verdict.backend.value,
        card=verdict.card.name[:CARD_NAME] if verdict.card else None,
        score=verdict.score,
        worker=worker[:WORKER_NAME],
        body=to_json(verdict),
    )


def _with_readings(finding: Finding, lang: str, readings: Readings) -> Finding:
    """A verdict without readings is worth more than none."""
    try:
        return replace(finding, readings=readings(finding.id, lang))
    except Exception:
        log.exception("no readings for the finding %s", finding.id)
        return finding


def _may_score(row: Submission, verdict: Verdict) -> bool:
    measured = verdict.backend is Backend.GPU and verdict.card is not None
    return row.form == Form.KERNEL.value and verdict.verdict is Kind.ACCEPTED and measured


async def _rank(session: AsyncSession, row: Submission, stored: VerdictRow) -> int | None:
    """The place of the member's best entry, this one included."""
    if row.problem is None or stored.card is None:
        return None
    board = await standings(session, Scope(row.guild_id), row.problem, stored.card)
    return next((standing.rank for standing in board if standing.member_id == row.member_id), None)


async def _language(session: AsyncSession, row: Submission) -> str:
    """The member's own choice, else what the face wrote beside the submission."""
    member = await session.get(Member, row.member_id)
    return (member and member.language) or row.lang
