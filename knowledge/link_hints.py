"""What an address tells about a resource before it was read: its language and its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from knowledge.addresses import host
from knowledge.text.language import has_han
from knowledge.text.word_lists import read_table

_TABLE = Path(__file__).with_name("link_hints.toml")


_CHINESE_EDITION = re.compile(r"[/-]zh(?:[-_](?:cn|hans))?(?:[/.]|$)|-cn(?:[/.]|$)", re.IGNORECASE)


def language(url: str, text: str, named: str = "") -> str:
    """`zh` or `en`: what the list calls the link, then the host, the address and the title."""
    table = read_table(_TABLE)
    if named in table["called_chinese"]:
        return "zh"
    if named in table["called_english"]:
        return "en"
    parts = urlsplit(url)
    site, path = host(url), unquote(parts.path)
    if _under(site, table["chinese_hosts"]) or site.endswith(".cn") or has_han(path) or _CHINESE_EDITION.search(path):
        return "zh"
    if site.endswith("github.io") and has_han(text) and not _english_words(path, 2):
        return "zh"
    if (
        _under(site, table["english_hosts"])
        or _english_words(path.rstrip("/").rsplit("/", 1)[-1], 3)
        or not has_han(text)
    ):
        return "en"
    return "zh"


def kind(url: str, title: str = "") -> str:
    """The kind as far as the address and the list's name for it show it."""
    parts = urlsplit(url)
    place = host(url) + unquote(parts.path)
    table = read_table(_TABLE)
    for pattern, found in table["kinds"].items():
        if re.search(pattern, place, re.IGNORECASE):
            return str(found)
    if re.search(table["blog_title"], title, re.IGNORECASE) and parts.path in {"", "/"}:
        return "blog"
    return "site" if parts.path in {"", "/"} else "article"


def slug_title(url: str) -> str:
    """A title read from the last part of the address, if that speaks; else empty."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part and not part.startswith("index.")]
    words = re.split(r"[-_\s]+", re.sub(r"\.(?:html?|php|pdf|md|aspx?)$", "", parts[-1])) if parts else []
    words = [word for word in words if word and not re.fullmatch(r"[0-9a-f]{8,}", word)]
    title = " ".join(words)
    return title[:1].upper() + title[1:] if sum(word.isalpha() for word in words) >= 2 else ""


def _under(site: str, names: Iterable[str]) -> bool:
    return any(site == name or site.endswith("." + name) for name in names)


def _english_words(path: str, least: int) -> bool:
    return len(re.findall(r"[A-Za-z]{3,}", path)) >= least
