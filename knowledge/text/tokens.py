"""Search tokens: the same for pages and questions, in Chinese, English and code.

An identifier counts whole and in its parts (`cudaMemcpyAsync`, `__shfl_down_sync`, `sm_90`); an English word
by its stem; a Chinese run by its dictionary words and all its bigrams, so that a term that the dictionary
cuts differently in page and question still meets itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from knowledge.text.fold import fold
from knowledge.text.language import HAN_SIGNS
from knowledge.text.word_lists import word_list

_SIGN = rf"[^\W{HAN_SIGNS}]"
"""A letter, digit or underscore that is no Chinese character: in 在GPU上 the name ends where Chinese goes on."""
_SIGNS = rf"(?:{_SIGN}|\$)*"
_TERM = re.compile(
    rf"""(?P<han>[{HAN_SIGNS}]+)
      | (?P<cpp>[Cc]\+\+(?:\d[A-Za-z\d])?)
      | (?P<hex>0[xX][0-9a-fA-F]+)
      | (?P<measure>\d+(?:\.\d+)?(?:[KMGT]i?B(?:/s)?|[kKMGT]?[bB](?:it|yte)s?|[kMG]?Hz|[mnu]s)(?!{_SIGN}|/))
      | (?P<number>\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?(?![A-Za-z_\d]))
      | (?P<name>[A-Za-z_$@#]{_SIGNS}(?:(?:::|->|\+\+|[.\-/'+])[A-Za-z_\d]{_SIGNS})*(?:\+\+|\#)?|\d{_SIGN}*)""",
    re.VERBOSE,
)
_SEPARATOR = re.compile(r"::|->|[_\W]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]+")
_PLAIN_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+s?")
_LONGEST = 64


def tokens(text: str) -> list[str]:
    """Every token of the text in reading order, repeats kept."""
    found: list[str] = []
    for match in _TERM.finditer(fold(text)):
        term = match.group()
        match match.lastgroup:
            case "han":
                found.extend(_han(term))
            case "cpp":
                found.extend(dict.fromkeys((term[:3].lower(), term.lower())))
            case "measure":
                found.extend(_measure(term))
            case "number" | "hex":
                found.append(term.replace(",", "").lower())
            case _:
                found.extend(_name(term))
    return found


def _measure(term: str) -> Iterator[str]:
    """Number and unit, so that 48KB and 48 KB read the same."""
    unit = term.lstrip("0123456789.")
    yield term.removesuffix(unit)
    if unit.lower() not in word_list("stop.en"):
        yield _stem(unit.lower())


@functools.lru_cache(maxsize=1 << 16)
def _name(term: str) -> tuple[str, ...]:
    """A word gives its stem, an identifier itself and its parts. Cached: texts repeat their words."""
    term = term.removesuffix("'s")
    if _PLAIN_WORD.fullmatch(term):
        return () if term.lower() in word_list("stop.en") else (_stem(term.lower()),)
    return tuple(dict.fromkeys(_identifier(term)))


def _identifier(term: str) -> Iterator[str]:
    whole = term.strip("_$@'-./")[:_LONGEST].lower()
    if whole and whole not in word_list("stop.en"):
        yield whole
    for piece in filter(None, _SEPARATOR.split(term)):
        if len(piece) > 1 and piece.lower() not in word_list("stop.en") and piece.lower() != whole:
            yield _stem(piece.lower()[:_LONGEST])
        humps = _HUMP.findall(piece)
        if len(humps) > 1 and not _PLAIN_WORD.fullmatch(piece):
            yield from (
                _stem(hump.lower()) for hump in humps if len(hump) > 2 and hump.lower() not in word_list("stop.en")
            )


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word)) if word.isalpha() else word


@functools.cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@functools.lru_cache(maxsize=1 << 14)
def _han(run: str) -> tuple[str, ...]:
    """Dictionary words and bigrams of each stretch between function words; a lone character stands for itself."""
    import rjieba

    found: list[str] = []
    stretch: list[str] = []
    # Without the model for unknown words, which likes to join function words: 最多能.
    for word in (*rjieba.cut(run, False), ""):
        if word and word not in word_list("stop.zh"):
            stretch.append(word)
            continue
        found.extend(_stretch(stretch))
        stretch = []
    return tuple(found)


def _stretch(words: list[str]) -> Iterator[str]:
    run = "".join(words)
    if len(run) == 1:
        yield run
    yield from (run[i : i + 2] for i in range(len(run) - 1))
    yield from (word for word in words if len(word) > 2)
    yield from (word for word in words if len(word) == 1 and len(run) > 1)
