"""RSS and Atom: each entry a section with its summary and address."""

from __future__ import annotations

from indexer.extract.html import write_fragment
from indexer.extract.page import Page, PageWriter, one_line
from knowledge.errors import OperatorError


class NotAFeed(OperatorError):
    """Raised where the document is not a feed."""


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    import feedparser

    headers = {"content-type": f"application/xml; charset={charset}"} if charset else {}
    feed = feedparser.parse(source, response_headers=headers, resolve_relative_uris=False)
    if not feed.version:
        raise NotAFeed("it is not a feed")
    writer = PageWriter(title or one_line(feed.feed.get("title", "")))
    write_fragment(writer, feed.feed.get("subtitle", "") or "")
    writer.facts = {"entries": [entry.get("link", "") for entry in feed.entries if entry.get("link")]}
    for entry in feed.entries:
        writer.heading(2, entry.get("title", "") or "(untitled)")
        contents = [content.get("value", "") for content in entry.get("content", [])]
        write_fragment(writer, max([entry.get("summary", "") or "", *contents], key=len))
        writer.prose(entry.get("link", ""))
    return writer.page()
