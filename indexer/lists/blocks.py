"""The common shape of every list format: a run of blocks, each made of spans, some of them links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

BARE_URL = re.compile(r"https?://[^\s<>\"'`，。；、（）《》「」]+")
_CLOSING = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of running text. `url` is set for a link; `picture` for a link or text that is only an image."""

    text: str
    url: str | None = None
    picture: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a list item, a paragraph or a piece of code, where it stands in the list."""

    kind: Literal["heading", "item", "paragraph", "code", "picture"]
    line: int
    spans: tuple[Span, ...]
    section: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    depth: int = 0
    """How deep an item is nested; 0 for a block that is no item."""
    parent: Block | None = None
    label: str = ""
    """The language that the fence of a code block states."""
    source: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The lines that the block was written on, to find the line of a link."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans if not span.picture).strip()

    @property
    def links(self) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.url)

    def line_of(self, raw_url: str) -> int:
        """Return the line on which the link is written, as far as that can be seen."""
        for n, line in enumerate(self.source):
            if raw_url in line:
                return self.line + n
        return self.line


@dataclass(slots=True)
class Outline:
    """The headings passed so far, by depth."""

    levels: list[int] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)

    def enter(self, level: int, title: str) -> None:
        while self.levels and self.levels[-1] >= level:
            self.levels.pop()
            self.titles.pop()
        self.levels.append(level)
        self.titles.append(title)

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.titles)


def with_bare_links(text: str) -> Iterator[Span]:
    """Yield plain text as spans, each address in it a link of its own."""
    done = 0
    for match in BARE_URL.finditer(text):
        url = trimmed_url(match.group())
        if match.start() > done:
            yield Span(text[done : match.start()])
        yield Span(url, url)
        done = match.start() + len(url)
    if done < len(text):
        yield Span(text[done:])


def trimmed_url(url: str) -> str:
    """Drop the punctuation that ends the sentence, and a bracket that was opened before the address."""
    while url:
        last = url[-1]
        if last in ".,;:!?*_" or (last in _CLOSING and url.count(last) > url.count(_CLOSING[last])):
            url = url[:-1]
        else:
            break
    return url
