"""The library as a Markdown list that people read and that `warpmate index import` reads back unchanged.

One entry a line: `- [title](address) – description (level: beginner)`. The level stands at the entry as well as in
its heading, because a title such as "Advanced …" would otherwise be taken for the level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from knowledge.contribute.listed import Listed

HEADINGS = {
    "beginner": "Beginner 入门",
    "intermediate": "Intermediate 中级",
    "advanced": "Advanced 进阶",
    "": "Not sorted yet 未分级",
}
_MARKUP = re.compile(r"([\\`*_\[\]<>&#|~!])")
_BULLETS = re.compile("[●•◆○◦■▪]")
"""The importer takes these for items of their own, as people type them into plain text."""


def as_markdown(resources: Iterable[Listed], title: str = "Reading list") -> str:
    """Everything with an address, under a heading for each level."""
    by_level: dict[str, list[Listed]] = {level: [] for level in HEADINGS}
    for one in resources:
        if one.url:
            by_level[one.level or ""].append(one)
    parts = [f"# {title}"]
    for level, items in by_level.items():
        if items:
            parts += [f"\n## {HEADINGS[level]}\n", *map(_entry, items)]
    return "\n".join(parts) + "\n"


def _entry(one: Listed) -> str:
    says = f" {_text(one.summary)}" if one.summary.strip() else ""
    return f"- [{_text(one.title)}](<{one.url}>) –{says} (level: {one.level or 'none'})"


def _text(text: str) -> str:
    """One line without markup."""
    return _MARKUP.sub(r"\\\1", _BULLETS.sub("·", " ".join(text.split())))
