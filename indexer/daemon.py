"""The indexer's own small loop: rounds of upkeep, and what is due in one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog
from sqlalchemy import func, select

from indexer.fetch.crawl import Target, listed
from knowledge.store import Scope, Store
from knowledge.store.library import Fetch

log = structlog.get_logger(__name__)
_PROBED = 5


@dataclass(frozen=True, slots=True)
class Rhythm:
    first_after: timedelta = timedelta(minutes=10)
    """A start is no reason to ask anybody for anything."""
    every: timedelta = timedelta(hours=1)
    page_age: timedelta = timedelta(days=7)
    """A page that was had is asked for again after this."""
    retry_after: timedelta = timedelta(days=1)
    """One that was not had, after this: a link is dead only after failing on several days."""


async def rounds(work: Callable[[], Awaitable[object]], rhythm: Rhythm) -> None:
    """One after the other until cancelled. A round that fails is logged, and the next one comes all the same."""
    await asyncio.sleep(rhythm.first_after.total_seconds())
    while True:
        try:
            await work()
        except Exception:
            log.exception("round_failed")
        await asyncio.sleep(rhythm.every.total_seconds())


async def due(store: Store, scope: Scope, rhythm: Rhythm, at: datetime) -> list[Target]:
    """The listed resources whose last visit is long enough ago, or that had none."""
    latest = (
        select(func.max(Fetch.id))
        .where(Fetch.guild_id == scope.guild_id, Fetch.resource_id.is_not(None))
        .group_by(Fetch.resource_id)
    )
    async with store.reading(scope) as session:
        visits = await session.execute(select(Fetch.resource_id, Fetch.outcome, Fetch.at).where(Fetch.id.in_(latest)))
        rests = {
            resource_id: visited + (rhythm.page_age if outcome in {"stored", "unchanged"} else rhythm.retry_after)
            for resource_id, outcome, visited in visits
        }
    return [target for target in await listed(store, scope) if rests.get(target.resource_id, at) <= at]


async def online(targets: Sequence[Target]) -> bool:
    """Whether any of a few hosts has a name that can be looked up: a machine without network blames no page."""
    hosts = sorted({urlsplit(target.url).hostname or "" for target in targets} - {""})
    found = await asyncio.gather(*map(_known, random.sample(hosts, min(_PROBED, len(hosts)))))
    return any(found)


async def _known(host: str) -> bool:
    try:
        await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return False
    return True
