"""Sections that are known to answer what the member asks, though their sentences need not repeat its words.

The weights are fitted on 600 questions on notes, most of them kept for development, and 174 that nothing answers.
"""

from __future__ import annotations

from knowledge.search.signals import Signals

_WORTH, _WORTH_FROM = 9.0, 0.4
"""What each point of cosine from there on adds to a section's strength. .77, as between `max number of threads in one
block?` and `How many threads can a block have at most?`, adds three: as much as a telling word in the sentence."""
_CERTAIN, _CERTAIN_FROM = 3.0, 0.3
_THE_SAME_FROM, _THE_SAME = 0.4, 0.7
"""Between them a question becomes the same: of what it names, less and less has to stand in the section."""


def worth_of_question(signals: Signals) -> float:
    """What a question that a section answers, and that is like the member's, adds to its strength."""
    return _WORTH * max(0.0, signals.asked - _WORTH_FROM)


def certainty_of_question(signals: Signals) -> float:
    """What it adds to the log-odds of the reader."""
    return _CERTAIN * max(0.0, signals.asked - _CERTAIN_FROM)


def asks_otherwise(signals: Signals) -> float:
    """How far the section is known for other questions than the member's alone: from 0, the same, to 1."""
    return min(1.0, max(0.0, (_THE_SAME - signals.asked) / (_THE_SAME - _THE_SAME_FROM)))
