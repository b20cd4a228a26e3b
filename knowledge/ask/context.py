"""Where quotes stand: the stored text of their page around them, cut for showing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from knowledge.ask.answer import Answer, Quote
from knowledge.store import Scope, Store
from knowledge.store.tables import Snapshot

_AROUND = 280
"""Characters shown on each side of a quote; windows that touch become one."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Context:
    """One window of a page; the quoted pieces stand in it character for character."""

    citation: int
    pieces: tuple[Piece, ...]


async def contexts(store: Store, scope: Scope, answer: Answer) -> tuple[Context, ...]:
    """In the order of citations; a page whose snapshot is gone has none."""
    snapshots = {citation.n: citation.snapshot_id for citation in answer.citations}
    rows = select(Snapshot.id, Snapshot.text).where(Snapshot.id.in_(set(snapshots.values())))
    async with store.reading(scope) as session:
        texts = {row.id: row.text for row in await session.execute(rows)}
    return tuple(
        Context(n, window)
        for n, snapshot in sorted(snapshots.items())
        if snapshot in texts
        for window in windows(texts[snapshot], [quote for quote in answer.answer if quote.citation == n])
    )


def windows(text: str, quotes: Sequence[Quote]) -> list[tuple[Piece, ...]]:
    """The text around the quotes; a quote that is not where it says is left out rather than marked wrongly."""
    spans = sorted(
        {
            (quote.start, quote.start + len(quote.quote))
            for quote in quotes
            if text[quote.start : quote.start + len(quote.quote)] == quote.quote
        }
    )
    groups: list[list[tuple[int, int]]] = []
    for span in spans:
        if groups and span[0] - groups[-1][-1][1] <= 2 * _AROUND:
            groups[-1].append(span)
        else:
            groups.append([span])
    return [_window(text, group) for group in groups]


def _window(text: str, spans: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    first, last = _word_start(text, spans[0][0] - _AROUND), _word_end(text, spans[-1][1] + _AROUND)
    pieces, at = [], first
    for start, end in spans:
        pieces += [Piece(text[at:start], quoted=False), Piece(text[max(start, at) : end], quoted=True)]
        at = max(end, at)
    pieces.append(Piece(text[at:last], quoted=False))
    return tuple(piece for piece in pieces if piece.text)


def _word_start(text: str, at: int) -> int:
    """After the blank nearest before, so that no word is cut."""
    if at <= 0:
        return 0
    blank = max(text.rfind(" ", at - 30, at), text.rfind("\n", at - 30, at))
    return blank + 1 if blank >= 0 else at


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    found = [blank for sign in " \n" if (blank := text.find(sign, at, at + 30)) >= 0]
    return min(found, default=at)
