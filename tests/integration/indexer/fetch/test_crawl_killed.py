"""A crawl that is killed loses nothing and repeats nothing that was stored."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from knowledge.store import Store
from knowledge.store.library import Fetch, Resource, Snapshot
from knowledge.store.scope import Scope
from tests.integration.indexer.site import Site, misbehaving_site
from tests.stores import migrated_store

SHARED = Scope()
PATHS = [f"/page/{number}" for number in range(120)]


async def start(folder: Path) -> asyncio.subprocess.Process:
    module = "tests.integration.indexer.fetch.crawl_once"
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, str(folder))


async def concluded(store: Store) -> dict[str, int]:
    async with store.reading(SHARED) as session:
        rows = await session.execute(select(Fetch.url, func.count().label("n")).group_by(Fetch.url))
        return {row.url: row.n for row in rows}


async def killed_after(process: asyncio.subprocess.Process, site: Site, pages: int) -> None:
    """SIGKILL as soon as the site has been asked for so many pages more."""
    until = site.hits.total() + pages
    while site.hits.total() < until and process.returncode is None:  # noqa: ASYNC110  the process tells nobody
        await asyncio.sleep(0.005)
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
    await process.wait()


@pytest.mark.slow
async def test_a_crawl_killed_at_random_moments_ends_with_every_page_stored_once(tmp_path: Path) -> None:
    chance = random.Random(20)
    async with misbehaving_site() as site, migrated_store("sqlite", tmp_path) as store:
        async with store.session(SHARED) as session:
            for path in PATHS:
                resource = {"title": path, "lang": "en", "kind": "html", "origin": "content"}
                session.add(Resource(id=f"r{path}", url=site.url(path), **resource))
        for _ in range(3):
            await killed_after(await start(tmp_path), site, chance.randrange(10, 40))
            stored = await concluded(store)
            asked = site.hits.copy()
            assert set(stored.values()) <= {1}
        process = await start(tmp_path)
        assert await process.wait() == 0
        assert await concluded(store) == dict.fromkeys((site.url(path) for path in PATHS), 1)
        for url in stored:
            path = url.removeprefix(site.address)
            assert site.hits[path] == asked[path], "what was stored before the last kill is not asked for again"
        async with store.reading(SHARED) as session:
            assert await session.scalar(select(func.count()).select_from(Snapshot)) == len(PATHS)
            runs = (await session.scalars(select(Fetch.run).distinct())).all()
        assert len(runs) == 1, "the killed run was taken up again"
