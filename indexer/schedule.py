"""When the indexer works: one round of upkeep after another, and which resources are due in a round."""

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
from knowledge.proxy import proxy_for
from knowledge.store import Scope, Store
from knowledge.store.library import Fetch

log = structlog.get_logger(__name__)
_PROBED = 5


@dataclass(frozen=True, slots=True)
class Rhythm:
    first_after: timedelta = timedelta(minutes=10)
    """The wait before the first round: a process that restarts often asks no host more often."""
    every: timedelta = timedelta(hours=1)
    page_age: timedelta = timedelta(days=7)
    """The time after which a page that was read is asked for again."""
    retry_after: timedelta = timedelta(days=1)
    """The time after which a page that failed is asked for again; a link is dead after failing on several days."""


async def rounds(work: Callable[[], Awaitable[object]], rhythm: Rhythm) -> None:
    """Run one round after the other until cancelled. A round that fails is logged, and the next one follows."""
    await asyncio.sleep(rhythm.first_after.total_seconds())
    while True:
        try:
            await work()
        except Exception:
            log.exception("round_failed")
        await asyncio.sleep(rhythm.every.total_seconds())


async def due(store: Store, scope: Scope, rhythm: Rhythm, at: datetime) -> list[Target]:
    """Return the listed resources whose last visit is long enough ago, or that had none."""
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
    """Tell whether any of a few hosts' names, or of the proxies on the way to them, can be looked up.

    Without a network no page is to blame.
    """
    hosts = sorted({urlsplit(proxy_for(target.url) or target.url).hostname or "" for target in targets} - {""})
    found = await asyncio.gather(*map(_known, random.sample(hosts, min(_PROBED, len(hosts)))))
    return any(found)


async def _known(host: str) -> bool:
    try:
        await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return False
    return True
