"""Find what a list asks for beyond its links: papers named by title, things to do, words to know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from indexer.lists.blocks import Block
from indexer.lists.exported import exported
from indexer.lists.list_words import DESCRIPTION_FIELD, is_stretch, trimmed
from indexer.lists.skips import skip_reason
from knowledge.text.language import has_han


class Found(NamedTuple):
    what: Literal["paper", "task", "keywords"]
    text: str
    block: Block


_PAPER = re.compile(r"(?:论文|\bpapers?)\s*[：:]\s*[\"“《]?([A-Z][^，。；\"”》\n]{15,200})", re.IGNORECASE)
_PAPERS_FOLLOW = re.compile(
    r"(?:几篇|以下|下面|阅读).{0,6}(?:文章|论文)|\b(?:papers|articles)\b.{0,20}[:：]?$", re.IGNORECASE
)
_WORDS_FOLLOW = re.compile(r"关键字|关键词|概念|\bkeywords?\b|\bterms?\b", re.IGNORECASE)
_EXAMPLES = re.compile(r"比如|例如|诸如|\bsuch as\b|\be\.g\.", re.IGNORECASE)
_SOFTENER = r"(?:(?:再)?有?(?:学有)?余力(?:的)?[，,]?\s*(?:去|可以)?|可以|粗略的|自己|尝试|试着|请)*"
_VERB = re.compile(
    rf"^{_SOFTENER}\s*(?:理解|调查|计算|手动计算|思考|考虑|参考|做一个|实现|推导|比较|对比|测量|写一个|了解|弄清|研究)"
    r"|^(?:try to |please )?(?:compute|calculate|implement|derive|explain|understand|compare|measure|work out|"
    r"look into|find out|write a|study|investigate|prove|estimate)\b",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[,，、/]|\s和\s|\band\b")
_COUNTED = re.compile(r"^\s*\d+\s*[.)、]\s*")


def study_items(blocks: Iterable[Block]) -> Iterator[Found]:
    """Yield papers, tasks and keyword lists in order; an item that only introduces others is none of them."""
    blocks = list(blocks)
    parents = {id(block.parent) for block in blocks if block.parent}
    announcer: Block | None = None
    for block in blocks:
        if block.kind == "heading":
            announcer = None
        if block.kind not in {"item", "paragraph"} or _names_resource(block):
            continue
        if block.kind == "item" and announcer and announcer.source and _ends_announcement(announcer, block):
            announcer = None
        if (
            found := _paper(block, announcer)
            or (block.kind == "item" and _asked(block, id(block) in parents))
            or None
        ):
            yield found
        elif _PAPERS_FOLLOW.search(block.text):
            announcer = block


def _ends_announcement(announcer: Block, block: Block) -> bool:
    """Tell whether the block ends the list of papers that the announcer began: the next bullet of its rank does."""
    return block.depth <= announcer.depth and block.source[0].lstrip()[:1] == announcer.source[0].lstrip()[:1]


def _names_resource(block: Block) -> bool:
    return exported(block) is not None or any(skip_reason(link, block, None) is None for link in block.links)


def _paper(block: Block, announcer: Block | None) -> Found | None:
    if titled := _PAPER.search(block.text):
        return Found("paper", trimmed(titled.group(1)), block)
    text = trimmed(_COUNTED.sub("", " ".join(block.text.split())))
    is_title = text.isascii() and len(text.split()) >= 4 and text[:1].isupper() and not text.endswith("?")
    return Found("paper", text, block) if announcer and block.kind == "item" and is_title else None


def _asked(block: Block, leads_in: bool) -> Found | None:
    text = "".join(block.text.split("\n"))
    if DESCRIPTION_FIELD.match(text):
        return None
    if is_stretch(text):
        return Found("task", text, block)
    if leads_in:
        return None
    terms = [term for term in _SEPARATOR.split(text) if term.strip()]
    announced = bool(block.parent and _WORDS_FOLLOW.search(block.parent.text))
    headed = bool(block.section and _WORDS_FOLLOW.search(block.section[-1]))
    if len(terms) >= 2 and _EXAMPLES.search(text) and (announced or _short(terms) or has_han(text)):
        return Found("keywords", text, block)
    if _VERB.search(text):
        return Found("task", text, block)
    if len(terms) >= 3 and (announced or headed):
        return Found("keywords", text, block)
    return None


def _short(terms: list[str]) -> bool:
    return sum(len(term.split()) <= 4 for term in terms) >= len(terms) - 1
