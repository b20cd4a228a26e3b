"""Cutting excerpts: whole passages as they stand in their snapshot, mended where a cut would leave an end loose.

An excerpt is one span of a section. It grows backwards where it begins in the middle of something (a list without its
lead-in, a row without its header, a sentence that points back) and forwards where it ends before what it announces
(a lead-in without its list, a how-to without its command).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from knowledge.library.passages import Passage
from knowledge.search.asked import is_question
from knowledge.search.searcher import Hit
from knowledge.text.sentences import Span

_AROUND = 2
"""So many passages before and after may lend what an excerpt lacks."""
_A_LITTLE = 2
"""So many pieces more are better than some fewer."""
_WHITE_SPACE = 4
_FENCE = 40
"""The most characters between two passages that follow one another: white space, and around code the fence."""
_ANNOUNCES = re.compile(
    r"[:：]\s*[*_`]*\s*$|(?:as follows|the following|below|如下|下面|以下)[^.。!?！？\n]{0,40}$", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\s*(?:(?:This|That|These|Those|It|They|He|She|Here|Such|Thus|Then|So|But|However|Also|Instead|Otherwise"
    r"|Similarly|Therefore|Hence|Again|Both|Moreover|In (?:this|that|both|such)"
    r"|The (?:latter|former|same)|Above)\b"
    r"|[^.,;:。，；：\n]{0,40}\b(?:loop|code|kernel|example|figure|table|bound|formula|listing|program)s? above\b"
    r"|[^.,;:。，；：\n]{0,40}\babove\b(?!\s+(?:\d|(?:an?|the|all|each|its|about)\b))"
    r"|[^.,;:。，；：\n]{0,20}(?:上面|上述|上文|前面)的"
    r"|这|那|它|此|该|其(?!他|它|余|实)|上面|上述|以上|前者|后者|因此|所以|于是|然而|但|不过|而且|另外|同样|也就是|换言之|按上)"
)
_TO_THE_HEADING = re.compile(r"\s*(?:(?:This|These|Here)\b|该|此)")
_LISTED = re.compile(r"\s*(?:[-*+•·]\s|\d{1,2}[.)、]\s?|\||[（(]\d+[)）])")
_MID_SENTENCE = re.compile(r"\s*(?:[,;，；、)）]|[a-z]+[ ,;](?![\u4e00-\u9fff]))")
_MARKS_OF_A_LINE = re.compile(r"[ \t]*(?:(?:[-*+•·>|]|\d{1,2}[.)、])[ \t]*)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence, row or code block of a section, with the passage that it stands in."""

    row: int
    number: int
    span: Span
    """Within the section's text."""
    code_language: str | None = None
    """None of prose."""

    @property
    def code(self) -> bool:
        return self.code_language is not None


