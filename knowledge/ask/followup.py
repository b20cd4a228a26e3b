"""Follow-ups: a short or pronoun-led question keeps the subject of the one before."""

from __future__ import annotations

import re

from knowledge.search.question import Question

_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|these|those|there|that|this|one|ones|he|she|same|instead|former|latter)\b"
    r"|^\W*(?:and|but|so|or|also|then|what about|how about|why)\b"
    r"|它|其中|其|这个?|那个?|这些|那些|这里|那里|该|前者|后者|里面|上述|^(?:那|那么|还有|另外|为什么|怎么|如何)",
    re.IGNORECASE,
)
_FEW = 5
_LONGEST_SUBJECT = 240


def leans_on_another(question: Question) -> bool:
    """Whether the question needs the one before it: it points back, or names hardly anything itself."""
    if _LEANS.search(question.text):
        return True
    return len(question.notions) <= _FEW and not any(notion.named for notion in question.notions)


def with_subject(earlier: str, question: Question) -> str:
    """Both questions as one search text; of a long earlier one, the beginning."""
    return f"{earlier.strip()[:_LONGEST_SUBJECT]} {question.text}"
