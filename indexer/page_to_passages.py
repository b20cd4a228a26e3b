"""Turn the bytes of a page into its text and passages: the one way for mirrors, notes and the web.

The bytes of a link come from read_from_web.py; page_store.py keeps what is made here, and build.py publishes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from indexer.cut_passages import Chunk, CountTokens, cut_passages
from indexer.extract import VERSION, Page, Unreadable, extract
from indexer.mirror import SourcePage
from knowledge.library.passages import content_hash


@dataclass(frozen=True, slots=True)
class Extracted:
    """A page with its text and passages, ready to be stored."""

    source: SourcePage
    source_hash: str
    page: Page
    chunks: tuple[Chunk, ...]

    @property
    def content_hash(self) -> str:
        return content_hash(self.page.text)


def version_of(url: str, kind: str, title: str) -> str:
    """Return all that decides the passages besides the bytes, as text: when it changes, the page is read again."""
    return f"{VERSION}:{kind}:{title}:{url}"


def page_to_passages(source: SourcePage, content: bytes, digest: str, count_tokens: CountTokens) -> Extracted:
    """Return the page in these bytes, which have this hash; SafeError says in one clause why there is none."""
    page = extract(content, source.kind, charset=source.charset, title=source.title)
    if not page.text.strip():
        raise Unreadable("no text was found in it")
    return Extracted(source, digest, page, cut_passages(page, count_tokens))
