"""How near the question in a section's heading is to the one that was asked.

A section on a neighbouring subject shares words with the question; its heading tells that it is about something else.
Other headings (`The budget`) say too little for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from knowledge.ask.same_question import heading_asked
from knowledge.ask.weighing import WeighedPassage
from knowledge.search.searcher import Findings, Searcher


def with_nearness(
    searcher: Searcher, findings: Findings, read: Sequence[WeighedPassage]
) -> tuple[WeighedPassage, ...]:
    """The passages, those below a question with the cosine of the two questions; its vector is at hand already."""
    headings = [heading for passage in read if (heading := heading_asked(passage.hit))]
    if not headings or not searcher.reads_chinese:
        return tuple(read)
    cosines = dict(zip(headings, map(float, searcher.likeness(findings, headings)), strict=True))
    return tuple(replace(passage, near=cosines.get(heading_asked(passage.hit))) for passage in read)
