"""Identifiers, versions, products and people: a sentence names none that its passage does not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.search.bridge import Bridge
from knowledge.text.fold import fold
from knowledge.text.language import has_han
from knowledge.text.sentences import sentences

_WORD = re.compile(r"_*[A-Za-z][\w+#]*?(?:(?:::|[-./–])[A-Za-z0-9_][\w+]*?)*(?=[^\w+#]|$|[\u3400-\u9fff])")
_NAME = re.compile(r"[_\d]|[a-z][A-Z]|[A-Z]{2}|::|\w\.\w")
_PARTS = re.compile(r"[-./–]|::")
_SHORTEST_PART = 3
_EVERYWHERE = {"gpu", "gpus", "level-1", "level-2"}
_GLOSS = re.compile(r"(?<=[\u3400-\u9fff])\([A-Za-z][A-Za-z \-]*\)")
"""A Chinese term with its English in brackets."""


def names_missing(sentence: str, passage: str, bridge: Bridge) -> tuple[str, ...]:
    """The names of the sentence that the passage has neither as they stand nor in its own language."""
    known = _known(passage)
    other = {name.lower() for piece in bridge.pieces(passage, "zh") for name in (piece.text, *piece.other)}
    known |= _EVERYWHERE
    translated = has_han(passage) and not has_han(sentence)
    return tuple(name for name in _names(sentence, translated) if not _is_known(name.lower(), known, other))


def _names(text: str, translated: bool) -> Iterator[str]:
    """In Chinese every Latin word but glosses; in English what is spelled like a name, and capitals in a sentence.

    Chinese writes many of those capitals in its own characters, so that a translation cannot be held to them.
    """
    plain = _GLOSS.sub(" ", fold(text).replace("`", ""))
    starts = {0, *(span.start for span in sentences(plain))}
    chinese = has_han(plain)
    for match in _WORD.finditer(plain):
        word = match.group()
        if chinese or _NAME.search(word) or (word[0].isupper() and match.start() not in starts and not translated):
            yield word


def _known(passage: str) -> set[str]:
    """Every Latin word of the passage, whole and in its parts."""
    known: set[str] = set()
    for match in _WORD.finditer(fold(passage).replace("`", "")):
        word = match.group().lower()
        known.update((word, word.removesuffix("s"), *_PARTS.split(word)))
    return known


def _is_known(name: str, known: set[str], other: set[str]) -> bool:
    forms = {name, name.removesuffix("s"), name.removesuffix("'s")}
    if forms & known or forms & other:
        return True
    parts = [part for part in _PARTS.split(name) if part]
    return len(parts) > 1 and all(
        len(part) < _SHORTEST_PART or part.isdigit() or {part, part.removesuffix("s")} & known for part in parts
    )
