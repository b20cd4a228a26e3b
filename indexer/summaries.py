"""Extractive summaries: the sentences nearest to the page as a whole, without repetitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from indexer.extract.page import Page
from knowledge.library.embed import Vectors
from knowledge.text.language import has_han
from knowledge.text.sentences import sentences

Embed = Callable[[Sequence[str]], Vectors]
MOST_SENTENCES = 3
_CONSIDERED = 60
_VARIETY = 0.4
_EARLY = 0.15
_DANGLING = re.compile(
    r"^(?:this|these|that|those|it|they|he|she|here|however|but|so|then|also|for example|in this case|figure|table|"
    r"see|as shown|note|这|那|它|他|因此|所以|但|然而|例如|如图|图|表|注意|见)",
    re.IGNORECASE,
)


def summary(page: Page, embed: Embed, most: int = MOST_SENTENCES) -> str:
    """Return at most `most` sentences of the page, in its own order; empty where it has no whole sentence."""
    candidates = eligible(page)
    if not candidates:
        return ""
    chosen = pick(embed(candidates), most) if len(candidates) > most else list(range(len(candidates)))
    return _joined([candidates[index] for index in sorted(chosen)])


def lead(page: Page, most: int = MOST_SENTENCES) -> str:
    """Return the page's first sentences: the baseline that a summary has to beat."""
    return _joined(eligible(page)[:most])


def eligible(page: Page) -> list[str]:
    """Return the page's first prose sentences that are whole, of a readable length, and clear on their own."""
    found: list[str] = []
    for block in page.blocks:
        if block.kind != "prose":
            continue
        text = page.text[block.start : block.end]
        found.extend(sentence for span in sentences(text) if _stands_alone(sentence := span.of(text)))
        if len(found) >= _CONSIDERED:
            break
    return list(dict.fromkeys(found))[:_CONSIDERED]


def pick(vectors: Vectors, most: int) -> list[int]:
    """Choose by centroid and maximal marginal relevance, with a small bonus for sentences early in the page."""
    centroid = vectors.mean(axis=0)
    centroid /= np.linalg.norm(centroid) or 1.0
    worth = vectors @ centroid + _EARLY * (1 - np.arange(len(vectors)) / len(vectors))
    chosen = [int(worth.argmax())]
    while len(chosen) < min(most, len(vectors)):
        repeats = (vectors @ vectors[chosen].T).max(axis=1)
        margin = (1 - _VARIETY) * worth - _VARIETY * repeats
        margin[chosen] = -np.inf
        chosen.append(int(margin.argmax()))
    return chosen


def _stands_alone(sentence: str) -> bool:
    length = len(sentence) * (2.5 if has_han(sentence) else 1)
    whole = sentence.rstrip("\"'”’)）」』").endswith((".", "!", "。", "！", "；"))
    return 40 <= length <= 400 and whole and not _DANGLING.match(sentence)


def _joined(picked: Sequence[str]) -> str:
    return "".join(picked) if picked and has_han(picked[0]) else " ".join(picked)
