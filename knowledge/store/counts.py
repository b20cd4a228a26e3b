"""Counts for whoever watches over an installation: verdicts by kind, questions by how they ended.

Days that are over are counted once, into `daily_counts`: reading the counts then costs as much on the thousandth day
as on the first, and they do not fall when old rows are deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from knowledge.store import Scope, Store
from knowledge.store.tables import DailyCount, Question, VerdictRow

_EVERYWHERE = Scope.all()
_DAY = timedelta(days=1)
_COUNTED: Mapping[str, tuple[InstrumentedAttribute[datetime], InstrumentedAttribute[str]]] = MappingProxyType(
    {"verdict": (VerdictRow.at, VerdictRow.kind), "question": (Question.asked_at, Question.status)}
)
"""What is counted: by which time, and as what."""


@dataclass(frozen=True, slots=True)
class Counts:
    verdicts: dict[str, int]
    questions: dict[str, int]
    """By status: answered or refused."""


async def read_counts(store: Store) -> Counts:
    found = {what: Counter[str]() for what in _COUNTED}
    past = select(DailyCount.what, DailyCount.kind, func.sum(DailyCount.n)).group_by(DailyCount.what, DailyCount.kind)
    async with store.reading(_EVERYWHERE) as session:
        for what, kind, n in await session.execute(past):
            found[what][kind] += n
        since = await first_uncounted(session)
        for what in _COUNTED:
            for kind, n in await session.execute(_by_kind(what, since)):
                found[what][kind] += n
    return Counts(dict(found["verdict"]), dict(found["question"]))


async def count_past_days(store: Store, at: datetime) -> int:
    """Count the days that are over and not counted yet; return how many had anything to count.

    The day before is left alone: what was begun on it may still be on its way into the database.
    """
    until = _begin(at.astimezone(UTC).date() - _DAY)
    async with store.session(_EVERYWHERE) as session:
        since, days = await first_uncounted(session), set()
        for what, (time, kind) in _COUNTED.items():
            counts: Counter[tuple[date, str]] = Counter()
            wanted = select(func.date(time), kind, func.count()).where(time < until, *_after(time, since))
            for day, named, n in await session.execute(wanted.group_by(func.date(time), kind)):
                counts[date.fromisoformat(str(day)), named] += n
            session.add_all(DailyCount(day=day, what=what, kind=named, n=n) for (day, named), n in counts.items())
            days |= {day for day, _ in counts}
    return len(days)


async def first_uncounted(session: AsyncSession) -> datetime | None:
    """Return the begin of the first day that is not counted; None where none is."""
    last = await session.scalar(select(func.max(DailyCount.day)))
    return _begin(last + _DAY) if last else None


def _by_kind(what: str, since: datetime | None) -> Any:
    time, kind = _COUNTED[what]
    return select(kind, func.count()).where(*_after(time, since)).group_by(kind)


def _after(time: InstrumentedAttribute[datetime], since: datetime | None) -> list[Any]:
    return [time >= since] if since else []


def _begin(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), UTC)
