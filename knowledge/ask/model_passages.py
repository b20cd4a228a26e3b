"""Which passages a language model is shown: those that are quoted, then as search ranks them, within a budget."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.ask.answer import Answer
from knowledge.library.passages import Passage
from knowledge.search.searcher import Hit, Searcher
from knowledge.store.scope import Scope
from knowledge.text.language import has_han

MOST_TOKENS = 3500
MOST_PASSAGES = 30
_OF_ONE_PAGE = 6
_LONGEST = 1800
"""Characters of one passage: a longer one is cut, so that it does not crowd out others."""
_CHARACTERS_A_TOKEN = 3.6
"""Of English and code, on the cautious side; a Chinese character counts as one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the model sees it; its number is its place, from 1."""

    passage: Passage
    text: str


def passages_for(answer: Answer, searcher: Searcher, scope: Scope) -> tuple[Shown, ...]:
    """What the model is shown for this answer: searched for anew, further down than what is quoted from."""
    question = searcher.read(answer.asked, guild_id=scope.guild_id)
    found = searcher.findings(question, MOST_PASSAGES, guild_id=scope.guild_id, per_page=_OF_ONE_PAGE, at_home=True)
    return shown_passages(answer, found.home)


def shown_passages(answer: Answer, hits: Sequence[Hit]) -> tuple[Shown, ...]:
    """As many as fit; one that does not is passed over for a shorter one further down."""
    chosen: list[Shown] = []
    left = MOST_TOKENS
    for passage in _in_order(answer, hits):
        one = Shown(passage, passage.text[:_LONGEST])
        cost = tokens_of(passage.context) + tokens_of(one.text) + 12
        if cost <= left and len(chosen) < MOST_PASSAGES:
            chosen.append(one)
            left -= cost
    return tuple(chosen)


def tokens_of(text: str) -> int:
    """About how many tokens a language model counts."""
    han = sum(map(has_han, text))
    return math.ceil(han + (len(text) - han) / _CHARACTERS_A_TOKEN)


def _in_order(answer: Answer, hits: Sequence[Hit]) -> Iterator[Passage]:
    passages = [hit.passage for hit in hits]
    quoted = [passage for passage in passages if _is_quoted(answer, passage)]
    yield from quoted
    yield from (passage for passage in passages if passage not in quoted)


def _is_quoted(answer: Answer, passage: Passage) -> bool:
    snapshots = {citation.n: citation.snapshot_id for citation in answer.citations}
    return any(
        snapshots[excerpt.citation] == passage.snapshot_id
        and excerpt.start < passage.end
        and passage.start < excerpt.start + len(excerpt.text)
        for excerpt in answer.excerpts
    )
