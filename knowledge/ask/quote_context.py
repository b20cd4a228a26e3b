"""The surroundings of quotes: the stored text of their page around them, cut for showing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from knowledge.ask.answer import Answer, Excerpt
from knowledge.store import Scope, Store
from knowledge.store.tables import Snapshot

_AROUND = 280
"""Characters shown on each side of a quote; windows that touch become one."""
_LINE = 200
"""Code is cut between lines, unless they are longer than this."""
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a page; the quoted pieces stand in it character for character."""

    pieces: tuple[Piece, ...]
    fence: str = ""
    """What opened the code block that the window begins in; else nothing."""
    cut_before: bool = False
    cut_after: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    citation: int
    window: Window


async def contexts(store: Store, scope: Scope, answer: Answer) -> tuple[Context, ...]:
    """Return the contexts in the order of citations; a page whose snapshot is gone has none."""
    snapshots = {citation.n: citation.snapshot_id for citation in answer.citations}
    rows = select(Snapshot.id, Snapshot.text).where(Snapshot.id.in_(set(snapshots.values())))
    async with store.reading(scope) as session:
        texts = {row.id: row.text for row in await session.execute(rows)}
    return tuple(
        Context(n, window)
        for n, snapshot in sorted(snapshots.items())
        if snapshot in texts
        for window in windows(texts[snapshot], [excerpt for excerpt in answer.excerpts if excerpt.citation == n])
    )


def windows(text: str, excerpts: Sequence[Excerpt]) -> list[Window]:
    """The text around the quotes; a quote that is not where it says is left out rather than marked wrongly."""
    spans = sorted(
        {
            (excerpt.start + span.start, excerpt.start + span.end)
            for excerpt in excerpts
            for span in excerpt.marked
            if text[excerpt.start + span.start : excerpt.start + span.end] == span.of(excerpt.text)
        }
    )
    groups: list[list[tuple[int, int]]] = []
    for span in spans:
        if groups and span[0] - groups[-1][-1][1] <= 2 * _AROUND:
            groups[-1].append(span)
        else:
            groups.append([span])
    return [_window(text, group) for group in groups]


def fence_after(line: str, fence: str) -> str:
    """The fence of the code block that is open below this line, if the one given was open above it."""
    found = _FENCE.fullmatch(line)
    if found is None:
        return fence
    if not fence:
        return "" if "`" in found["info"] else found["mark"]
    closes = found["mark"].startswith(fence) and not found["info"].strip()
    return "" if closes else fence


def _window(text: str, spans: Sequence[tuple[int, int]]) -> Window:
    first, fence = _first(text, spans[0][0])
    last = _last(text, spans[-1][1])
    pieces, at = [], first
    for start, end in spans:
        pieces += [Piece(text[at:start], quoted=False), Piece(text[max(start, at) : end], quoted=True)]
        at = max(end, at)
    pieces.append(Piece(text[at:last], quoted=False))
    shown = tuple(piece for piece in pieces if piece.text)
    return Window(shown, fence, cut_before=first > 0, cut_after=last < len(text))


def _first(text: str, quote_start: int) -> tuple[int, str]:
    """Return where to begin, and the fence that is open there."""
    at = _word_start(text, quote_start - _AROUND)
    if fence := _open_fence(text, at):
        line = text.rfind("\n", 0, at) + 1
        at = line if at - line <= _LINE else at
    return at, fence


def _last(text: str, quote_end: int) -> int:
    at = _word_end(text, quote_end + _AROUND)
    if not _open_fence(text, at):
        return at
    line = text.find("\n", at)
    return line if 0 <= line <= at + _LINE else at


def _open_fence(text: str, at: int) -> str:
    fence = ""
    for found in _FENCE.finditer(text, 0, text.rfind("\n", 0, at) + 1):
        fence = fence_after(found.group(), fence)
    return fence


def _word_start(text: str, at: int) -> int:
    """Return the place after the nearest blank before, so that no word is cut."""
    if at <= 0:
        return 0
    blank = max(text.rfind(" ", at - 30, at), text.rfind("\n", at - 30, at))
    return blank + 1 if blank >= 0 else at


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    found = [blank for sign in " \n" if (blank := text.find(sign, at, at + 30)) >= 0]
    return min(found, default=at)
