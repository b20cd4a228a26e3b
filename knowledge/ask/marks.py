"""What is marked in excerpts: for each the sentence that answers, and what is nearly as good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knowledge.ask.evidence import Sentence
from knowledge.ask.excerpts import Section
from knowledge.ask.weighing import WeighedPassage
from knowledge.search.asked import is_question
from knowledge.text.sentences import Span

MOST_MARKED = 3
MOST_MARKED_CHARACTERS = 450
_MARK_BEHIND = 0.7
"""A second sentence of a section is marked only where it is so near to the best: of others every fourth answers."""
_HALF = (";", "；")
"""What a first sentence ends with that answers by half: what follows is marked with it."""
_FIRST, _FIRST_NEAR, _FIRST_NEAR_FROM = 2.0, 9.9, 0.59
"""Points for a mark: of 126 labelled sections below a question the best sentence answers for .78 with them, for .60
without."""

Mark = tuple[int, int, int]
"""Source, passage and number of a sentence."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A span of a section, with the passages that it is quoted for."""

    section: Section
    span: Span
    of: tuple[WeighedPassage, ...]


def marks_of(cuts: Sequence[Cut], *, for_each: bool = False) -> frozenset[Mark]:
    """Of each cut the best sentence, then what is nearly as good: few, and none that says what a better one says.

    `for_each`: the best sentence for each part of the question that a cut is quoted for.
    """
    shown = [replace(cut_, of=(one,)) for cut_ in cuts for one in cut_.of] if for_each else cuts
    weighed = [_answering(cut_) for cut_ in shown]
    near = [pair for one in weighed for pair in one[1:]]
    marks: dict[Mark, str] = {}
    used = 0
    for _, sentence in (*(one[0] for one in weighed if one), *sorted(near, key=lambda pair: -pair[0])):
        text = plain_text(sentence.text)
        fits = not marks or used + len(sentence.text) <= MOST_MARKED_CHARACTERS
        if fits and len(marks) < MOST_MARKED and text not in marks.values():
            marks[sentence.place] = text
            used += len(sentence.text)
    return frozenset(marks)


def _answering(cut_: Cut) -> list[tuple[float, Sentence]]:
    """The best sentence, then what is nearly as good: as the best by itself, or with what it gains as the first."""
    pairs = _markable(cut_)
    if not pairs:
        return []
    gained = [(weight + _for_answering(cut_, one), weight, one) for weight, one in pairs]
    gain, weight, best = max(gained, key=lambda found: found[0])
    border = (weight if weight == max(weight for weight, _ in pairs) else gain) - _MARK_BEHIND
    half = gain > weight and best.text.rstrip().endswith(_HALF)
    near = [(other, one) for other, one in pairs if other >= border or (half and _follows(best, one))]
    return [(weight, best), *(pair for pair in near if pair[1] is not best)]


def _follows(first: Sentence, second: Sentence) -> bool:
    return (first.hit.passage.row, first.number + 1) == (second.hit.passage.row, second.number)


def _markable(cut_: Cut) -> list[tuple[float, Sentence]]:
    """The sentences of the cut; a lead-in or the header of a table only where there are no others."""
    section = cut_.section
    inside = [one for one in section.pieces if cut_.span.start <= one.span.start < cut_.span.end]
    idle = {(one.row, one.number) for one in inside if section.heads_a_table(one) or section.leads_in(one)}
    shown = {(one.row, one.number) for one in inside}
    read = [pair for passage in cut_.of for pair in passage.sentences]
    every = [pair for pair in read if (pair[1].hit.passage.row, pair[1].number) in shown]
    return [pair for pair in every if (pair[1].hit.passage.row, pair[1].number) not in idle] or every


def _for_answering(cut_: Cut, sentence: Sentence) -> float:
    """What the first sentence below a question gains, as it mostly answers: more, if that is near to the asked."""
    first, row = cut_.section.pieces[0], sentence.hit.passage.row
    opens = cut_.section.opens and (first.row, first.number) == (row, sentence.number)
    if not opens or not any(map(is_question, sentence.hit.passage.headings[-1:])):
        return 0.0
    near = max((passage.near or 0.0 for passage in cut_.of if passage.hit.passage.row == row), default=0.0)
    return _FIRST + _FIRST_NEAR * max(0.0, near - _FIRST_NEAR_FROM)


def marked(section: Section, span: Span, marks: frozenset[Mark]) -> Iterator[Span]:
    """The marks that lie inside the excerpt, from its start; of a long block of code, the lines that fit."""
    for piece in section.pieces:
        if (id(section.hit.source), piece.row, piece.number) not in marks:
            continue
        start, end = max(piece.span.start, span.start), min(piece.span.end, span.end)
        if start >= end:
            continue
        if end - start > MOST_MARKED_CHARACTERS:
            line = section.text.rfind("\n", start, start + MOST_MARKED_CHARACTERS)
            end = line if line > start else start + MOST_MARKED_CHARACTERS
        yield Span(start - span.start, end - span.start)


def plain_text(text: str) -> str:
    """Its letters and digits: what is left equal says the same."""
    return "".join(character for character in text.lower() if character.isalnum())
