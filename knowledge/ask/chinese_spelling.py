"""Terms of the field with one character mistyped: 贡享内存, 合并仿存. Usually another character of the same sound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knowledge.text.language import HAN
from knowledge.text.word_lists import word_list

_SHORTEST, _LONGEST = 4, 10
"""Characters: one of three is too many, 线程数 is no mistyped 线程束."""


class ChineseSpelling:
    def __init__(self, terms: Sequence[str], words: Iterable[str] = ()) -> None:
        """Each term by what is left of it without one of its characters; `words` are right in any place."""
        long = [term for term in terms if _SHORTEST <= len(term) <= _LONGEST and all(map(HAN.match, term))]
        self._terms = frozenset(terms)
        self._words = frozenset(words) | word_list("stop.zh") | word_list("everyday.zh")
        self._without: dict[tuple[str, int, str], str] = {}
        for term in long:
            for at in range(len(term)):
                self._without.setdefault((term[:at], at, term[at + 1 :]), term)

    def mended(self, text: str) -> str:
        """Longest terms first; what stands there right stays."""
        if not HAN.search(text):
            return text
        for length in range(_LONGEST, _SHORTEST - 1, -1):
            for start in range(len(text) - length + 1):
                window = text[start : start + length]
                if all(map(HAN.match, window)) and (term := self._meant(text, start, window)):
                    text = text[:start] + term + text[start + length :]
        return text

    def _meant(self, text: str, start: int, window: str) -> str:
        if window in self._terms:
            return ""
        for at in range(len(window)):
            term = self._without.get((window[:at], at, window[at + 1 :]))
            if term and not self._stands(window, at) and not _in_a_word(text, start, start + at, start + len(window)):
                return term
        return ""

    def _stands(self, window: str, at: int) -> bool:
        """Whether the character is a word, or what is beside it is a term without it: 寄存器里, 双缓冲是."""
        rest = window[1:] if at == 0 else window[:-1] if at == len(window) - 1 else ""
        words = self._words if rest else word_list("stop.zh")
        return window[at] in words or rest in self._terms or (bool(rest) and _is_a_word(rest))


def _is_a_word(text: str) -> bool:
    import rjieba

    return len(rjieba.cut(text, False)) == 1


def _in_a_word(text: str, start: int, at: int, end: int) -> bool:
    """Whether the character is part of a word that the dictionary has: 全部内存 is no mistyped 全局内存.

    A word that reaches across the edge of the term counts as well: the mistyped character may begin the next word.
    """
    import rjieba

    begin = max(0, start - 4)
    place = begin
    for word in rjieba.cut(text[begin : end + 4], False):
        if place <= at < place + len(word):
            return len(word) > 1
        place += len(word)
    return False
