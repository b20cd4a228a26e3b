"""The result of an extractor: one plain text with marks of structure, and where each block of it lies.

The text reads like Markdown without inline markup: `#` headings, `-` items, `|` rows, fenced code. Links and
emphasis leave their words, so that a quote from it is what a reader of the page sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from indexer.extract.markup import is_licence, without_licence
from knowledge.text.language import language_of

BlockKind = Literal["heading", "prose", "item", "table", "code", "math"]
_SPACE = re.compile(r"[\s\u200b\ufeff\u2060]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the page's text: for code the lines between the fences, else the whole lines."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...]
    anchor: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    lang: str
    blocks: tuple[Block, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    """The source's statements about itself: description, authors, date."""


def one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


class PageWriter:
    """Collects blocks in reading order."""

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.facts: dict[str, Any] = {}
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._path: list[tuple[int, str, str]] = []

    def heading(self, level: int, text: str, anchor: str = "") -> None:
        text = one_line(text).rstrip("¶ ")
        if not text:
            return
        if level == 1 and not self.title:
            self.title = text
        self._path = [step for step in self._path if step[0] < level]
        self._path.append((level, text, anchor or (self._path[-1][2] if self._path else "")))
        self._add("heading", f"{'#' * min(level, 6)} {text}")

    def prose(self, text: str) -> None:
        text = one_line(text).removesuffix("¶").rstrip()
        if text and not (self._at_start() and is_licence(text)):
            self._add("prose", text)

    def item(self, text: str, depth: int = 0, mark: str = "-") -> None:
        if text := one_line(text):
            self._add("item", f"{'  ' * depth}{mark} {text}")

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        lines = ["| " + " | ".join(map(one_line, row)) + " |" for row in rows if any(map(one_line, row))]
        if lines:
            self._add("table", "\n".join(lines))

    def math(self, tex: str) -> None:
        if tex := one_line(tex):
            self._add("math", f"$${tex}$$")

    def code(self, code: str, language: str = "") -> None:
        """Add code as it is, without the line ends before its first and after its last line."""
        code = code.replace("\r\n", "\n")
        if self._at_start():
            code = without_licence(code)
        code = code.strip("\n").rstrip()
        if not code.strip():
            return
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
        self._add("code", code, before=f"{fence}{language}\n", after=f"\n{fence}", language=language)

    def page(self, lang: str = "") -> Page:
        text = "".join(self._parts)
        return Page(self.title, text, lang or language_of(text), tuple(self._blocks), self.facts)

    def _at_start(self) -> bool:
        """Tell whether nothing but headings stands yet: a licence is here, and a page about licences is not cut."""
        return all(block.kind == "heading" for block in self._blocks)

    def _add(self, kind: BlockKind, text: str, *, before: str = "", after: str = "", language: str = "") -> None:
        gap = "" if not self._blocks else "\n" if kind == "item" == self._blocks[-1].kind else "\n\n"
        start = self._length + len(gap) + len(before)
        headings, anchor = tuple(step[1] for step in self._path), self._path[-1][2] if self._path else ""
        self._blocks.append(Block(kind, start, start + len(text), headings, anchor, language))
        self._parts.append(gap + before + text + after)
        self._length = start + len(text) + len(after)
