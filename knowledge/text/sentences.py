"""Sentences of Chinese and English text as spans, so that a quote is the very characters of its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<mark>```+|~~~+)[^\n]*\n.*?(?:^(?P=mark)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK_END = re.compile(
    r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•·>|#]|\d+[.)、]|[（(]\d+[)）]|```|~~~|[A-Z\u4e00-\u9fff「『“\"(]))"
)
_STOP = re.compile(r"[。！？；]+[”’」』）)\"']*|[.!?]+[\"'”’)\]]*(?=\s|$|[\u4e00-\u9fff])|…+")
# A full stop after these ends no sentence.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|fig|figs|eq|eqs|sec|no|dr|mr|mrs|ms|prof|approx|resp|st|vol|pp|ch|ref)"
    r"|(?:^|[\s(])[A-Za-z]|(?:^|\n)\s*\d{1,3})\.$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[ \t]*(?:(?:[-*+•·>|]|#{1,6}|\d+[.)、])[ \t]+|[|>][ \t]*)*")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def sentences(text: str) -> tuple[Span, ...]:
    """Every sentence outside code fences, without its list mark or surrounding space."""
    return tuple(span for prose in _prose(text) for block in _blocks(text, prose) for span in _split(text, block))


def _prose(text: str) -> Iterator[Span]:
    start = 0
    for fence in _FENCE.finditer(text):
        yield Span(start, fence.start())
        start = fence.end()
    yield Span(start, len(text))


def _blocks(text: str, within: Span) -> Iterator[Span]:
    """Paragraphs and list items: a sentence never runs on from one into the next."""
    start = within.start
    for gap in _BLOCK_END.finditer(text, within.start, within.end):
        if _wraps(text, start, gap):
            continue
        yield Span(start, gap.start())
        start = gap.end()
    yield Span(start, within.end)


def _wraps(text: str, start: int, gap: re.Match[str]) -> bool:
    """A line that breaks in the middle of a sentence, before a capital or a Han character."""
    if "\n" in gap.group()[1:] or re.match(
        r"[ \t]*(?:[-*+•·>|#]|\d+[.)、]|```|~~~)", text[gap.end() : gap.end() + 8]
    ):
        return False
    before = text[start : gap.start()].rstrip()
    return len(before) >= 40 and before[-1] not in '.!?。！？；：:;"”)）'


def _split(text: str, block: Span) -> Iterator[Span]:
    start = block.start
    for stop in _STOP.finditer(text, block.start, block.end):
        if _ABBREVIATION.search(text[max(start, stop.start() - 12) : stop.end()]):
            continue
        yield from _trimmed(text, start, stop.end())
        start = stop.end()
    yield from _trimmed(text, start, block.end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    if lead := _LEAD.match(text, start, end):
        start = lead.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if any(character.isalnum() for character in text[start:end]):
        yield Span(start, end)
