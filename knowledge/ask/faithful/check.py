"""The verdict on a sentence: whether it may stand beside the passage that it cites."""

from __future__ import annotations

import re

from knowledge.ask.faithful.compare import Comparison, compared
from knowledge.ask.faithful.names import names_missing
from knowledge.ask.faithful.quantities import is_backed, quantities, unit_words
from knowledge.ask.faithful.statement import statement
from knowledge.search.bridge import Bridge
from knowledge.text.language import language_of

_LINK = re.compile(r"https?:|www\.|<[@#/!a-zA-Z]|@everyone|@here|\]\(|\[\d|```|\|\|", re.IGNORECASE)


class Checker:
    """Holds sentences against passages, in English and Chinese and across the two."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def holds(self, sentence: str, passage: str, lang: str) -> bool:
        """Whether this sentence, in this language, says only what the passage says."""
        return not _LINK.search(sentence) and language_of(sentence) == lang and not self.fault(sentence, passage)

    def fault(self, sentence: str, passage: str) -> str:
        """What is wrong with the sentence: in one word; nothing where it keeps to the passage."""
        held = quantities(passage)
        if any(not is_backed(one, held) for one in quantities(sentence)):
            return "number"
        if unit_words(sentence) - unit_words(passage):
            return "unit"
        if names_missing(sentence, passage, self._bridge):
            return "name"
        return misstated(compared(statement(sentence, self._bridge), statement(passage, self._bridge)))


def misstated(beside: Comparison) -> str:
    """What the comparison says against the sentence; the bounds are those of docs/ask.md."""
    faults = {
        "unsaid": beside.held < 0.25 or beside.terms_missing > 1,
        "direction": max(beside.direction, beside.opposition) >= 0.75,
        "subject": beside.thing >= 0.7 and beside.terms_missing > 0,
        "negation": beside.negation_lost >= 0.34,
        "exchanged": beside.exchanged >= 0.57 or beside.cause >= 0.9,
    }
    return next((fault for fault, found in faults.items() if found), "")
