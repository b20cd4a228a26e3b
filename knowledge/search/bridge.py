"""The bridge between the languages: terms of the glossary, general words, and pairs found in the pages themselves.

It gives a Chinese text an English rendering (for an embedder that reads no Chinese), and a question of either
language its terms in the other.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.text.fold import fold
from knowledge.text.language import HAN_SIGNS
from knowledge.text.tokens import tokens
from knowledge.text.word_lists import word_list

_HAN_OR_NOT = re.compile(rf"[{HAN_SIGNS}]+|[^{HAN_SIGNS}]+")
_SHORTEST_NAME = 4
_WORD = re.compile(r"_*[A-Za-z][\w+#]*(?:[-'./:]+\w+)*|\d[\w.]*")


@dataclass(frozen=True, slots=True)
class Pair:
    """One notion: its names in English and in Chinese, the usual one first."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    general: bool = False
    """An ordinary word rather than a term of the field."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text with its names in the other language; none where the bridge has no word for it."""

    text: str
    other: tuple[str, ...] = ()
    spelled: str = ""
    """For an abbreviation, the full name that it stands for, in the same language."""
    term: bool = False
    """A term of the field."""


class Bridge:
    """Longest-match look-up in both directions. Earlier pairs come first among the names of a term."""

    def __init__(self, pairs: Iterable[Pair], stated: Iterable[Pair] = ()) -> None:
        """`stated` pairs come from pages, are less sure, and only fill gaps."""
        to_en: dict[str, dict[str, None]] = {}
        to_zh: dict[tuple[str, ...], dict[str, None]] = {}
        spelled: dict[tuple[str, ...], str] = {}
        terms: set[str | tuple[str, ...]] = set()
        for pair in pairs:
            if not pair.general:
                terms.update((*map(_stems, pair.en), *(fold(zh).lower() for zh in pair.zh)))
            for short in filter(_is_short, pair.en[1:]):
                spelled.setdefault(_stems(short), pair.en[0])
            for zh in pair.zh:
                to_en.setdefault(fold(zh).lower(), {}).update(dict.fromkeys(pair.en))
            for en in pair.en:
                to_zh.setdefault(_stems(en), {}).update(dict.fromkeys(pair.zh))
        for pair in stated:
            for zh in pair.zh:
                to_en.setdefault(fold(zh).lower(), dict.fromkeys(pair.en))
            for en in pair.en:
                to_zh.setdefault(_stems(en), dict.fromkeys(pair.zh))
        to_zh.pop((), None)
        self._spelled = spelled
        self._terms = frozenset(terms)
        self._to_en = {zh: tuple(names) for zh, names in to_en.items()}
        self._to_zh = {en: tuple(names) for en, names in to_zh.items()}
        self._longest_zh = max(map(len, self._to_en), default=0)
        self._longest_en = max(map(len, self._to_zh), default=0)

    def __len__(self) -> int:
        return len(self._to_en)

    @functools.cached_property
    def digest(self) -> str:
        """Changes with every term: what was rendered by another bridge reads differently."""
        return hashlib.sha256(repr(sorted(self._to_en.items())).encode()).hexdigest()[:12]

    def pieces(self, text: str, lang: str) -> tuple[Piece, ...]:
        """The text in its terms and words, function words left out."""
        return tuple(self._from_zh(text) if lang == "zh" else self._from_en(text))

    def rendered(self, text: str) -> str:
        """A Chinese text in English: terms translated, Latin text and numbers kept, the rest dropped."""
        parts: list[str] = []
        for stretch in _HAN_OR_NOT.findall(fold(text)):
            if _is_han(stretch):
                parts.extend(names[0] for _, names in self._matches(stretch) if names)
            else:
                parts.append(stretch.strip())
        return " ".join(filter(None, parts))

    def _from_zh(self, text: str) -> Iterator[Piece]:
        for stretch in _HAN_OR_NOT.findall(fold(text)):
            if _is_han(stretch):
                yield from (Piece(word, names, term=word in self._terms) for word, names in self._matches(stretch))
            else:
                yield from self._from_en(stretch)

    def _matches(self, run: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Dictionary words, joined where several of them together are a term; a long unknown word by its parts.

        A lone character that is no term says too little; several in a row are a name that the dictionary lacks.
        """
        import rjieba

        words = rjieba.cut(run, False)
        start, unknown = 0, ""
        while start < len(words):
            term, names, start = self._longest_at(words, start)
            if len(term) == 1 and not names and term not in word_list("stop.zh"):
                unknown += term
                continue
            yield from _named(unknown)
            unknown = ""
            if names or term not in word_list("stop.zh"):
                yield term, names or self._by_parts(term)
        yield from _named(unknown)

    def _longest_at(self, words: list[str], start: int) -> tuple[str, tuple[str, ...], int]:
        for end in range(min(len(words), start + self._longest_zh), start, -1):
            term = "".join(words[start:end])
            if names := self._to_en.get(term):
                return term, names, end
        return words[start], (), start + 1

    def _by_parts(self, word: str) -> tuple[str, ...]:
        """Return the names of a term that the word ends or begins with, for words that are no term themselves."""
        if len(word) < 3:
            return ()
        for length in range(len(word) - 1, 1, -1):
            for part in (word[-length:], word[:length]):
                if names := self._to_en.get(part):
                    return names[:1]
        return ()

    def _from_en(self, text: str) -> Iterator[Piece]:
        words = [word for word in _WORD.findall(text) if word.lower() not in word_list("stop.en")]
        start = 0
        while start < len(words):
            for length in range(min(self._longest_en, len(words) - start), 0, -1):
                phrase = " ".join(words[start : start + length])
                if names := self._to_zh.get(_stems(phrase)):
                    stems = _stems(phrase)
                    yield Piece(phrase, names, self._spelled.get(stems, ""), term=stems in self._terms)
                    start += length
                    break
            else:
                yield Piece(words[start])
                start += 1


def _named(run: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What may be a name in a row of characters that the dictionary knows no word of."""
    start, end = 0, len(run)
    while start < end and run[start] in word_list("everyday.zh"):
        start += 1
    while end > start and run[end - 1] in word_list("everyday.zh"):
        end -= 1
    if end - start > 1:
        yield run[start:end], ()


def _is_short(name: str) -> bool:
    """An abbreviation, such as LR or smem: too short to be looked for by its letters alone."""
    return len(name) <= _SHORTEST_NAME and name.isalnum()


def _is_han(stretch: str) -> bool:
    return ord(stretch[0]) >= 0x3400


@functools.lru_cache(maxsize=1 << 14)
def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(tokens(phrase))


@functools.cache
def common_pairs() -> tuple[Pair, ...]:
    """General words of technical Chinese, from common.yaml."""
    import yaml

    text = Path(__file__).with_name("common.yaml").read_text(encoding="utf-8")
    table: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return tuple(Pair(tuple(name.strip() for name in en.split(",")), (zh,), general=True) for zh, en in table.items())