@dataclass(frozen=True, slots=True)
class Section:
    """The passages around a hit that follow one another under the same headings, as one text.

    A place in the text is as far from its start as in the snapshot: what stands between two passages there, white
    space or the fence of a code block, is as many line ends here.
    """

    hit: Hit
    text: str
    start: int
    """Where the text begins in the snapshot."""
    pieces: tuple[Piece, ...]
    opens: bool
    """Whether nothing stands between the heading and the text."""

    def of(self, row: int) -> Span:
        """The span of a passage, with the marks of its first line."""
        mine = [piece.span for piece in self.pieces if piece.row == row]
        return Span(self.line(min(span.start for span in mine)), max(span.end for span in mine))

    @property
    def whole(self) -> Span:
        return Span(self.line(self.pieces[0].span.start), self.pieces[-1].span.end)

    def stretch(self, row: int) -> Span:
        """The prose around this passage, up to the next block of code; of a block of code, itself."""
        kinds = [(piece, piece.row if piece.code else None) for piece in self.pieces]
        runs = [[piece for piece, _ in run] for _, run in groupby(kinds, key=lambda pair: pair[1])]
        mine = next(run for run in runs if any(piece.row == row for piece in run))
        return Span(self.line(mine[0].span.start), mine[-1].span.end)

    def line(self, at: int) -> int:
        """Where the line begins, if nothing but marks of a list or a table stand before this place."""
        start = self.text.rfind("\n", 0, at) + 1
        return start if _MARKS_OF_A_LINE.fullmatch(self.text, start, at) else at

    def heads_a_table(self, piece: Piece) -> bool:
        """Whether it is the first row of a table, which names the columns and answers nothing."""
        line = self.line(piece.span.start)
        before = self.text.rfind("\n", 0, max(line - 1, 0)) + 1
        others = any(self._is_row(one) for one in self.pieces if one.span.start > piece.span.start)
        return self._is_row(piece) and others and not self.text.startswith("|", before, line)

    def leads_in(self, piece: Piece) -> bool:
        """Whether it only announces what follows."""
        return not piece.code and announces(piece.span.of(self.text))

    def _is_row(self, piece: Piece) -> bool:
        return self.text.startswith("|", self.line(piece.span.start))

    def runs(self, span: Span) -> list[tuple[Span, Piece]]:
        """The span cut into prose and blocks of code, each with its first piece."""
        inside = [piece for piece in self.pieces if piece.span.start < span.end and span.start < piece.span.end]
        parts = [list(run) for _, run in groupby(inside, key=lambda piece: piece.row if piece.code else None)]
        starts = [span.start, *(self.line(part[0].span.start) for part in parts[1:])]
        ends = [*(part[-1].span.end for part in parts[:-1]), span.end]
        return [(Span(start, end), part[0]) for start, end, part in zip(starts, ends, parts, strict=True)]

    def loose(self, span: Span) -> bool:
        """Whether a reader who sees only this misses what stands before or after it."""
        return self.dangles(span.start) or self.announces(span.end)

    def broken(self, span: Span) -> bool:
        """Whether it begins by pointing to what is not there, or ends in a lead-in: what no excerpt may do."""
        return self._points(span.start) or self.announces(span.end)

    def dangles(self, at: int) -> bool:
        if self._begins_with_code(at):
            return False
        return self._points(at) or (not self._opening(at) and dangles(self.text[at:]))

    def _points(self, at: int) -> bool:
        asked = any(map(is_question, self.hit.passage.headings[-1:]))
        to_the_heading = self._opening(at) and (asked or _TO_THE_HEADING.match(self.text, at))
        if self._begins_with_code(at) or to_the_heading:
            return False
        return points_back(self.text[at:])

    def _opening(self, at: int) -> bool:
        """What a heading opens with has that heading before it: a list, `this error` or its answer needs no more."""
        return self.opens and at <= self.line(self.pieces[0].span.start)

    def _begins_with_code(self, at: int) -> bool:
        return any(piece.code and piece.span.start == at for piece in self.pieces)

    def announces(self, end: int) -> bool:
        return not any(piece.code and piece.span.end == end for piece in self.pieces) and announces(self.text[:end])


def section_around(hit: Hit) -> Section:
    """The section of a hit, as far as two passages before and after reach."""
    generation, at = hit.source.generation, hit.passage.row
    rows = range(max(0, at - _AROUND - 1), min(len(generation), at + _AROUND + 1))
    near = generation.passages([row for row in rows if generation.page_of[row] == generation.page_of[at]])
    found = sorted(near, key=lambda passage: passage.row)
    joined = _joined(found, hit.passage)
    before = next((passage for passage in found if passage.row == joined[0].row - 1), None)
    pieces: list[Piece] = []
    text = ""
    for previous, passage in pairwise((None, *joined)):
        if passage is None:
            continue
        text += _gap(previous, passage) if previous else ""
        spans, _ = hit.source.sentences.of(passage.row)
        pieces += [
            Piece(passage.row, number, Span(len(text) + span.start, len(text) + span.end), _code_language(passage))
            for number, span in enumerate(spans)
        ]
        text += passage.text
    opens = before is None or before.headings != joined[0].headings
    return Section(hit, text, joined[0].start, tuple(pieces), opens)


def _code_language(passage: Passage) -> str | None:
    return str(passage.meta.get("language", "")) if passage.kind == "code" else None


def _joined(near: Sequence[Passage], core: Passage) -> list[Passage]:
    """The run of neighbours that share the core's headings, nothing but space or a fence between them."""
    run = [core]
    for passage in reversed([one for one in near if core.row - _AROUND <= one.row < core.row]):
        if not _adjoins(passage, run[0]):
            break
        run.insert(0, passage)
    for passage in (one for one in near if one.row > core.row):
        if not _adjoins(run[-1], passage):
            break
        run.append(passage)
    return run


