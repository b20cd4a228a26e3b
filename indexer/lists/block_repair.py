"""Repair blocks as their author meant them: join cut sentences, turn typed bullets (●○■) into items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from indexer.lists.blocks import Block, Span
from indexer.lists.skips import ends_in_keyword_search

BULLET_DEPTH = {"●": 1, "•": 1, "◆": 1, "○": 2, "◦": 2, "■": 3, "▪": 3}
_BULLET = re.compile("([" + "".join(BULLET_DEPTH) + "])")


def in_flow(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks joined and split, every item with its parent."""
    above: list[Block] = []
    for block in joined(blocks):
        for part in split_at_bullets(block):
            if part.kind == "heading":
                above = []
            elif part.kind == "item" and part.parent is None:
                above = [item for item in above if item.depth < part.depth]
                typed = part.source and _BULLET.search("".join(part.source))
                placed = replace(part, parent=above[-1]) if above and typed else part
                above.append(placed)
                yield placed
                continue
            yield part


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks, a paragraph joined to the block above where that was cut behind a search link."""
    held: Block | None = None
    for block in blocks:
        if held and _goes_on(held, block):
            held = _together(held, block)
            continue
        if held:
            yield held
        held = block
    if held:
        yield held


def _goes_on(held: Block, block: Block) -> bool:
    if held.kind not in {"paragraph", "item"} or block.kind != "paragraph":
        return False
    return ends_in_keyword_search(held.spans) and not _BULLET.match(block.text)


def _together(held: Block, block: Block) -> Block:
    blank = block.line - held.line - len(held.source)
    gap = " " if held.text[-1:].isascii() and block.text[:1].isascii() else ""
    spans = (*held.spans, *([Span(gap)] if gap else []), *block.spans)
    return replace(held, spans=spans, source=(*held.source, *[""] * blank, *block.source))


def split_at_bullets(block: Block) -> Iterator[Block]:
    """Yield the items of a paragraph with typed bullets; any other block as it is."""
    if block.kind not in {"paragraph", "item"} or not _BULLET.search(block.text):
        yield block
        return
    depth, spans = block.depth, list[Span]()
    for piece in _pieces(block.spans):
        if isinstance(piece, Span):
            spans.append(piece)
            continue
        if _says_something(spans):
            yield _part(block, spans, depth)
        depth, spans = BULLET_DEPTH[piece], []
    if _says_something(spans):
        yield _part(block, spans, depth)


def _pieces(spans: Iterable[Span]) -> Iterator[Span | str]:
    for span in spans:
        if span.url:
            yield span
            continue
        for piece in _BULLET.split(span.text):
            if piece:
                yield piece if piece in BULLET_DEPTH else Span(piece)


def _says_something(spans: Iterable[Span]) -> bool:
    return any(span.text.strip() or span.url for span in spans)


def _part(block: Block, spans: list[Span], depth: int) -> Block:
    first = next(span for span in spans if span.text.strip() or span.url)
    begins = first.url or first.text.strip().split("\n")[0]
    offset = block.line_of(begins) - block.line
    kind = "item" if depth else block.kind
    return replace(
        block, kind=kind, line=block.line + offset, spans=tuple(spans), depth=depth, source=block.source[offset:]
    )
