"""The text around a quote as HTML: a small part of Markdown, written from escaped text and tags of our own.

Every character that is shown keeps its place in the stored text, so a mark stands exactly where its quote does. Links
are shown as their words, and what is not understood is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from markupsafe import Markup, escape

from knowledge.ask.quote_context import Window, fence_after
from web import highlight

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?=\S)")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?=\S)")
_ROW = re.compile(r"\|[ \t].*\|[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:[-*_][ \t]*){3,}$|\|[ \t:|-]*\|[ \t]*$")
"""A line across the page, or the one under a table's head."""
_QUOTED = re.compile(r"[ \t]*>[ \t]?")
# Asterisks of pointers and products are no emphasis: those that are stand outside of words and hug what they mean.
_INLINE = re.compile(
    r"(?<!`)(?P<ticks>`{1,2})(?!`)(?P<code>[^\n]{1,300}?)(?<!`)(?P=ticks)(?!`)"
    r"|!?\[(?P<label>[^\[\]\n]{0,300})\]\((?=[^()\s]{0,300}[/:.#])[^()\s]{1,600}(?:\([^()\s]{0,60}\)[^()\s]{0,60})?"
    r"(?:[ ]\"[^\"\n]{0,200}\")?\)"
    r"|(?P<note>\[\^[\w-]{1,60}\])"
    r"|(?<![0-9A-Za-z_*\\)\]])\*\*(?=[^\s*])(?P<strong>[^\n]{1,300}?)(?<=[^\s*])\*\*(?![0-9A-Za-z_*(])"
    r"|(?<![0-9A-Za-z_*\\)\]])\*(?=[^\s*])(?P<em>[^*\n]{1,300})(?<=\S)\*(?![0-9A-Za-z_*(])"
)

Kind = Literal["text", "heading", "item", "row", "code", "gap"]


@dataclass(frozen=True, slots=True)
class Line:
    kind: Kind
    start: int
    end: int
    """The end of the line's words, before its line end and closing markup."""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the text that is shown, with the tags around it."""

    start: int
    end: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The text with its quotes."""

    text: str
    quotes: tuple[tuple[int, int], ...]

    def inline(self, start: int, end: int) -> str:
        return "".join(self._tagged(span) for span in _spans(self.text, start, end, ()))

    def code(self, start: int, end: int, language: str) -> str:
        """Return the code as HTML, coloured unless a quote has to be marked in it."""
        if any(first < end and start < last for first, last in self.quotes):
            return self._tagged(Span(start, end))
        return str(highlight.block(self.text[start:end], language))

    def _tagged(self, span: Span) -> str:
        opened = "".join(f"<{tag}>" for tag in span.tags)
        closed = "".join(f"</{tag}>" for tag in reversed(span.tags))
        return f"{opened}{self._marked(span.start, span.end)}{closed}" if span.start < span.end else ""

    def _marked(self, start: int, end: int) -> str:
        made, at = "", start
        for first, last in self.quotes:
            if first < end and start < last:
                left, right = max(first, at), min(last, end)
                made += f"{escape(self.text[at:left])}<mark>{escape(self.text[left:right])}</mark>"
                at = right
        return f"{made}{escape(self.text[at:end])}"


def html(window: Window) -> Markup:
    shown = Shown("".join(piece.text for piece in window.pieces), _quotes(window))
    blocks = (
        _block(shown, kind, list(lines))
        for kind, lines in groupby(_lines(shown.text, window.fence), lambda line: line.kind)
    )
    return Markup("".join(blocks))  # noqa: S704  escaped text between the tags written here


def _quotes(window: Window) -> tuple[tuple[int, int], ...]:
    quotes, at = [], 0
    for piece in window.pieces:
        if piece.quoted:
            quotes.append((at, at + len(piece.text)))
        at += len(piece.text)
    return tuple(quotes)


def _lines(text: str, fence: str) -> Iterator[Line]:
    language = ""
    for found in re.finditer(r"[^\n]+|\n(?=\n)", text):
        line = found.group()
        before, fence = fence, fence_after(line, fence)
        if fence != before:
            language = line.strip(" \t`~").partition(" ")[0]
            yield Line("gap", found.start(), found.end())
        elif fence:
            yield Line("code", found.start(), found.end(), language)
        else:
            yield _read(text, found.start(), found.end())


def _read(text: str, start: int, end: int) -> Line:
    """A line of prose, without what says of which kind it is."""
    line = text[start:end]
    if not line.strip() or _RULE.match(line):
        return Line("gap", start, end)
    if _ROW.match(line):
        return Line("row", start, end)
    if found := _HEADING.match(line):
        return Line("heading", start + found.end(), end)
    if found := _ITEM.match(line):
        return Line("item", start + found.end(), end)
    found = _QUOTED.match(line)
    return Line("text", start + found.end() if found else start, end)


def _block(shown: Shown, kind: Kind, lines: Sequence[Line]) -> str:
    if kind == "code":
        code = shown.code(lines[0].start, lines[-1].end, lines[0].language)
        return f'<pre class="code" tabindex="0"><code>{code}</code></pre>'
    if kind == "row":
        rows = "".join(f"<tr>{_cells(shown, line)}</tr>" for line in lines)
        return f'<div class="wide" tabindex="0"><table><tbody>{rows}</tbody></table></div>'
    written = [shown.inline(line.start, line.end) for line in lines]
    if kind == "item":
        return f"<ul>{''.join(f'<li>{item}</li>' for item in written)}</ul>"
    if kind == "heading":
        return "".join(f'<p class="heading">{heading}</p>' for heading in written)
    return f"<p>{'<br>'.join(written)}</p>" if kind == "text" else ""


def _cells(shown: Shown, row: Line) -> str:
    bars = [at for at in range(row.start, row.end) if shown.text[at] == "|"]
    return "".join(f"<td>{shown.inline(left + 1, right).strip()}</td>" for left, right in pairwise(bars))


def _spans(text: str, start: int, end: int, tags: tuple[str, ...]) -> Iterator[Span]:
    at = start
    for found in _INLINE.finditer(text, start, end):
        yield Span(at, found.start(), tags)
        yield from _within(text, found, tags)
        at = found.end()
    yield Span(at, end, tags)


def _within(text: str, found: re.Match[str], tags: tuple[str, ...]) -> Iterator[Span]:
    """Yield the words of one piece of markup."""
    if found["code"]:
        yield Span(*found.span("code"), (*tags, "code"))
        return
    for name, tag in (("label", ()), ("strong", ("strong",)), ("em", ("em",))):
        if found[name]:
            yield from _spans(text, *found.span(name), (*tags, *tag))
