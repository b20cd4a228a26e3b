"""Recognise in the words of a list: a stated level, the mark of a stretch task, names and descriptions of fields."""

from __future__ import annotations

import re

_BEGINNER = re.compile(r"入门|初学者|\bbeginners?\b", re.IGNORECASE)
_ADVANCED = re.compile(r"进阶|高级|\badvanced\b|\bfor experienced\b", re.IGNORECASE)
_RANGE = re.compile(
    r"从\s*(?:入门|基础|零基础|初学)\s*到|from\s+(?:beginners?|basics?|scratch|introductory)\s+to\b|入门到",
    re.IGNORECASE,
)
_STRETCH = re.compile(
    r"余力|选读|选做|\bstretch goals?\b|^\s*\(?optional\b[):]?"
    r"|\bif you (?:have|find) (?:the |some |more )?(?:time|energy)\b",
    re.IGNORECASE,
)
ADDRESS_FIELD = re.compile(r"^(?:链接|网址|地址|link|url|address|website)$", re.IGNORECASE)
DESCRIPTION_FIELD = re.compile(
    r"^(?:描述|简介|简述|说明|介绍|备注|description|summary|about|notes?)\s*[：:]\s*", re.IGNORECASE
)
ORIGINAL_FIELD = re.compile(r"^(?:原文|原文链接|出处|original|source)$", re.IGNORECASE)
_SENTENCE_LIKE = re.compile(r"[。，,；;！!？?]|[的看读懂]|推荐|\b(?:see|read|watch|look)\b", re.IGNORECASE)
_EDGES = re.compile(r"^[\s：:\-–—·|、,，。.]+|[\s：:\-–—·|、,，。.]+$")


def stated_level(*texts: str) -> str | None:
    """Return the level in the first text that states one; a range from beginner to something states none."""
    for text in texts:
        if _RANGE.search(text):
            return None
        found = {name for name, words in (("beginner", _BEGINNER), ("advanced", _ADVANCED)) if words.search(text)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def is_stretch(text: str) -> bool:
    """Tell whether the words mark a stretch task, for those with time to spare."""
    return bool(_STRETCH.search(text))


def trimmed(text: str) -> str:
    """Return the text without blanks and the punctuation that joins a name to its link."""
    return _EDGES.sub("", text)


def is_plain_name(text: str) -> bool:
    """Tell whether the text is a short name rather than a piece of a sentence."""
    return 0 < len(text) <= 60 and not _SENTENCE_LIKE.search(text)


def is_item_name(text: str) -> bool:
    """Tell by the punctuation alone whether the text is the name that heads an item."""
    return 0 < len(text) <= 60 and not re.search(r"[。，；;！!？?]", text)


def is_url_like(text: str) -> bool:
    return bool(re.match(r"\s*(?:https?://|www\.)", text))


def first_clause(text: str, most: int = 60) -> str:
    """Return the words up to the first comma or full stop."""
    return trimmed(re.split(r"[，。；;！!？?]|,\s|\.\s", text.strip(), maxsplit=1)[0])[:most].strip()


def last_clause(text: str) -> str:
    return trimmed(re.split(r"[，。；;！!？?]|,\s|\.\s", trimmed(text))[-1])