def _adjoins(before: Passage, after: Passage) -> bool:
    most = _FENCE if "code" in {before.kind, after.kind} else _WHITE_SPACE
    return before.row + 1 == after.row and before.headings == after.headings and 0 <= after.start - before.end <= most


def _gap(before: Passage, after: Passage) -> str:
    """As many characters as there are in the snapshot: a paragraph's, a line's, or a space within a sentence's."""
    length = after.start - before.end
    return " " if length == 1 and not _LISTED.match(after.text) else "\n" * length


def cut(section: Section, marked: Sequence[Piece], most: int, room: int, *, with_code: bool = False) -> Span:
    """The span to quote: the text around the marked pieces up to the next heading or block of code, and mended.

    `with_code`: on to the headings, whatever stands between.

    Where that is too long, their passage, or as much of it around them as fits. What is announced may take more than
    `most`, up to `room`.
    """
    core = Span(min(piece.span.start for piece in marked), max(piece.span.end for piece in marked))
    around = [section.stretch(marked[0].row), section.of(marked[0].row)]
    if with_code:
        around.insert(0, section.whole)
    wholes = [Span(min(core.start, of.start), max(core.end, of.end)) for of in around]
    span = next((of for of in wholes if of.end - of.start <= most), None) or _window(section, core, most)
    start = _begun(section, section.line(span.start), core, most)
    fitting = [
        piece.span.end for piece in section.pieces if core.end <= piece.span.end <= min(span.end, start + most)
    ]
    return Span(start, _ended(section, start, max(fitting, default=span.end), core, room))


def _window(section: Section, core: Span, most: int) -> Span:
    """Pieces before and after the core, in turn, while they fit."""
    before = [piece.span for piece in section.pieces if piece.span.end <= core.start][::-1]
    after = [piece.span for piece in section.pieces if piece.span.start >= core.end]
    start, end = core.start, core.end
    for back, on in _in_turn(before, after):
        grown = Span(min(start, back.start) if back else start, max(end, on.end) if on else end)
        if grown.end - grown.start > most:
            break
        start, end = grown.start, grown.end
    return Span(start, end)


def _in_turn(before: Sequence[Span], after: Sequence[Span]) -> Iterator[tuple[Span | None, Span | None]]:
    """First one after, then one before: what explains a sentence more often follows it."""
    for number in range(max(len(before), len(after))):
        if number < len(after):
            yield None, after[number]
        if number < len(before):
            yield before[number], None


def _begun(section: Section, start: int, core: Span, most: int) -> int:
    """The nearest start where a stranger can begin: a little earlier, or later if only what is not marked is lost."""
    if not section.dangles(start):
        return start
    starts = [section.line(piece.span.start) for piece in section.pieces]
    earlier = [at for at in reversed(starts) if at < start and core.end - at <= most]
    later = [at for at in starts if start < at <= core.start]
    near = len(earlier) if _LISTED.match(section.text, start) else _A_LITTLE
    in_turn = (*earlier[:near], *later, *earlier[near:])
    return next((at for at in in_turn if not section.dangles(at)), start)


def _ended(section: Section, start: int, end: int, core: Span, room: int) -> int:
    """The nearest end where nothing is announced: with what was, if that fits, else before the announcement."""
    while section.announces(end):
        after = min((piece.span.end for piece in section.pieces if piece.span.end > end), default=None)
        if after is None or after - start > room:
            earlier = [piece.span.end for piece in section.pieces if core.end <= piece.span.end < end]
            return next((at for at in reversed(earlier) if not section.announces(at)), end)
        end = _listed(section, after, start, room)
    return end


def _listed(section: Section, end: int, start: int, most: int) -> int:
    """On to the end of the list or table that begins here, as far as it fits."""
    for piece in section.pieces:
        if piece.span.start < end:
            continue
        if not _LISTED.match(section.text, section.line(piece.span.start)) or piece.span.end - start > most:
            break
        end = piece.span.end
    return end


def dangles(text: str) -> bool:
    """Whether a reader who sees only this misses what comes before it."""
    return points_back(text) or _LISTED.match(text) is not None or _MID_SENTENCE.match(text) is not None


def points_back(text: str) -> bool:
    return _POINTS_BACK.match(text) is not None


def announces(text: str) -> bool:
    """Whether the text ends before what it leads to."""
    return _ANNOUNCES.search(text.rstrip()[-120:]) is not None
