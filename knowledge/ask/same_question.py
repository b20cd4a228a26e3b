"""Sections that are known to answer what the member asks, though their sentences need not repeat its words."""

from __future__ import annotations

from knowledge.search.fusion import ALIKE
from knowledge.search.signals import Signals

_WORTH = 12.0
"""What each point of cosine above it adds to a section's strength. .77, as between `max number of threads in one
block?` and `How many threads can a block have at most?`, adds three: as much as a telling word in the sentence."""


def worth_of_question(signals: Signals) -> float:
    """What a question that a section answers, and that is like the member's, adds to it."""
    return _WORTH * max(0.0, signals.asked - ALIKE)
