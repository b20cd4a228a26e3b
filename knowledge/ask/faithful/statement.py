"""What a text says, cut into what can be compared: notions, figures and turning words, each with its place.

A word that turns a statement round (less, before, not) means what it does by what stands near it. So each is compared
with the place of the passage whose neighbours are the same.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from knowledge.ask.faithful.quantities import quantities
from knowledge.search.bridge import Bridge
from knowledge.text.fold import fold
from knowledge.text.language import has_han
from knowledge.text.sentences import sentences
from knowledge.text.tokens import tokens

_NEAR = 45.0
"""Characters of English over which a neighbour's say falls to a third."""
_HAN_WIDTH = 2.6
"""A Chinese character stands for so many letters."""
_CLAUSE = re.compile(
    r"[,;:，；：。.!?！？](?:\s|(?<=[，；：。！？]))|\s(?:while|whereas|but|because|since|so|although|and|[—–])\s"
)
_ACROSS = 22.0
"""A border between clauses keeps neighbours apart like so many characters."""
_NEGATIONS = re.compile(
    r"(?<![a-z])(?:not|no|never|cannot|nothing|none|nobody|neither|nor|without|instead of|rather than|unlike"
    r"|[a-z]+n't|fails? to|free of|[a-z]+-free|needless|no longer)(?![a-z])"
    r"|不(?!同|断|仅|光|等|妨|过|稳|良|均)|没(?!收)|无(?!穷|论|序|限|缝)|未|并非|避免|免得|别(?!的|人|处|家|是)|用不着",
)
Keys = frozenset[str]


@dataclass(frozen=True, slots=True)
class Item:
    """A notion, with its names in both languages as keys."""

    at: int
    keys: Keys
    kind: str
    """term, word, number or name."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A word of an axis: which axis, and which of its ends."""

    at: int
    axis: str
    end: int


@dataclass(frozen=True)
class Statement:
    """A sentence or a whole passage."""

    text: str
    """Folded, in small letters."""
    items: tuple[Item, ...]
    width: float
    """Of a character, in characters of English."""
    spans: tuple[tuple[int, int], ...]
    """Its sentences."""
    borders: tuple[int, ...]
    """Where clauses end."""
    turns: Mapping[str, tuple[Turn, ...]] = field(default_factory=dict)

    @cached_property
    def negations(self) -> tuple[int, ...]:
        return tuple(match.start() for match in _NEGATIONS.finditer(self.text))

    @cached_property
    def rarity(self) -> Counter[str]:
        """In how many sentences each key stands."""
        return Counter(key for span in self.spans for key in frozenset().union(*self._keys(span)))

    def _keys(self, span: tuple[int, int]) -> list[Keys]:
        return [item.keys for item in self.items if span[0] <= item.at < span[1]]

    def nearness(self, one: int, other: int) -> float:
        """1 at the same place, falling with the distance and with every border between."""
        low, high = min(one, other), max(one, other)
        borders = sum(1 for border in self.borders if low < border <= high)
        return math.exp(-((high - low) * self.width + borders * _ACROSS) / _NEAR)


def statement(text: str, bridge: Bridge) -> Statement:
    plain = fold(text).replace("`", "")
    low = plain.lower()
    spans = tuple((span.start, span.end) for span in sentences(plain)) or ((0, len(plain)),)
    return Statement(
        text=low,
        items=tuple(sorted(_items(plain, low, bridge), key=lambda item: item.at)),
        width=_HAN_WIDTH if has_han(plain) else 1.0,
        spans=spans,
        borders=tuple(match.end() for match in _CLAUSE.finditer(low)),
        turns=_turns(low),
    )


def _items(plain: str, low: str, bridge: Bridge) -> Iterator[Item]:
    at = 0
    for piece in bridge.pieces(plain, "zh" if has_han(plain) else "en"):
        first = piece.text.split()[0].lower()
        found = low.find(first, at)
        at = found if found >= 0 else at
        names = (piece.text, *piece.other)
        keys = {" ".join(tokens(name)) for name in names} | set(_bigrams(piece.text))
        yield Item(at, frozenset(keys - {""}), "term" if piece.term else "word")
        at += len(first)
    for quantity in quantities(plain):
        yield Item(quantity.start, frozenset({f"{quantity.value:.6g}{quantity.dimension}"}), "number")


def _bigrams(word: str) -> Iterator[str]:
    """A Chinese word meets another that shares two characters with it."""
    if has_han(word):
        yield from (word[at : at + 2] for at in range(len(word) - 1))


@cache
def axes() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """By group and name, the patterns of the ends."""
    table = tomllib.loads(Path(__file__).with_name("opposites.toml").read_text(encoding="utf-8"))
    return {
        f"{group}.{name}": tuple(_pattern(words) for words in ends)
        for group in table
        for name, ends in table[group].items()
    }


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    english = [re.escape(word).replace(r"\*", "[a-z]*").replace(r"\ ", " ") for word in longest if word.isascii()]
    chinese = [re.escape(word) for word in longest if not word.isascii()]
    parts = [rf"(?<![a-z])(?:{'|'.join(english)})(?![a-z])"] if english else []
    return re.compile("|".join(parts + chinese))


def _turns(low: str) -> dict[str, tuple[Turn, ...]]:
    return {axis: found for axis, ends in axes().items() if (found := tuple(_on_axis(low, axis, ends)))}


def _on_axis(low: str, axis: str, ends: Sequence[re.Pattern[str]]) -> Iterator[Turn]:
    """The longest words first: shared memory is no memory."""
    matches = [(match, end) for end, pattern in enumerate(ends) for match in pattern.finditer(low)]
    taken: list[tuple[int, int]] = []
    for match, end in sorted(matches, key=lambda found: found[0].start() - found[0].end()):
        start, stop = match.span()
        if all(stop <= first or start >= last for first, last in taken):
            taken.append((start, stop))
            yield Turn(start, axis, end)
