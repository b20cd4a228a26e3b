"""Passages that print the words of an error message: they know the very error, whatever else is like it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.search.searcher import Findings, Hit
from knowledge.text.fold import fold

_WORD = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]")
_LONG_NAME = 12
"""An identifier of so many characters, or with an underscore, is as telling as three words."""
_FEWEST = 3
"""Words in a row that are no accident."""
_ENOUGH = 4
"""Words in a row from which a passage knows the error."""
_MOST_WORDS = 40
_NEARLY = 0.6
"""A passage with so much less in a row than the best is of another error."""


@dataclass(frozen=True, slots=True)
class Found:
    findings: Findings
    certain: bool
    """Whether a passage prints so much of the message that it is about this error."""


def with_the_same_words(message: str, findings: Findings) -> Found:
    """The findings with those passages at home that hold most words of the message in a row, where some do."""
    said = _words(message)[:_MOST_WORDS]
    words = [word for word in said if word.isascii()] or said
    runs = {id(hit): _longest_run(words, hit) for hit in (*findings.home, *findings.hits)}
    best = max(runs.values(), default=0)
    plain = [word for word in words if _weight(word) == 1]
    whole = len(plain) if len(plain) > 1 else sum(map(_weight, words))
    fewest = min(_FEWEST, max(whole, 2))
    if best < fewest:
        return Found(findings, certain=False)
    home = [hit for hit in findings.home if runs[id(hit)] >= max(fewest, _NEARLY * best)]
    home.sort(key=lambda hit: (-runs[id(hit)], hit.rank))
    certain = best >= min(_ENOUGH, whole)
    return (
        Found(replace(findings, home=tuple(home)), certain and bool(home)) if home else Found(findings, certain=False)
    )


def _longest_run(words: Sequence[str], hit: Hit) -> int:
    """Words of the message that stand in the passage or its headings, side by side; names count more."""
    text = f" {' '.join(_words(hit.passage.in_context))} "
    best = 0
    for start in range(len(words)):
        end = start + 1
        while end <= len(words) and f" {' '.join(words[start:end])} " in text:
            best = max(best, sum(map(_weight, words[start:end])))
            end += 1
    return best


def _weight(word: str) -> int:
    return 3 if "_" in word or len(word) >= _LONG_NAME else 1


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).lower())
