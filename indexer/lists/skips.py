"""Links that are no resources, and why: search pages, image credits, bylines, licences, heading anchors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from indexer.lists.blocks import Block, Span
from knowledge.addresses import NotAnAddress, canonical, host

KEYWORD_SEARCH = "keyword search, not a page"
HEADING_ANCHOR = "anchor of a heading"
IMAGE_CREDIT = "credit of an image"
BYLINE = "byline of an author or publication"
LICENCE = "licence"
INSIDE = "points into the list itself"

_SEARCH_PATH = re.compile(r"/(?:search|s|results|find|sou)/?$")
_SEARCH_HOSTS = re.compile(r"(?:^|\.)(?:google|bing|baidu|duckduckgo|sogou|zhihu|youtube|github|reddit|bilibili)\.")
_SEARCH_PARAMETERS = frozenset({"q", "query", "wd", "word", "keyword", "search_query"})
_LICENCE_HOSTS = frozenset({"creativecommons.org", "opensource.org", "choosealicense.com", "spdx.org"})
_IMAGE_WORDS = re.compile(
    r"图片|图像|配图|插图|\b(?:image|photo|picture|figure|illustration)s?\b[^.]{0,30}\b(?:by|from|credit|source|courtesy)"
    r"|\b(?:image|photo|picture) credit",
    re.IGNORECASE,
)
_BYLINE_WORDS = re.compile(
    r"发表于|发布于|作者[：:]|\bpublished (?:in|on)\b|^\s*(?:written )?by\s|\bwritten by\b", re.IGNORECASE
)


def skip_reason(link: Span, block: Block, before: Block | None) -> str | None:
    """Return why the link is no resource, or None if it is one. `before` is the block above."""
    url = link.url or ""
    if url.startswith(("#", "./", "../", "/")) or "://" not in url:
        return INSIDE if url.startswith("#") else "no web address"
    if block.kind == "heading" and not link.text.strip():
        return HEADING_ANCHOR
    try:
        address = canonical(url)
    except NotAnAddress as error:
        return str(error)
    if is_keyword_search(address.url):
        return KEYWORD_SEARCH
    if host(address.url) in _LICENCE_HOSTS or re.search(r"gnu\.org/licenses|/LICENSE(?:\.\w+)?$", address.url):
        return LICENCE
    if _is_byline(block, url):
        return BYLINE
    if _is_image_credit(block, before):
        return IMAGE_CREDIT
    return None


def is_keyword_search(url: str) -> bool:
    """Tell whether the address is a results page of a search engine or of a site's own search."""
    if not (site := host(url)):
        return False
    parts = urlsplit(url)
    asked = _SEARCH_PARAMETERS & parse_qs(parts.query).keys()
    return bool(asked and _SEARCH_PATH.search(parts.path) and _SEARCH_HOSTS.search(site))


def ends_in_keyword_search(spans: Sequence[Span]) -> bool:
    """Tell whether a sentence was cut behind a search link, as zhihu does when it prints one."""
    said = [span for span in spans if span.text.strip() or span.url]
    return bool(said and said[-1].url and is_keyword_search(said[-1].url))


def _is_byline(block: Block, url: str) -> bool:
    """Tell whether the link is in a byline: an author's portrait or name above or below a text, or on their line."""
    if "source=post_page---byline" in url or _BYLINE_WORDS.search(block.text):
        return True
    links = block.links
    return block.kind in {"paragraph", "picture"} and bool(links) and any(span.picture for span in links)


def _is_image_credit(block: Block, before: Block | None) -> bool:
    if block.kind != "paragraph" or not block.links:
        return False
    if _IMAGE_WORDS.search(block.text):
        return True
    hosts = {host(span.url) for span in block.links if span.url and span.url.startswith("http")}
    return bool(before and before.kind == "picture" and hosts & _LICENCE_HOSTS)
