"""The answer to a question of two parts: each part goes its own way, and the best section for each is quoted.

A definition, a comparison of two terms and a figure come first, as they do for a question of one part. Of a part for
which nothing is certain enough nothing is quoted, and the reply says which one that is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from knowledge.ask.answer import Answer, Status
from knowledge.ask.choose import Chosen, ReadFor, Room, choose_for_each
from knowledge.ask.definition_answer import Beginning, marked_within
from knowledge.ask.followup import leans_on_another
from knowledge.ask.intents import Asked
from knowledge.ask.marks import MOST_MARKED_CHARACTERS
from knowledge.ask.parts import TwoParts, parts_of, with_subject
from knowledge.ask.weighing import WeighedPassage
from knowledge.content import Definition
from knowledge.figures import all_figures
from knowledge.search.question import Question
from knowledge.search.searcher import Findings
from knowledge.text.language import HAN
from knowledge.words import Message

_LONGEST_PREFACE = 160
_MOST_CARRIED = 2
"""Names that a second part is given of the first: with more it would ask the first one again."""
_KNOWN = frozenset({"definition", "figures"})


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    """As it was asked."""
    question: Question
    """With what it is about, if the words leave that to the part before it."""
    asked: Asked
    compared: tuple[Definition, ...] = ()
    """The terms whose difference it asks for."""

    @property
    def known(self) -> bool:
        """Whether a definition or a figure answers it, without reading."""
        return self.asked.intent in _KNOWN or bool(self.compared)


@dataclass(frozen=True, slots=True)
class Looked:
    """A part with what was found for it."""

    part: Part
    findings: Findings
    status: Status
    beginnings: tuple[Beginning, ...] = ()
    """Definitions that answer it."""
    read: tuple[WeighedPassage, ...] = ()
    log_odds: float = 0.0


def told_apart(
    message: str,
    asked: Callable[[str], Asked],
    compared: Callable[[str], tuple[Definition, ...]],
    read: Callable[[str], Question],
) -> tuple[Part, ...]:
    """The two parts of a question; nothing where it is one, or where a part is no question of the field."""
    texts = parts_of(message)
    if texts is None:
        return ()
    first = f"{texts.preface} {texts.first}".strip()
    known = read(first)
    parts = (
        Part(texts.first, known, asked(first), compared(texts.first)),
        _second(texts, known, asked, compared, read),
    )
    return parts if all(part.asked.intent in {"question", *_KNOWN} for part in parts) else ()


def _second(
    texts: TwoParts,
    first: Question,
    asked: Callable[[str], Asked],
    compared: Callable[[str], tuple[Definition, ...]],
    read: Callable[[str], Question],
) -> Part:
    """As it stands where that says what it asks; else about what is named before it."""
    text = texts.second
    alone = Part(text, read(text), asked(text), compared(text))
    if alone.known:
        return alone
    about = text
    if texts.preface and len(texts.preface) <= _LONGEST_PREFACE and _names(read(texts.preface)):
        about = f"{texts.preface} {text}"
    elif names := _carried(first, alone.question):
        about = with_subject(names, text)
    understood = asked(about)
    return Part(text, read(about), understood if understood.intent == "figures" else alone.asked)


def _names(question: Question) -> list[str]:
    return [notion.text for notion in question.notions if notion.kind in {"name", "term"}]


def _carried(first: Question, second: Question) -> tuple[str, ...]:
    """Names of the first part that the second one leaves out, as Chinese does with a subject that was named."""
    said = {notion.text.lower() for notion in second.notions}
    names = _names(first)
    left_out = [name for name in names if name.lower() not in said]
    if leans_on_another(second) or (HAN.search(second.text) and len(left_out) == len(names)):
        return tuple(left_out[:_MOST_CARRIED])
    return ()


def answer_of(looked: Sequence[Looked], plain: Answer) -> Answer:
    """One answer to all parts: answered if each part is, else perhaps if one is. It says which part is missing."""
    quoted = [one for one in looked if one.status != "refused"]
    certainty = min(one.log_odds for one in looked)
    if not quoted:
        return replace(plain, status="refused", certainty=certainty)
    missing = next((one for one in looked if one.status == "refused"), None)
    chosen = _quotes(quoted, plain.lang)
    figures = all_figures([one.part.asked.figures for one in quoted if one.part.asked.figures])
    definition = next((defined for one in quoted for defined, _, _ in one.beginnings), None)
    return replace(
        plain,
        status=_status(looked),
        intent="definition" if definition else "figures" if figures else "question",
        definition=definition,
        figures=figures,
        excerpts=chosen.excerpts,
        citations=chosen.citations,
        said=Message("said.part_unknown", part=missing.part.text) if missing else None,
        certainty=certainty,
    )


def _status(looked: Sequence[Looked]) -> Status:
    """Answered if each part is. A section that certainly answers one part, and best the other one, answers both."""
    statuses = {one.status for one in looked}
    best = {
        (one.read[0].hit.passage.snapshot_id, one.read[0].hit.passage.section) if one.read else "" for one in looked
    }
    same = len(best) == 1 and "" not in best and "answered" in statuses and "refused" not in statuses
    return "answered" if statuses == {"answered"} or same else "perhaps"


def _quotes(quoted: Sequence[Looked], lang: str) -> Chosen:
    """The definitions, then the best section for each other part, in the room that is left."""
    beginnings = [one for looked in quoted for one in looked.beginnings]
    excerpts = [replace(excerpt, citation=n) for n, (_, excerpt, _) in enumerate(beginnings, start=1)]
    citations = [replace(citation, n=n) for n, (_, _, citation) in enumerate(beginnings, start=1)]
    whole = Room()
    room = Room(whole.characters - sum(len(one.text) for one in excerpts), whole.excerpts - len(excerpts))
    said = [excerpt.text for excerpt in excerpts]
    found = choose_for_each(
        [ReadFor(one.read, _wants_code(one.part.question), said) for one in quoted if one.read], lang, room
    )
    excerpts += [replace(one, citation=one.citation + len(citations)) for one in found.excerpts]
    citations += [replace(one, n=one.n + len(citations)) for one in found.citations]
    return Chosen(tuple(marked_within(excerpts, MOST_MARKED_CHARACTERS)), tuple(citations))


def _wants_code(question: Question) -> bool:
    return question.wants_way or question.wants_code
