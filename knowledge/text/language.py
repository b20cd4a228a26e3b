"""Which of our two languages a text is in, by its script: exact for Chinese against English, and free."""

from __future__ import annotations

import re
from typing import Literal

Lang = Literal["en", "zh"]

HAN_SIGNS = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""For a class of a regular expression."""
HAN = re.compile(f"[{HAN_SIGNS}]")
_ASKED_IN_CHINESE = re.compile(
    r"怎么|什么|为啥|如何|怎样|咋|[吗呢啥哪]|是不是|能不能|要不要|多少|请问|求助|报错|出错|解决|原因|意思"
)
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> Lang:
    """Chinese as soon as there are four Han characters to five Latin words.

    A Chinese question of this field is half identifiers; an English text seldom holds any Han character.
    """
    han = len(HAN.findall(text))
    return "zh" if han and 5 * han >= 4 * len(_LATIN_WORD.findall(text)) else "en"


def language_of_asker(text: str) -> Lang:
    """The language to reply in: an English error message with 怎么办 behind it is asked in Chinese."""
    return "zh" if _ASKED_IN_CHINESE.search(text) else language_of(text)


def has_han(text: str) -> bool:
    return HAN.search(text) is not None
