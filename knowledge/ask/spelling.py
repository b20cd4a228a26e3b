"""A question without its typos: words that nobody writes so, read as the word of the field that is nearest.

What the library, the notes or common English has is never touched, nor is anything short, a number, an identifier or
a name: a rare word that is right must stay. Asked once, before anything else is told from the message.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from knowledge.ask.chinese_spelling import ChineseSpelling
from knowledge.content import Content
from knowledge.library.embed import minilm_folder
from knowledge.search.bridge import common_pairs
from knowledge.text.chat import is_chat
from knowledge.text.edits import edits
from knowledge.text.word_lists import is_plain, uninflected, word_list

LONGEST = 400
"""Characters of a message that is read so; what is longer is a pasted text."""
MOST_MENDED = 6
"""Unknown words of one message that are looked into: a message full of them is in another language."""
_WORD = re.compile(r"(?<![\w.\-/:'#@$+])[A-Za-z]+(?![\w\-/:'#+(]|\.\w)", re.ASCII)
_IN_NOTES = re.compile(r"[a-z]{2,}")
_PLAIN_CASE = re.compile(r"[A-Z]?[a-z]+")
_SHORTEST_JOINED, _LONGEST_JOINED = 8, 40
_SHORT_PIECES = frozenset({"a", "an", "to", "of", "in", "is", "do", "on", "vs", "my", "it"})
_LONGEST_NAME = 8
"""Letters from which a capital no longer makes a name of a word: Flask is no `flash`, Coalesing is `coalescing`."""
_SHORTEST_FREE = 6
"""Letters from which one may also be missing, added or exchanged."""
_LEAST_JOINED = 2
"""Two words in one are mostly a word of their own: framebuffer, blockchain."""
_SHORTEST_BASE = 3
_TIMES_SAID = 4
"""So often a word stands in our notes before anybody is taken to have meant it."""

Knows = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Target:
    """A word that may be meant."""

    word: str
    letters: int
    """The letters in it, a bit each: words that share too few are not compared."""
    weight: float
    """How likely it is meant; terms of the field before other words."""


class Spelling:
    """Made once for a content."""

    def __init__(self, content: Content) -> None:
        terms = _words(name for term in content.glossary.terms for name in term.en)
        terms |= _words(name for topic in content.topics for name in (topic.title.text("en"),))
        said = Counter(word for note in content.notes for word in _IN_NOTES.findall(note.body.lower()))
        usual = {word for word, times in said.items() if times >= _TIMES_SAID and (len(word) > 3)}
        others = usual & english() | {word for word in usual if is_plain(word)} | word_list("stop.en")
        others |= word_list("plain.en") | _words(name for pair in common_pairs() for name in pair.en)
        self._terms = frozenset(terms - word_list("stop.en"))
        self._known = frozenset(said) | terms | others | english()
        self._weights = {word: _weight(word, said, self._terms) for word in terms | others if word.isascii()}
        self._by_first = _by_first(self._weights)
        self._joined = _joined(content)
        self._chinese = ChineseSpelling(
            [name for term in content.glossary.terms for name in term.zh],
            (name for pair in common_pairs() for name in pair.zh if len(name) == 1),
        )

    def mended(self, message: str, known: Knows) -> str:
        """The message as it was meant; itself where nothing is amiss. `known` says what the library has."""
        if len(message) > LONGEST:
            return message
        unknown = [found.group() for found in _WORD.finditer(message) if not self._is_known(found.group(), known)]
        if len(unknown) > MOST_MENDED:
            return message
        meant = {word: self._meant(word) for word in dict.fromkeys(unknown)}
        text = _WORD.sub(lambda found: meant.get(found.group(), found.group()), message) if meant else message
        return self._chinese.mended(text)

    def _is_known(self, word: str, known: Knows) -> bool:
        """Also where it is too short, or written like a name, to be told."""
        plain = word.lower()
        if plain in self._joined and _PLAIN_CASE.fullmatch(word):
            return False
        if len(word) < 3 or not _PLAIN_CASE.fullmatch(word) or is_chat(plain):
            return True
        return not self._known.isdisjoint(_forms(plain)) or is_plain(plain) or known(plain)

    def _meant(self, word: str) -> str:
        """The nearest word, or the words that were written as one; the word itself where none is near."""
        plain = word.lower()
        if name := self._joined.get(plain):
            return name
        near = self._nearest(plain)
        if word[0].isupper() and (near not in self._terms or len(word) < _LONGEST_NAME):
            near = ""
        return near or self._apart(plain) or word

    def _nearest(self, word: str) -> str:
        """The fewest slips, then what is likelier meant. Who mistypes mostly gets the first letter right."""
        most = _most_slips(word)
        if not most:
            return ""
        letters, best = _letters(word), (most + 1.0, 0.0, "")
        for target in self._candidates(word, most):
            if (letters ^ target.letters).bit_count() > 2 * most:
                continue
            slips = edits(word, target.word, most)
            if slips <= min(most, 2 if target.word in self._terms else 1) and _allowed(word, target.word, slips):
                best = min(best, (float(slips), -target.weight, target.word))
        return best[2]

    def _candidates(self, word: str, most: int) -> Iterator[_Target]:
        """Of about the same length, with the same first letter, or with the first two swapped."""
        for first in dict.fromkeys((word[0], word[1])):
            for length in range(len(word) - most, len(word) + most + 1):
                targets = self._by_first.get((first, length), ())
                yield from (one for one in targets if first == word[0] or one.word[1] == word[0])

    def _apart(self, word: str) -> str:
        """`howtoavoidbankconflict` as words of ours, one of the field among them; empty where that does not go up."""
        if not _SHORTEST_JOINED <= len(word) <= _LONGEST_JOINED:
            return ""
        best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())] + [None] * len(word)
        for end in range(1, len(word) + 1):
            for start in range(max(0, end - 16), end):
                piece, so_far = word[start:end], best[start]
                if so_far is None or (len(piece) < 3 and piece not in _SHORT_PIECES) or piece not in self._weights:
                    continue
                worth = so_far[0] + self._weights[piece] - 12
                if (held := best[end]) is None or worth > held[0]:
                    best[end] = (worth, (*so_far[1], piece))
        parts = best[-1][1] if best[-1] else ()
        return " ".join(parts) if len(parts) > _LEAST_JOINED and self._terms.intersection(parts) else ""


def _joined(content: Content) -> Mapping[str, str]:
    """Names of several words, by how they look without spaces: `sharedmemory`, also where a page writes them so."""
    names = {name.lower() for term in content.glossary.terms for name in term.en}
    several = [name for name in names if re.fullmatch(r"[a-z]+(?: [a-z]+)+", name)]
    apart = {"".join(name.split()) + end: name + end for end in ("s", "") for name in several}
    return {joined: name for joined, name in apart.items() if joined not in names and joined not in english()}


def _most_slips(word: str) -> int:
    if len(word) < 3:
        return 0
    return 1 if len(word) < 9 else 2


def _allowed(word: str, meant: str, slips: int) -> bool:
    """Of a short word only a swap: `waht` is `what`, and `cake` is no `cache`. An ending is no slip: optima."""
    if len(word) < _SHORTEST_FREE or len(meant) < _SHORTEST_FREE - 1:
        return sorted(word) == sorted(meant)
    return slips > 1 or word[-1] == meant[-1] or word[:-1] != meant[: len(word) - 1]


def _forms(word: str) -> set[str]:
    """The word, and what it may be a form of."""
    bases = {base for base in uninflected(word) if len(base) >= _SHORTEST_BASE}
    return {word, f"{word}s", f"{word}d", f"{word}r", word.removesuffix("er"), word.removesuffix("r"), *bases}


def _weight(word: str, said: Mapping[str, int], terms: frozenset[str]) -> float:
    stop = 4.0 if word in word_list("stop.en") else 0.0
    return math.log1p(said.get(word, 0)) + max(stop, 2.0 if word in terms else 0.0)


def _by_first(weights: Mapping[str, float]) -> Mapping[tuple[str, int], tuple[_Target, ...]]:
    found: dict[tuple[str, int], list[_Target]] = {}
    for word, weight in weights.items():
        if len(word) > 2:
            found.setdefault((word[0], len(word)), []).append(_Target(word, _letters(word), weight))
    return {key: tuple(targets) for key, targets in found.items()}


def _letters(word: str) -> int:
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 31)
    return bits


def _words(names: Iterable[str]) -> set[str]:
    """Words of names that are written as words: neither abbreviations nor identifiers."""
    return {
        word.lower()
        for name in names
        for word in re.split(r"[\s\-/]+", name)
        if _PLAIN_CASE.fullmatch(word) and len(word) > 2
    }


@functools.cache
def english() -> frozenset[str]:
    """Some 20,000 whole words of common English: those of MiniLM's vocabulary."""
    lines = (minilm_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if len(line) > 2 and line.isalpha() and line.isascii())
