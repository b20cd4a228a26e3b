"""From read passages to excerpts: those that answer, at most three, without repeats, marked where they answer."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote as percent

from knowledge.ask.answer import MOST_CHARACTERS, Citation, Excerpt
from knowledge.ask.excerpts import Piece, Section, cut, section_around
from knowledge.ask.marks import Cut, Mark, marked, marks_of, plain_text
from knowledge.ask.weighing import WeighedPassage
from knowledge.library.passages import Passage
from knowledge.text.sentences import Span
from knowledge.text.tokens import tokens

MOST_EXCERPTS = 3
_LONGEST_EXCERPT = 900
_SHORTEST_EXCERPT = 120
"""Where less is left of the reply, no further excerpt begins."""
_TOUCHING = 4
"""So many characters of white space between two spans make them one."""
_LONGEST_LABEL = 90
_SAME_LANGUAGE = 0.5
"""How much stronger than one in the asker's language a passage in another one has to be to stand before it."""
_CODE_BEHIND = 2.5
"""Code that was asked for comes first unless it is so much weaker: the words around it say more of what was asked."""
_FURTHER_BIAS, _FURTHER_STRENGTH, _FURTHER_FIRST = -2.2, 0.52, -0.3
"""Log-odds that a passage answers beside the strongest one, from the strengths of both: fitted on 427 development
questions, which label one passage each. So it is low by half or more."""
_FURTHER_FROM = 0.1
"""A further passage is quoted only where it answers with this probability: nothing is added to fill up. Over 1,395
development questions .73 of the replies then hold the answering sentence, in 650 characters; with .2 .67, in 480."""
_NEAR_FURTHER, _NEAR_COSINE, _NEAR_FROM = 0.86, 4.9, 0.37
"""Log-odds that a further passage is to the point, from those above and the cosine of what its section answers with
what was asked: fitted on 131 passages, judged by hand, by the cosine of their headings, of which half of those beside
the point went and .07 of the others; put on the scale of the nearest question, whose cosines are higher."""
_THIRD_FROM = 0.2
"""Beside one section for each part of a question."""
_SAID_AGAIN = 0.6
_KEPT_FOR_A_PART = 330
"""Characters that the section for one part of a question leaves to each part after it."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Chosen:
    excerpts: tuple[Excerpt, ...]
    citations: tuple[Citation, ...]


def choose(
    read: Sequence[WeighedPassage],
    lang: str,
    *,
    code_first: bool = False,
    with_code: bool = False,
) -> Chosen:
    """The excerpts of the passages that answer, in the order of reading, as many as fit.

    `with_code`: a section that answers brings its blocks of code.
    """
    ranked = _ranked(read, lang, code_first=code_first)
    answering = _that_answer(ranked)
    cuts = (
        _cuts(answering, with_code=with_code)
        or _cuts(ranked, with_code=with_code)[:1]
        or _cuts(ranked[:1], with_code=with_code, broken=True)
    )
    return _quoted(cuts if code_first else _in_reading_order(cuts), marks_of(cuts))


@dataclass(frozen=True, slots=True)
class Room:
    """What a reply, or what is left of it, holds."""

    characters: int = MOST_CHARACTERS
    excerpts: int = MOST_EXCERPTS


@dataclass(frozen=True, slots=True)
class ReadFor:
    """What was read for one part of a question."""

    read: Sequence[WeighedPassage]
    with_code: bool = False
    said: Sequence[str] = ()
    """What the reply says already: definitions."""


def choose_for_each(parts: Sequence[ReadFor], lang: str, room: Room) -> Chosen:
    """The best section for each part, in the order of the parts; one that answers both is quoted once.

    Where that leaves room, the section that most likely answers beside them.
    """
    cuts: list[Cut] = []
    for number, part in enumerate(parts):
        others = len(parts) - number - 1
        mine = Room(room.characters - others * _KEPT_FOR_A_PART, room.excerpts - others)
        answering = _that_answer(_new(part, lang))
        tried = [(one, False) for one in answering] + [(one, True) for one in answering[:1] if not cuts]
        grown = (_with_cut_of(cuts, one, mine, with_code=part.with_code, broken=broken) for one, broken in tried)
        cuts = next((one for one in grown if one is not cuts), cuts)
    quoted = {id(one) for cut_ in cuts for one in cut_.of}
    border = _FURTHER_FROM if len(cuts) < len(parts) else _THIRD_FROM
    more = sorted(
        (-odds, number, one.hit.rank, one)
        for number, part in enumerate(parts)
        for odds, one in _beside_the_best(part, lang, border)
        if id(one) not in quoted
    )
    for _, number, _, one in more[:1]:
        cuts = _with_cut_of(cuts, one, room, with_code=parts[number].with_code)
    return _quoted(cuts, marks_of(cuts, for_each=True))


def _new(part: ReadFor, lang: str) -> list[WeighedPassage]:
    """Strongest first, without what says again what was said already; if all of it does, nothing is new."""
    return [one for one in _ranked(part.read, lang, code_first=False) if not _says_again(one, part.said)]


def _beside_the_best(part: ReadFor, lang: str, probability: float) -> list[tuple[float, WeighedPassage]]:
    new = _new(part, lang)
    best = _best(new)
    return [(_further(one, best), one) for one in new if _answers_beside(one, best, probability)]


def _says_again(passage: WeighedPassage, said: Sequence[str]) -> bool:
    """Whether its strongest sentence is one of these texts, or a part of one, in nearly the same words."""
    if not said or not passage.sentences:
        return False
    words = tokens(max(passage.sentences, key=lambda pair: pair[0])[1].text)
    return any(
        sum(word in known for word in words) >= _SAID_AGAIN * len(words) for known in map(set, map(tokens, said))
    )


def _quoted(cuts: Sequence[Cut], marks: frozenset[Mark]) -> Chosen:
    citations: dict[tuple[int, str], Citation] = {}
    excerpts = []
    for cut_ in cuts:
        section, span = cut_.section, cut_.span
        passage = section.hit.passage
        key = (passage.snapshot_id, passage.section)
        cited = citations.setdefault(key, citation_of(len(citations) + 1, passage, span.of(section.text)))
        for run, first in section.runs(span):
            excerpts.append(
                Excerpt(
                    text=run.of(section.text),
                    start=section.start + run.start,
                    marked=tuple(marked(section, run, marks)),
                    citation=cited.n,
                    kind="code" if first.code else "prose",
                    code_language=first.code_language or "",
                )
            )
    return Chosen(tuple(excerpts), tuple(citations.values()))


def _ranked(read: Sequence[WeighedPassage], lang: str, *, code_first: bool) -> list[WeighedPassage]:
    """Strongest first; between two that are about as strong, the one in the language of the question.

    Where code was asked for, it comes first unless it is far behind.
    """
    best = _best(read)

    def behind(passage: WeighedPassage) -> tuple[bool, float, int]:
        wanted = code_first and passage.hit.passage.kind == "code" and passage.strength >= best - _CODE_BEHIND
        abroad = _SAME_LANGUAGE if passage.hit.passage.lang != lang else 0.0
        return not wanted, abroad - passage.strength, passage.hit.rank

    return sorted(read, key=behind)


def _that_answer(ranked: Sequence[WeighedPassage]) -> list[WeighedPassage]:
    """The first, and of the others those that answer as well with this probability."""
    best = _best(ranked)
    return [one for one in ranked if one is ranked[0] or _answers_beside(one, best, _FURTHER_FROM)]


def _answers_beside(passage: WeighedPassage, best: float, probability: float) -> bool:
    """Whether it is strong enough, and what its section answers, if that is known, near enough to what was asked."""
    further = _further(passage, best)
    far = passage.near is not None and _NEAR_FURTHER * further + _NEAR_COSINE * passage.near < _NEAR_FROM
    return further >= _odds(probability) and not far


def _best(read: Sequence[WeighedPassage]) -> float:
    return max((passage.strength for passage in read), default=0.0)


def _further(passage: WeighedPassage, best: float) -> float:
    """Log-odds that it answers beside the strongest one."""
    return _FURTHER_BIAS + _FURTHER_STRENGTH * passage.strength + _FURTHER_FIRST * best


def _odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def _cuts(passages: Sequence[WeighedPassage], *, with_code: bool, broken: bool = False) -> list[Cut]:
    """A cut for each passage; `broken`: also one that points to what is not there, where nothing else is left."""
    cuts: list[Cut] = []
    for passage in passages:
        cuts = _with_cut_of(cuts, passage, Room(), with_code=with_code, broken=broken)
    return cuts


def _with_cut_of(
    cuts: list[Cut], passage: WeighedPassage, room: Room, *, with_code: bool, broken: bool = False
) -> list[Cut]:
    """With a cut for this passage, or as they were; where an earlier cut holds it, that one gains its sentences."""
    left, free = _left(cuts, room)
    section = section_around(passage.hit)
    pieces = _core(section, passage)
    held = next((number for number, cut_ in enumerate(cuts) if _holds(cut_, section, pieces)), None)
    if held is not None:
        return [*cuts[:held], replace(cuts[held], of=(*cuts[held].of, passage)), *cuts[held + 1 :]]
    if not pieces or not free or left < _SHORTEST_EXCERPT:
        return cuts
    span = _cut(section, pieces, left, free, with_code=with_code)
    text = plain_text(span.of(section.text))
    flawed = section.loose(span) if cuts else section.broken(span) and not broken
    if not text or flawed or text in {plain_text(one.span.of(one.section.text)) for one in cuts}:
        return cuts
    return _with(cuts, Cut(section, span, (passage,)))


def _left(cuts: Sequence[Cut], room: Room) -> tuple[int, int]:
    """Characters and excerpts that there is still room for."""
    runs = [run for cut_ in cuts for run, _ in cut_.section.runs(cut_.span)]
    return room.characters - sum(run.end - run.start for run in runs), room.excerpts - len(runs)


def _cut(section: Section, pieces: Sequence[Piece], left: int, free: int, *, with_code: bool) -> Span:
    """The span around these pieces; where it is cut into more excerpts than are free, the one that holds them."""
    for code in (True, False) if with_code else (False,):
        most = left if code else min(left, _LONGEST_EXCERPT)
        span = _within(section, cut(section, pieces, most, left, with_code=code), left)
        runs = [run for run, _ in section.runs(span)]
        if len(runs) <= free:
            return span
    return next(run for run in runs if run.start <= pieces[0].span.start < run.end)


def _with(cuts: Sequence[Cut], new: Cut) -> list[Cut]:
    """One more cut; with one that it touches, it becomes a single one."""
    section = new.section
    first, last = section.start + new.span.start, section.start + new.span.end
    for number, old in enumerate(cuts):
        start, end = min(first, old.section.start + old.span.start), max(last, old.section.start + old.span.end)
        touches = (
            first <= old.section.start + old.span.end + _TOUCHING
            and old.section.start + old.span.start <= last + _TOUCHING
        )
        same = old.section.hit.passage.snapshot_id == section.hit.passage.snapshot_id
        covering = next(
            (one for one in (old.section, section) if one.start <= start and end <= one.start + len(one.text)), None
        )
        if same and touches and covering:
            joined = Cut(covering, Span(start - covering.start, end - covering.start), (*old.of, *new.of))
            return [*cuts[:number], joined, *cuts[number + 1 :]]
    return [*cuts, new]


def _core(section: Section, passage: WeighedPassage) -> list[Piece]:
    """The strongest piece of this passage."""
    own = [piece for piece in section.pieces if piece.row == passage.hit.passage.row]
    if not passage.sentences:
        return own[:1]
    strongest = max(passage.sentences, key=lambda pair: pair[0])[1].number
    return [piece for piece in own if piece.number == strongest]


def _holds(cut_: Cut, section: Section, pieces: Sequence[Piece]) -> bool:
    if cut_.section.hit.passage.snapshot_id != section.hit.passage.snapshot_id:
        return False
    first, last = cut_.section.start + cut_.span.start, cut_.section.start + cut_.span.end
    return bool(pieces) and all(
        first <= section.start + piece.span.start and section.start + piece.span.end <= last for piece in pieces
    )


def _within(section: Section, span: Span, most: int) -> Span:
    """What is too long even so, such as a block of code, ends at its last line that fits."""
    if span.end - span.start <= most:
        return span
    line = section.text.rfind("\n", span.start, span.start + most)
    return Span(span.start, line if line > span.start else span.start + most)


def _in_reading_order(cuts: Sequence[Cut]) -> list[Cut]:
    """Best page first; of one page, as it stands there."""
    pages: dict[int, int] = {}
    for cut_ in cuts:
        pages.setdefault(cut_.section.hit.passage.snapshot_id, len(pages))
    return sorted(
        cuts, key=lambda cut_: (pages[cut_.section.hit.passage.snapshot_id], cut_.section.start + cut_.span.start)
    )


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


def _label(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
