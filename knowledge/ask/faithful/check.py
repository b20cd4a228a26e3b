"""The verdict on a sentence: whether it may stand beside the passage that it cites."""

from __future__ import annotations

import re

from knowledge.ask.faithful.names import names_missing
from knowledge.ask.faithful.quantities import is_backed, quantities, unit_words
from knowledge.search.bridge import Bridge
from knowledge.text.language import has_han, language_of
from knowledge.text.tokens import tokens

_LINK = re.compile(r"https?:|www\.|<[@#/!a-zA-Z]|@everyone|@here|\]\(|\[\d|```|\|\|", re.IGNORECASE)


_LEAST_LIKENESS = 0.2


class Checker:
    """Holds sentences against passages, in English and Chinese and across the two."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def holds(self, sentence: str, passage: str, lang: str) -> bool:
        """Whether this sentence, in this language, says only what the passage says."""
        return not _LINK.search(sentence) and language_of(sentence) == lang and not self.fault(sentence, passage)

    def fault(self, sentence: str, passage: str) -> str:
        """What is wrong with the sentence: number, unit, name or statement; nothing where it keeps to the passage."""
        held = quantities(passage)
        if any(not is_backed(one, held) for one in quantities(sentence)):
            return "number"
        if unit_words(sentence) - unit_words(passage):
            return "unit"
        if names_missing(sentence, passage, self._bridge):
            return "name"
        return "" if self._likeness(sentence, passage) >= _LEAST_LIKENESS else "statement"

    def _likeness(self, sentence: str, passage: str) -> float:
        """Share of the sentence's notions that the passage has, in whichever language."""
        said, held = self._notions(sentence), frozenset().union(*self._notions(passage))
        return sum(not notion.isdisjoint(held) for notion in said) / max(1, len(said))

    def _notions(self, text: str) -> list[frozenset[str]]:
        pieces = self._bridge.pieces(text, "zh" if has_han(text) else "en")
        return [frozenset(" ".join(tokens(name)) for name in (piece.text, *piece.other)) for piece in pieces]
