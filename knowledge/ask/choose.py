"""From read passages to excerpts: at most three, without repeats, marked where they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote as percent

from knowledge.ask.answer import MOST_CHARACTERS, Citation, Excerpt
from knowledge.ask.excerpts import Piece, Section, cut, section_around
from knowledge.ask.weighing import WeighedPassage
from knowledge.library.passages import Passage
from knowledge.text.sentences import Span

MOST_EXCERPTS = 3
MOST_MARKED = 3
MOST_MARKED_CHARACTERS = 450
_LONGEST_EXCERPT = 800
_SHORTEST_EXCERPT = 120
"""Where less is left of the reply, no further excerpt begins."""
_TOUCHING = 4
"""So many characters of white space between two spans make them one."""
_LONGEST_LABEL = 90
_SAME_LANGUAGE = 1.0
"""How much stronger than one in the asker's language a passage in another one has to be to stand before it."""
_FAR_BEHIND = 7.0
"""A passage so much weaker than the best is left out: nothing is added to fill up. The reader is rarely sure: what it
puts second or third answers every fifth question."""
_CODE_BEHIND = 4.0
"""Code that was asked for comes first unless it is so much weaker: the words around it say more of what was asked."""
_MARK_BEHIND = (4.0, 2.0)
"""Likewise a second and a third mark: of third ones that are further behind, every tenth answers."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Chosen:
    excerpts: tuple[Excerpt, ...]
    citations: tuple[Citation, ...]


def choose(read: Sequence[WeighedPassage], lang: str, *, code_first: bool = False) -> Chosen:
    """The excerpts of the strongest passages, in the order of reading, as many as fit."""
    strongest = _near_the_best(_ranked(read, lang), code_first=code_first)
    marks = _marks(strongest)
    cuts = _cuts(strongest, marks) or _cuts(strongest[:1], marks, broken=True)
    citations: dict[tuple[int, str], Citation] = {}
    excerpts = []
    for section, span in cuts if code_first else _in_reading_order(cuts):
        passage = section.hit.passage
        key = (passage.snapshot_id, passage.section)
        cited = citations.setdefault(key, citation_of(len(citations) + 1, passage, span.of(section.text)))
        for run, first in section.runs(span):
            excerpts.append(
                Excerpt(
                    text=run.of(section.text),
                    start=section.start + run.start,
                    marked=tuple(_marked(section, run, marks)),
                    citation=cited.n,
                    kind="code" if first.code else "prose",
                    code_language=first.code_language or "",
                )
            )
    return Chosen(tuple(excerpts), tuple(citations.values()))


def _ranked(read: Sequence[WeighedPassage], lang: str) -> list[WeighedPassage]:
    """Strongest first; between two that are about as strong, the one in the language of the question."""

    def behind(passage: WeighedPassage) -> tuple[float, int]:
        abroad = _SAME_LANGUAGE if passage.hit.passage.lang != lang else 0.0
        return abroad - passage.strength, passage.hit.rank

    return sorted(read, key=behind)


def _near_the_best(strongest: Sequence[WeighedPassage], *, code_first: bool) -> list[WeighedPassage]:
    """Those that may be quoted; where code was asked for, it comes first."""
    near = [passage for passage in strongest if passage.strength >= strongest[0].strength - _FAR_BEHIND]

    def is_wanted(passage: WeighedPassage) -> bool:
        close = passage.strength >= strongest[0].strength - _CODE_BEHIND
        return code_first and close and passage.hit.passage.kind == "code"

    return sorted(near, key=lambda passage: not is_wanted(passage))


_Mark = tuple[int, int, int]
"""Source, passage and number of a sentence."""
_Cut = tuple[Section, Span]


def _marks(strongest: Sequence[WeighedPassage]) -> dict[_Mark, float]:
    """The best sentences of the passages that may be quoted: few, and none that says what a better one says."""
    weighed = sorted((pair for one in strongest[:MOST_EXCERPTS] for pair in one.sentences), key=lambda pair: -pair[0])
    marks: dict[_Mark, float] = {}
    said: set[str] = set()
    used = 0
    for weight, sentence in weighed:
        text = _plain(sentence.text)
        if len(marks) == MOST_MARKED or (marks and weight < weighed[0][0] - _MARK_BEHIND[len(marks) - 1]):
            break
        if text in said or (marks and used + len(sentence.text) > MOST_MARKED_CHARACTERS):
            continue
        said.add(text)
        used += len(sentence.text)
        marks[sentence.place] = weight
    return marks


def _cuts(strongest: Sequence[WeighedPassage], marks: dict[_Mark, float], *, broken: bool = False) -> list[_Cut]:
    """A span for each passage that is quoted; one that an earlier span holds already adds nothing.

    `broken`: also one that points to what is not there, where nothing else can be quoted.
    """
    cuts: list[_Cut] = []
    said: set[str] = set()
    for passage in strongest:
        left, free = _left(cuts)
        if not free or left < _SHORTEST_EXCERPT:
            break
        section = section_around(passage.hit)
        pieces = _core(section, passage, marks)
        if not pieces or any(_holds(cut_, section, pieces) for cut_ in cuts):
            continue
        span = _cut(section, pieces, left, free)
        text = _plain(span.of(section.text))
        flawed = section.loose(span) if cuts else section.broken(span) and not broken
        if not text or text in said or flawed:
            continue
        said.add(text)
        cuts = _with(cuts, section, span)
    return cuts


def _left(cuts: Sequence[_Cut]) -> tuple[int, int]:
    """Characters and excerpts that the reply still has room for."""
    runs = [run for section, span in cuts for run, _ in section.runs(span)]
    return MOST_CHARACTERS - sum(run.end - run.start for run in runs), MOST_EXCERPTS - len(runs)


def _cut(section: Section, pieces: Sequence[Piece], left: int, free: int) -> Span:
    """The span around these pieces; where it is cut into more excerpts than are free, the one that holds them."""
    span = _within(section, cut(section, pieces, min(left, _LONGEST_EXCERPT), left), left)
    runs = [run for run, _ in section.runs(span)]
    if len(runs) <= free:
        return span
    return next(run for run in runs if run.start <= pieces[0].span.start < run.end)


def _with(cuts: Sequence[_Cut], section: Section, span: Span) -> list[_Cut]:
    """One more cut; with one that it touches, it becomes a single one."""
    first, last = section.start + span.start, section.start + span.end
    for number, (other, held) in enumerate(cuts):
        start, end = min(first, other.start + held.start), max(last, other.start + held.end)
        touches = first <= other.start + held.end + _TOUCHING and other.start + held.start <= last + _TOUCHING
        same = other.hit.passage.snapshot_id == section.hit.passage.snapshot_id
        covering = next(
            (one for one in (other, section) if one.start <= start and end <= one.start + len(one.text)), None
        )
        if same and touches and covering:
            joined = (covering, Span(start - covering.start, end - covering.start))
            return [*cuts[:number], joined, *cuts[number + 1 :]]
    return [*cuts, (section, span)]


def _core(section: Section, passage: WeighedPassage, marks: dict[_Mark, float]) -> list[Piece]:
    """The marked pieces of this passage; its strongest one where none is marked."""
    row = passage.hit.passage.row
    own = [piece for piece in section.pieces if piece.row == row]
    marked = [piece for piece in own if (id(passage.hit.source), row, piece.number) in marks]
    if marked or not passage.sentences:
        return marked or own[:1]
    strongest = max(passage.sentences, key=lambda pair: pair[0])[1].number
    return [piece for piece in own if piece.number == strongest]


def _holds(cut_: _Cut, section: Section, pieces: Sequence[Piece]) -> bool:
    other, span = cut_
    if other.hit.passage.snapshot_id != section.hit.passage.snapshot_id:
        return False
    first, last = other.start + span.start, other.start + span.end
    return all(
        first <= section.start + piece.span.start and section.start + piece.span.end <= last for piece in pieces
    )


def _within(section: Section, span: Span, most: int) -> Span:
    """What is too long even so, such as a block of code, ends at its last line that fits."""
    if span.end - span.start <= most:
        return span
    line = section.text.rfind("\n", span.start, span.start + most)
    return Span(span.start, line if line > span.start else span.start + most)


def _in_reading_order(cuts: Sequence[_Cut]) -> list[_Cut]:
    """Best page first; of one page, as it stands there."""
    pages: dict[int, int] = {}
    for section, _ in cuts:
        pages.setdefault(section.hit.passage.snapshot_id, len(pages))
    return sorted(cuts, key=lambda cut_: (pages[cut_[0].hit.passage.snapshot_id], cut_[0].start + cut_[1].start))


def _marked(section: Section, span: Span, marks: dict[_Mark, float]) -> Iterator[Span]:
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


def citation_of(n: int, passage: Passage, text: str) -> Citation:
    return Citation(
        n=n,
        resource_id=passage.resource_id,
        snapshot_id=passage.snapshot_id,
        url=deep_link(passage, text),
        title=_label(passage.title),
        section=_label(passage.section),
        path=passage.path,
        lang=passage.lang,
        snapshot_at=passage.fetched_at,
    )


def deep_link(passage: Passage, text: str) -> str:
    """At the heading where it has an anchor, else at the excerpt's first words, for pages that a browser shows."""
    if passage.anchor or not passage.url.startswith(("http://", "https://")) or passage.page_kind not in {"html", ""}:
        return passage.link
    words = _SPACE.sub(" ", text).strip()[:40]
    whole = words.rsplit(" ", 1)[0] if " " in words and len(words) == 40 else words
    return f"{passage.url.split('#')[0]}#:~:text={percent(whole, safe='')}"


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _label(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
