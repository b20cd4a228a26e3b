"""Who of several processes leads: a row with a name and a time, renewed by its holder, then free for anybody.

Bot and site run as often as one likes; what goes by the clock is done by one of them. When that one ends, another
takes over as soon as the lease has run out. A lease makes work rare, not safe: a process that was frozen may go on
for a moment after its lease. What must not happen twice has a row of its own (`knowledge/group/posts.py`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import LeaseRow

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""A leader that was killed is replaced within this time; renewal is three times as frequent."""
_EVERYWHERE = Scope.all()


def _this_process() -> str:
    return f"{socket.gethostname()[:32]}:{os.getpid()}:{secrets.token_hex(4)}"


@dataclass(frozen=True, slots=True)
class Leases:
    store: Store
    holder: str = field(default_factory=_this_process)

    async def take(self, name: str, hold: timedelta = LEASE) -> bool:
        """Take the lease, or renew one's own; False while somebody else has it."""
        async with self.store.session(_EVERYWHERE) as session:
            at = await _clock(session)
            dialect = sqlite if self.store.is_sqlite else postgresql
            mine = {"holder": self.holder, "until": at + hold}
            free = or_(LeaseRow.until <= at, LeaseRow.holder == self.holder)
            taken = dialect.insert(LeaseRow).values(name=name, **mine)
            taken = taken.on_conflict_do_update(index_elements=["name"], set_=mine, where=free)
            return (await session.execute(taken.returning(LeaseRow.name))).first() is not None

    async def give_up(self, name: str) -> None:
        """Let the next one in at once."""
        mine = (LeaseRow.name == name, LeaseRow.holder == self.holder)
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(LeaseRow).where(*mine))

    async def lead(self, name: str, work: Callable[[], Awaitable[None]], hold: timedelta = LEASE) -> None:
        """Run until cancelled: while this process leads, the work runs; when it no longer does, it is cancelled."""
        try:
            while True:
                if await self._holds(name, hold):
                    log.info("this process leads %s", name)
                    await self._working(name, work, hold)
                await asyncio.sleep(hold.total_seconds() / 3)
        finally:
            await self._leave(name)

    async def _working(self, name: str, work: Callable[[], Awaitable[None]], hold: timedelta) -> None:
        task = asyncio.ensure_future(work())
        try:
            while not task.done() and await self._holds(name, hold):
                await asyncio.wait({task}, timeout=hold.total_seconds() / 3)
        finally:
            task.cancel()
            (ended,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(ended, Exception):
            log.error("leading %s failed and begins again", name, exc_info=ended)

    async def _holds(self, name: str, hold: timedelta) -> bool:
        """A leader that cannot reach the database leads no longer."""
        try:
            return await self.take(name, hold)
        except Exception as error:  # noqa: BLE001  the database is asked again
            log.warning("nobody can say who leads %s: %s", name, error)
            return False

    async def _leave(self, name: str) -> None:
        try:
            await self.give_up(name)
        except Exception as error:  # noqa: BLE001  it runs out by itself
            log.info("the lease on %s was left to run out: %s", name, error)


async def _clock(session: AsyncSession) -> datetime:
    """Return the time by the database's clock, which all hosts share; of an SQLite file there is one host."""
    if session.get_bind().dialect.name == "sqlite":
        return now()
    at: datetime = (await session.scalars(select(func.clock_timestamp()))).one()
    return at
