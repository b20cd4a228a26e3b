"""Time as this Discord sees it: it runs like everybody's, and a test may push it forward."""

from __future__ import annotations

import time


class Clock:
    def __init__(self) -> None:
        self._ahead_s = 0.0

    def now_s(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._ahead_s

    def advance(self, seconds: float) -> None:
        self._ahead_s += seconds
