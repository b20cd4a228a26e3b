"""How many answers a language model composes for one guild in a day: counted in the database, for all processes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite

from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import ComposedCount

ELSEWHERE = ""
"""Stands for the site, the command line and direct messages, which share one budget."""
_KEPT = timedelta(days=30)


class DailyBudget:
    """A day is a day in UTC."""

    def __init__(self, store: Store, most: int, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._most = most
        self._clock = clock

    async def take(self, guild_id: str | None) -> bool:
        """Count one answer; False where the day's are spent. Two at once cannot both take the last one."""
        if self._most < 1:
            return False
        today = self._clock().date()
        table = ComposedCount.__table__
        async with self._store.session(Scope.all()) as session:
            dialect = sqlite if self._store.is_sqlite else postgresql
            first = dialect.insert(ComposedCount).values(place=guild_id or ELSEWHERE, day=today, answers=1)
            counted = first.on_conflict_do_update(
                index_elements=[table.c.place, table.c.day],
                set_={"answers": table.c.answers + 1},
                where=table.c.answers < self._most,
            ).returning(table.c.answers)
            answers = await session.scalar(counted)
            if answers == 1:
                await session.execute(delete(ComposedCount).where(ComposedCount.day < today - _KEPT))
        return answers is not None
