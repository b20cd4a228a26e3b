"""Which of our two languages a text is in, by its script: exact for Chinese against English, and free."""

from __future__ import annotations

import re
from typing import Literal

Lang = Literal["en", "zh"]

HAN_SIGNS = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""For a class of a regular expression."""
HAN = re.compile(f"[{HAN_SIGNS}]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> Lang:
    """Chinese as soon as there are four Han characters to five Latin words.

    A Chinese question of this field is half identifiers; an English text seldom holds any Han character.
    """
    han = len(HAN.findall(text))
    return "zh" if han and 5 * han >= 4 * len(_LATIN_WORD.findall(text)) else "en"


def has_han(text: str) -> bool:
    return HAN.search(text) is not None
