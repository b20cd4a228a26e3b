"""Bookmark files, as every browser exports them (Netscape format): folders are headings."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from indexer.lists.blocks import Block, Outline, Span


def bookmark_blocks(text: str) -> Iterator[Block]:
    """Yield a block for each bookmark, its folder path as section; a <DD> is its description."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.finish()
    yield from reader.blocks


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._outline = Outline()
        self._depth = 0
        self._tag = ""
        self._words = ""
        self._href: str | None = None
        self._begun_at = 1
        self._link: Block | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"dt", "dl", "a", "h1", "h3"}:
            self._end_text()
        if tag == "dl":
            self._depth += 1
        elif tag in {"a", "h1", "h3", "dd"}:
            self._end_text()
            self._tag, self._words, self._begun_at = tag, "", self.getpos()[0]
            self._href = dict(attrs).get("href") if tag == "a" else None

    def handle_endtag(self, tag: str) -> None:
        if tag in {"a", "h1", "h3", "dl"}:
            self._end_text()
        if tag == "dl":
            self._depth -= 1
            del self._outline.levels[self._depth :], self._outline.titles[self._depth :]

    def handle_data(self, data: str) -> None:
        if self._tag:
            self._words += data

    def finish(self) -> None:
        self._end_text()
        self._keep()

    def _end_text(self) -> None:
        words = " ".join(self._words.split())
        if self._tag == "a" and self._href:
            self._keep()
            spans = (Span(words, self._href),)
            self._link = Block("item", self._begun_at, spans, self._outline.path[: self._depth], 1)
        elif self._tag in {"h1", "h3"} and words:
            self._keep()
            self._outline.enter(self._depth + 1, words)
        elif self._tag == "dd" and words and self._link:
            link = self._link
            self._link = Block("item", link.line, (*link.spans, Span(f" – {words}")), link.section, 1)
        self._tag = self._words = ""

    def _keep(self) -> None:
        if self._link:
            self.blocks.append(self._link)
        self._link = None
