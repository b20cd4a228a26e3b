"""A mirror in place of the web: a crawl without network, with the same rows and the same reasons."""

from __future__ import annotations

import asyncio
from pathlib import Path

from indexer.fetch.client import Fetched, NotFetched
from indexer.fetch.stand_in_addresses import Fetches, Wanted
from indexer.mirror import SourcePage, read_mirror
from knowledge.addresses import key_of


class MirrorClient:
    """Gives the pages of the addresses that the manifest lists; BadInput where there is no manifest."""

    def __init__(self, folder: Path) -> None:
        pages, _ = read_mirror(folder)
        self._pages: dict[str, SourcePage] = {key_of(page.url): page for page in pages}

    async def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched | NotFetched:
        page = self._pages.get(key_of(url))
        if page is None:
            return NotFetched("failed", "the mirror has no page of this address")
        try:
            body = await asyncio.to_thread(page.file.read_bytes)
        except OSError as error:
            return NotFetched("failed", f"cannot be read: {error.strerror}")
        return Fetched(url, body, "", page.charset, None, None)

    async def as_kept(self, _client: Fetches, url: str) -> list[Wanted] | NotFetched:
        """Return one request for the page itself, whatever would be asked for on the web."""
        page = self._pages.get(key_of(url))
        return [Wanted(url, url, kind=page.kind if page else "")]
