"""Cutting a page into passages: whole code blocks, and runs of prose that fit the embedder.

A passage is a span of the page's text and nothing else, so that whatever is quoted from it stands in the snapshot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from indexer.extract.page import Block, Page
from indexer.snippets import describe
from knowledge.library.passages import content_hash
from knowledge.text.language import language_of
from knowledge.text.sentences import sentences

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Chunk:
    start: int
    end: int
    kind: str
    headings: tuple[str, ...]
    anchor: str
    lang: str
    content_hash: str
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, a line or a whole block: the smallest piece, never cut further."""

    start: int
    end: int
    block: Block
    section: int
    """The number of the section, counted by headings: two sections may have equal paths."""
    tokens: int = 0


def cut_passages(page: Page, count_tokens: CountTokens, budget: int = 180) -> tuple[Chunk, ...]:
    """Return the passages in reading order. Only a code block, or one sentence, may exceed the budget (in tokens)."""
    pieces = _counted(page.text, list(_pieces(page)), count_tokens)
    return tuple(_chunk(page, run) for run in _runs(pieces, budget))


def _pieces(page: Page) -> Iterator[_Piece]:
    bare = all(block.kind == "heading" for block in page.blocks)
    section = 0
    for block in page.blocks:
        section += block.kind == "heading" and not bare
        if block.kind == "heading" and not bare:
            continue
        edges = _edges(page.text[block.start : block.end], block)
        for start, end in pairwise(edges):
            yield _Piece(block.start + start, block.start + end, block, section)


def _edges(text: str, block: Block) -> list[int]:
    """Return where the block may be cut: before each sentence or row but the first. Code and formulas stay whole."""
    if block.kind == "table":
        inner = [found.end() for found in re.finditer("\n", text)]
    elif block.kind in {"prose", "item"}:
        inner = [span.start for span in sentences(text)][1:]
    else:
        inner = []
    return [0, *inner, len(text)]


def _counted(text: str, pieces: list[_Piece], count_tokens: CountTokens) -> list[_Piece]:
    counts = count_tokens([text[piece.start : piece.end] for piece in pieces]) if pieces else []
    return [replace(piece, tokens=count) for piece, count in zip(pieces, counts, strict=True)]


def _runs(pieces: list[_Piece], budget: int) -> Iterator[list[_Piece]]:
    run: list[_Piece] = []
    filled = 0
    for piece in pieces:
        code = piece.block.kind == "code"
        apart = code or (run and (run[-1].block.kind == "code" or run[-1].section != piece.section))
        if run and (apart or filled + piece.tokens > budget):
            yield run
            run, filled = [], 0
        run.append(piece)
        filled += piece.tokens
    if run:
        yield run


def _chunk(page: Page, run: list[_Piece]) -> Chunk:
    block = run[0].block
    start, end = run[0].start, run[-1].end
    text = page.text[start:end]
    end = start + len(text.rstrip())
    text = page.text[start:end]
    code = block.kind == "code"
    return Chunk(
        start=start,
        end=end,
        kind="code" if code else "prose",
        headings=block.headings,
        anchor=block.anchor,
        lang=page.lang if code else language_of(text),
        content_hash=content_hash(text),
        meta=_about_code(text, block.language) if code else {},
    )


def _about_code(code: str, label: str) -> dict[str, Any]:
    snippet = describe(code, label)
    return {
        "language": snippet.language,
        "name": snippet.name,
        "features": list(snippet.features),
        "description": snippet.description,
    }
