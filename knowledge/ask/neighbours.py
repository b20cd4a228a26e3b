"""How near the place of a passage, its heading or its title with it, is to what was asked.

A section on a neighbouring subject shares words with the question; its heading tells that it is about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from knowledge.ask.choose import may_answer_beside
from knowledge.ask.same_question import heading_asked
from knowledge.ask.weighing import WeighedPassage
from knowledge.search.searcher import Findings, Hit, Searcher


def with_nearness(
    searcher: Searcher, findings: Findings, read: Sequence[WeighedPassage]
) -> tuple[WeighedPassage, ...]:
    """The passages with the cosine of their place where it counts: for one that may be quoted beside another, and for
    the marks below a heading that is a question, whose vector is at hand."""
    several = sum(may_answer_beside(passage, read) for passage in read) > 1
    places = {
        passage.hit.passage.row: _place(passage.hit)
        for passage in read
        if heading_asked(passage.hit) or (several and may_answer_beside(passage, read))
    }
    if not places or not searcher.reads_chinese:
        return tuple(read)
    cosines = dict(zip(places, map(float, searcher.likeness(findings, list(places.values()))), strict=True))
    return tuple(replace(one, near=cosines.get(one.hit.passage.row)) for one in read)


def _place(hit: Hit) -> str:
    """The heading where it is a question; else it may say little without the title (`The budget`)."""
    passage = hit.passage
    return heading_asked(hit) or ": ".join(dict.fromkeys((passage.title, *passage.headings[-1:])))
