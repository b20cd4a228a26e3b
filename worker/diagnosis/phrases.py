"""Tables from English phrases to Chinese ones."""

from __future__ import annotations

import re
from collections.abc import Iterable


def translated(table: Iterable[tuple[str, str]], text: str) -> str | None:
    """By the first pattern that fits all of the text; None where none does."""
    for pattern, chinese in table:
        if found := re.fullmatch(pattern, text, re.DOTALL):
            return found.expand(chinese)
    return None
