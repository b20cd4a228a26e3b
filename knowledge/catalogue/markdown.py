"""The library as a Markdown list that people read and that `warpmate index import` reads back unchanged.

One entry per line: `- [title](address) – description (level: beginner)`. The level stands at the entry as well as in
its heading, because a title such as "Advanced …" would otherwise be taken for the level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from knowledge.catalogue.item import Item
from knowledge.content.shared_types import LEVELS
from knowledge.words import core_languages

_MARKUP = re.compile(r"([\\`*_\[\]<>&#|~!])")
_BULLETS = re.compile("[●•◆○◦■▪]")
"""The importer takes these for items of their own, as people type them into plain text."""


def as_markdown(items: Iterable[Item], lang: str = "en") -> str:
    """Everything with an address, under a heading for each level."""
    by_level: dict[str, list[Item]] = {level: [] for level in (*LEVELS, "")}
    for one in items:
        if one.url:
            by_level[one.stated_level or ""].append(one)
    language = core_languages()[lang]
    parts = [f"# {language('export.title')}"]
    for level, found in by_level.items():
        if found:
            heading = language.word("level", level).capitalize() if level else language("export.unsorted")
            parts += [f"\n## {heading}\n", *(_entry(one, lang) for one in found)]
    return "\n".join(parts) + "\n"


def _entry(one: Item, lang: str) -> str:
    summary = one.summary(lang).strip()
    says = f" {_text(summary)}" if summary else ""
    return f"- [{_text(one.title(lang))}](<{one.url}>) –{says} (level: {one.stated_level or 'none'})"


def _text(text: str) -> str:
    """One line without markup."""
    return _MARKUP.sub(r"\\\1", _BULLETS.sub("·", " ".join(text.split())))
