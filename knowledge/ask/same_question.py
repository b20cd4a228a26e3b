"""Sections whose heading asks what the member asks: they answer, though their sentences need not repeat the words."""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.search.searcher import Findings, Hit, Searcher

_ALIKE = 0.5
"""Cosine of two questions from which they may ask the same."""
_WORTH = 12.0
"""What each point of cosine above it adds to a section's strength. .77, as between `max number of threads in one
block?` and `How many threads can a block have at most?`, adds three: as much as a telling word in the sentence."""
_MARKS = ("?", "？")


def heading_asked(hit: Hit) -> str:
    """The heading above a passage, where it is a question."""
    heading = hit.passage.headings[-1] if hit.passage.headings else ""
    return heading if heading.rstrip().endswith(_MARKS) else ""


def worth_of_headings(searcher: Searcher, findings: Findings) -> Mapping[str, float]:
    """What the headings that ask nearly the same add to the sections below them."""
    headings = list(dict.fromkeys(heading for hit in findings.hits if (heading := heading_asked(hit))))
    if not headings or not searcher.reads_chinese:
        return {}
    alike = searcher.likeness(findings, headings)
    return {
        heading: _WORTH * (float(cosine) - _ALIKE)
        for heading, cosine in zip(headings, alike, strict=True)
        if cosine > _ALIKE
    }
