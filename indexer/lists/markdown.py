"""Markdown lists as blocks, by markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from indexer.lists.blocks import BARE_URL, Block, Outline, Span, with_bare_links

PSEUDO_HEADING_LEVEL = 9
"""The depth of a paragraph that is nothing but bold text: it heads what follows, below every true heading."""

_NUMBERING = re.compile(r"^\s*(?:[一二三四五六七八九十]+\s*、|\d+\s*[)）.、])\s*")


class _Place(NamedTuple):
    """The place in the outline where a block stands."""

    section: tuple[str, ...]
    parent: Block | None
    depth: int


def markdown_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown list in order."""
    lines = text.splitlines()
    outline = Outline()
    items: list[Block] = []
    opened: list[int] = []
    tokens = MarkdownIt("commonmark").parse(text)
    for n, token in enumerate(tokens):
        if token.type == "list_item_open":
            opened.append(len(items))
        elif token.type == "list_item_close":
            del items[opened.pop() :]
        elif token.type == "fence":
            yield _code(token, outline)
        elif token.type == "inline":
            parent = _parent(items, len(opened))
            place = _Place(outline.path, parent, len(opened))
            block = _inline_block(token, tokens[n - 1], lines, place)
            if block.kind == "heading":
                outline.enter(_level(tokens[n - 1]), heading_title(block.text))
            if block.kind == "item" and len(items) < len(opened):
                items.append(block)
            yield block


def heading_title(text: str) -> str:
    """Return a heading without its numbering."""
    return _NUMBERING.sub("", text).strip() or text


def _code(token: Token, outline: Outline) -> Block:
    line = (token.map or [0])[0] + 1
    return Block("code", line, (Span(token.content),), outline.path, label=token.info.strip())


def _level(opening: Token) -> int:
    return int(opening.tag[1]) if opening.type == "heading_open" else PSEUDO_HEADING_LEVEL


def _parent(items: Sequence[Block], depth: int) -> Block | None:
    """Return the item one level up, whether or not the innermost open item has words of its own."""
    above = items[: depth - 1] if depth else []
    return above[-1] if above else None


def _inline_block(token: Token, opening: Token, lines: Sequence[str], place: _Place) -> Block:
    first, end = token.map or [0, 1]
    spans = tuple(_spans(token.children or []))
    words = [span for span in spans if span.text.strip() or span.url or span.picture]
    if opening.type == "heading_open" or (not place.depth and _all_bold(token.children or [])):
        kind = "heading"
    elif words and all(span.picture for span in words):
        kind = "picture"
    else:
        kind = "item" if place.depth else "paragraph"
    return Block(
        kind,  # type: ignore[arg-type]  # mypy widens the literal over the branches
        first + 1,
        spans,
        place.section,
        place.depth,
        place.parent if kind == "item" else None,
        source=tuple(lines[first:end]),
    )


def _all_bold(children: Sequence[Token]) -> bool:
    """Tell whether the paragraph is one bold phrase, written in place of a heading."""
    inner = [child.type for child in children if child.type != "text" or child.content]
    if "link_open" in inner or inner.count("strong_open") != 1:
        return False
    return inner[0] == "strong_open" and inner[-1] == "strong_close"


def _spans(children: Sequence[Token]) -> Iterator[Span]:
    link: str | None = None
    text = ""
    picture = False
    for child in children:
        if child.type == "link_open":
            link, text, picture = str(child.attrGet("href") or ""), "", False
        elif child.type == "link_close":
            yield Span(text, link, picture and not text.strip())
            link = None
        elif child.type == "image" and link is None:
            yield Span("", None, picture=True)
        elif child.type == "image":
            picture = True
        elif link is not None:
            text += " " if child.type == "softbreak" else child.content
        elif child.type == "code_inline":
            yield from with_bare_links(child.content) if BARE_URL.fullmatch(child.content) else [Span(child.content)]
        elif child.type in {"softbreak", "hardbreak"}:
            yield Span("\n")
        elif child.content:
            yield from with_bare_links(child.content)
