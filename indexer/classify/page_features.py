"""The features of a page that the rules look at, taken once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from indexer.extract.page import Page

_SITE_SUFFIX = re.compile(r"\s[|–—-]\s")
_WORD = re.compile(r"[A-Za-z_]\w+|[\u4e00-\u9fff]{2}")
FEWEST_WORDS = 150
"""A shorter page is measured as if it had this many words: one hit in a stub says little."""


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page as the classifier sees it."""

    title: str
    site: str
    """The address without its last part, as words."""
    address: str
    """The last part of the address, as words."""
    headings: str
    text: str
    words: int
    """How many the prose has: two Chinese characters or one Latin word count as one."""
    code_share: float
    """The share of the text's characters that are code."""

    def per_thousand(self, times: int) -> float:
        return 1000 * times / max(self.words, FEWEST_WORDS)


def features_of(page: Page, url: str) -> PageFeatures:
    """Return the features of a page, its site's name cut from the title and its address taken apart."""
    title = _SITE_SUFFIX.split(page.title)[0]
    headings = "\n".join(page.text[block.start : block.end] for block in page.blocks if block.kind == "heading")
    prose = "\n".join(page.text[block.start : block.end] for block in page.blocks if block.kind != "code")
    code = sum(block.end - block.start for block in page.blocks if block.kind == "code")
    site, _, last = re.sub(r"^https?://|/(?:index\.\w+)?$", "", url).rpartition("/")
    return PageFeatures(
        title,
        _as_words(site),
        _as_words(last),
        headings,
        page.text,
        len(_WORD.findall(prose)),
        code / max(1, len(page.text)),
    )


def _as_words(address: str) -> str:
    return re.sub(r"[/_.]", " ", unquote(address))
