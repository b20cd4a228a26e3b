"""The lists of words and the tables that stand beside this file, each read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

_ENDINGS = (
    *(("ied", "y"), ("ies", "y"), ("ily", "y"), ("ing", ""), ("ing", "e")),
    *(("ed", ""), ("ed", "e"), ("es", ""), ("s", ""), ("ly", "")),
)


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list such as `stop.en`; a line that begins with # tells what the list is."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def read_table(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def is_plain(english: str) -> bool:
    """Whether everyday English is full of it: a page need not say `popular` to answer a question that does.

    Only English is listed; a Chinese word is known by its English name.
    """
    return bool(english) and all(map(_is_known, english.lower().split()))


def _is_known(word: str) -> bool:
    """Itself or what it is a form of: invented, comparing, tries, linearly."""
    plain = word_list("plain.en")
    return word in plain or not plain.isdisjoint(uninflected(word))


def uninflected(english: str) -> frozenset[str]:
    """What a word may be a form of, by its endings alone."""
    return frozenset(english.removesuffix(ending) + base for ending, base in _ENDINGS if english.endswith(ending))
