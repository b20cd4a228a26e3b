"""Read from a block's links what the list says of each: title, description, stated level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from indexer.lists.blocks import Block, Span
from indexer.lists.exported import exported
from indexer.lists.list_words import (
    ADDRESS_FIELD,
    DESCRIPTION_FIELD,
    ORIGINAL_FIELD,
    first_clause,
    is_item_name,
    is_plain_name,
    is_stretch,
    is_url_like,
    last_clause,
    stated_level,
    trimmed,
)
from indexer.lists.skips import ends_in_keyword_search, skip_reason
from knowledge.addresses import NotAnAddress, canonical
from knowledge.link_hints import slug_title

SHORTEST_OWN_NAME = 13
"""A link's text below this length, as `English` or `iTunes U`, needs the words before it to be understood."""


@dataclass(frozen=True, slots=True)
class Named:
    """A link to a resource, with what the list says of it."""

    url: str
    fragment: str
    line: int
    title: str
    rank: int
    """How much the title was guessed: 0 where the list states it, higher for each weaker hint."""
    called: str
    """The text of the link."""
    section: tuple[str, ...]
    description: str
    level: str | None
    stretch: bool


@dataclass(frozen=True, slots=True)
class Refused:
    url: str
    line: int
    reason: str


def read_links(blocks: Sequence[Block]) -> Iterator[Named | Refused]:
    """Yield every link of the list, in order: as a resource, or as skipped with the reason."""
    children: dict[int, list[Block]] = {}
    for block in blocks:
        if block.parent:
            children.setdefault(id(block.parent), []).append(block)
    before: Block | None = None
    for block in blocks:
        siblings = children.get(id(block.parent), []) if block.parent else []
        yield from _links_of(block, before, siblings, children.get(id(block), []))
        before = block


def _links_of(
    block: Block, before: Block | None, siblings: Sequence[Block], children: Sequence[Block]
) -> Iterator[Named | Refused]:
    if entry := exported(block):
        yield _as_exported(block, *entry)
        return
    for n, span in enumerate(block.spans):
        if not span.url:
            continue
        line = block.line_of(span.url) if block.links else block.line
        if reason := skip_reason(span, block, before):
            yield Refused(span.url, line, reason)
        else:
            yield _named(block, n, line, _descriptions(siblings), _remarks(children))


def _as_exported(block: Block, description: str, level: str | None) -> Named | Refused:
    """Return the resource of an entry that this program exported: each of its parts has a fixed place."""
    link = block.spans[0]
    try:
        address = canonical(link.url or "")
    except NotAnAddress as error:
        return Refused(link.url or "", block.line, str(error))
    title = " ".join(link.text.split()) or address.url
    return Named(
        url=address.url,
        fragment=address.fragment,
        line=block.line,
        title=title,
        rank=0,
        called=title,
        section=block.section,
        description=description,
        level=level,
        stretch=is_stretch(block.text),
    )


def _named(block: Block, n: int, line: int, group_says: str, remarks: str) -> Named:
    span = block.spans[n]
    address = canonical(span.url or "")
    head, tail = _head(block.spans), _tail(block.spans[n + 1 :])
    title, rank = _title(span, block, head, tail, address.url)
    lead = head if rank and head not in title and not is_plain_name(head) else ""
    said = [part for part in (lead, tail if tail != title else "", group_says, remarks) if part]
    own_words = f"{title} {tail}" if rank < 2 else tail
    parent_title = block.parent.text if block.parent and not block.parent.links else ""
    return Named(
        url=address.url,
        fragment=address.fragment,
        line=line,
        title=title,
        rank=rank,
        called=span.text.strip(),
        section=block.section,
        description=" ".join(said),
        level=stated_level(own_words, parent_title, group_says, *reversed(block.section)),
        stretch=is_stretch(block.text),
    )


def _title(span: Span, block: Block, head: str, tail: str, url: str) -> tuple[str, int]:
    """Return a title for the resource, and how much of it was guessed."""
    own = " ".join(span.text.split())
    parent = trimmed(block.parent.text) if block.parent and not block.parent.links else ""
    if own and not is_url_like(own):
        introduced = head and is_plain_name(head) and len(own) < SHORTEST_OWN_NAME and block.kind == "item"
        return (f"{head} ({own})" if introduced else own), 0
    if ORIGINAL_FIELD.match(head) and block.section:
        return block.section[0], 0
    if not head or ADDRESS_FIELD.match(head):
        return _title_from_beside(parent, tail, url)
    if is_plain_name(head):
        return (f"{parent}: {head}" if is_item_name(parent) and block.depth > 1 else head), 0
    guessed = slug_title(url)
    return (guessed, 2) if len(guessed.split()) > 3 else (last_clause(head), 1)


def _title_from_beside(parent: str, tail: str, url: str) -> tuple[str, int]:
    if parent:
        return parent, 0
    if tail:
        return first_clause(tail), 1
    return (slug_title(url), 2) if slug_title(url) else (re.sub(r"^https?://(?:www\.)?", "", url).rstrip("/"), 3)


def _head(spans: Iterable[Span]) -> str:
    """Return the words before the first link."""
    words = ""
    for span in spans:
        if span.url and not ends_in_keyword_search([span]):
            break
        words += span.text
    return trimmed(words.rsplit("\n", 1)[-1] if words.strip() else "")


def _tail(spans: Iterable[Span]) -> str:
    """Return the words behind the link; several links in a row share them."""
    words = ""
    for span in spans:
        searched = bool(span.url) and ends_in_keyword_search([span])
        if span.url and not searched and trimmed(words):
            break
        words += span.text if searched or not span.url else ""
    return trimmed(words.replace("\n", " "))


def _descriptions(siblings: Iterable[Block]) -> str:
    """Return the text of the fields named `description` beside the link."""
    texts = (DESCRIPTION_FIELD.sub("", block.text) for block in siblings if DESCRIPTION_FIELD.match(block.text))
    return " ".join(" ".join(text.split()) for text in texts)


def _remarks(children: Iterable[Block]) -> str:
    """Return the texts of the items below the link's own item; items that ask for something are tasks instead."""
    texts = [block.text for block in children if not block.links and not is_stretch(block.text)]
    return " ".join(" ".join(text.split()) for text in texts)
