"""One crawl in a process of its own, for tests that kill it: `python -m … FOLDER`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, listed
from indexer.fetch.politeness import Politeness
from knowledge.catalogue import AddressPolicy
from knowledge.store import open_store
from knowledge.store.scope import Scope


async def main(folder: Path) -> None:
    politeness = Politeness(per_host=4, pause_s=0.01)
    async with (
        open_store(f"sqlite+aiosqlite:///{folder / 'warpmate.db'}") as store,
        open_client(AddressPolicy(loopback=True), politeness, Limits(seconds=4, attempts=2)) as client,
    ):
        crawler = Crawler(store, Scope(), client, lambda texts: [len(text.split()) for text in texts], folder)
        await crawler.crawl(await listed(store, Scope()))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
