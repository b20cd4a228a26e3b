"""What members did in a run and what they were told, written down by the suite beside warpmate's own tables."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

FACES = ("site", "discord")


@dataclass(slots=True)
class HandIn:
    """One thing that a member wanted judged, however often it had to be handed in."""

    face: str
    member: str
    guild: str
    expected: str
    """The verdict that this source has to get."""
    submission: str = ""
    """The number that the member was given at last."""
    told: str = ""
    began_s: float = field(default_factory=time.monotonic)
    told_after_s: float = 0.0

    def is_told(self, verdict: str) -> None:
        self.told, self.told_after_s = verdict, time.monotonic() - self.began_s


@dataclass(slots=True)
class Ledger:
    hand_ins: list[HandIn] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    """Every submission that somebody was given the number of."""
    asked: int = 0
    answered: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    """What members met on the way, and did once more."""
    left_waiting: list[str] = field(default_factory=list)
    """Who gave up: nothing was told within the patience of a run."""
