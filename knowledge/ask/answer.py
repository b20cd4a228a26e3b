"""What the ask flow hands to its faces: excerpts with their sources and marks, or a refusal with readings."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from knowledge.ask.intents import Intent
from knowledge.figures import FiguresAnswer
from knowledge.readings import Reading
from knowledge.store.scope import Scope
from knowledge.text.sentences import Span
from knowledge.words import Message, core_languages

MOST_CHARACTERS = 1200
"""Of all excerpts of an answer together: with its sources it fits one Discord message."""
_SOURCE_MARK = re.compile(r"\[\^[\w-]{1,60}\]")
"""How our notes point at their sources: part of the excerpt, left out of what is shown."""

Status = Literal["answered", "perhaps", "refused"]


@dataclass(frozen=True, slots=True)
class Citation:
    n: int
    resource_id: str
    snapshot_id: int
    url: str
    """At the nearest heading, or with a text fragment."""
    title: str
    section: str
    path: str
    lang: str
    snapshot_at: datetime | None = None
    """None for a definition: it is no page that was fetched on some day."""

    @property
    def place(self) -> str:
        """Title and section, each name once."""
        return " > ".join(part for part in (self.title, self.below) if part)

    @property
    def below(self) -> str:
        """Where on the page: the section, each name once and none that the title says."""
        names = dict.fromkeys(name for name in self.section.split(" > ") if name and name != self.title)
        return " > ".join(names)

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "resource_id": self.resource_id,
            "url": self.url,
            "title": self.title,
            "section": self.section,
            "path": self.path,
            "lang": self.lang,
            "date": self.snapshot_at.date().isoformat() if self.snapshot_at else None,
        }

    def as_text(self) -> str:
        dated = f"{self.lang}, {self.snapshot_at:%Y-%m-%d}" if self.snapshot_at else self.lang
        return f"[{self.n}] {self.place} ({dated}) {self.url}"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of an excerpt that is marked as the answer, or is not."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    text: str
    """As it stands in the snapshot."""
    start: int
    """Where it stands there."""
    marked: tuple[Span, ...]
    """The sentences, rows or commands that answer, as spans of the text, in its order."""
    citation: int
    kind: Literal["prose", "code"] = "prose"
    code_language: str = ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """What a face shows, in order: the text without the marks of sources, cut where marks begin and end."""
        return tuple(part for part in self._parts() if part.text)

    @property
    def shown(self) -> str:
        return "".join(part.text for part in self.parts)

    def _parts(self) -> Iterator[Part]:
        at = 0
        for span in self.marked:
            yield Part(_bare(self.text[at : span.start]), marked=False)
            yield Part(_bare(span.of(self.text)), marked=True)
            at = span.end
        yield Part(_bare(self.text[at:]), marked=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "marked": [[span.start, span.end] for span in self.marked],
            "citation": self.citation,
        }


def _bare(text: str) -> str:
    return _SOURCE_MARK.sub("", text)


@dataclass(frozen=True, slots=True)
class Composed:
    """A sentence that a language model wrote from an excerpt, held against it."""

    text: str
    citation: int

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "citation": self.citation}


@dataclass(frozen=True, slots=True)
class Defined:
    """What a term or a topic means; the first excerpt of its answer says it."""

    id: str
    """`term:` and its slug, or the id of the note that begins with the definition."""
    name: str
    text: str
    source: str
    """What it can be checked in, and its address."""
    source_url: str | None = None
    note: str | None = None
    """Id of the note that says more."""

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "text": self.text,
            "source": {"what": self.source, "url": self.source_url},
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class NextSteps:
    """What can be done after an answer, all of it from the library."""

    readings: tuple[Reading, ...] = ()
    problem: Reading | None = None
    """The one that practises the answer's topic."""
    questions: tuple[str, ...] = ()
    """To ask next, as they can be asked: in the language of the answer."""

    def __bool__(self) -> bool:
        return bool(self.readings or self.problem or self.questions)

    def as_json(self) -> dict[str, Any]:
        return {
            "readings": [reading.as_json() for reading in self.readings],
            "problem": self.problem.as_json() if self.problem else None,
            "questions": list(self.questions),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    status: Status
    """perhaps: the best excerpt there is, which may not be the answer."""
    lang: str
    """Of the question: what a face writes its own words in."""
    asked: str
    """The question as it was understood, with the subject of an earlier one if it followed up."""
    excerpts: tuple[Excerpt, ...] = ()
    citations: tuple[Citation, ...] = ()
    readings: tuple[Reading, ...] = ()
    composed: tuple[Composed, ...] = ()
    """What a language model, if one is set up, made of the excerpts."""
    certainty: float = 0.0
    """Log-odds that the excerpts answer."""
    generation: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)
    intent: Intent = "question"
    definition: Defined | None = None
    figures: FiguresAnswer | None = None
    said: Message | None = None
    """What we say ourselves: to a greeting, of the readings below, of a group that has written nothing down."""
    next: NextSteps = NextSteps()
    read_as: str = ""
    """The question without its typos; empty where it had none."""

    @property
    def foreign_lang(self) -> str | None:
        """The language of the sources where none is in the question's: a face names it."""
        langs = {citation.lang for citation in self.citations}
        return None if self.lang in langs else next(iter(langs), None)

    @property
    def marked(self) -> tuple[str, ...]:
        """The marked sentences, in the order of the reply."""
        return tuple(span.of(excerpt.text) for excerpt in self.excerpts for span in excerpt.marked)

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "intent": self.intent,
            "read_as": self.read_as,
            "lang": self.lang,
            "said": _in_every_language(self.said) if self.said else None,
            "definition": self.definition.as_json() if self.definition else None,
            "figures": self.figures.as_json(core_languages()[self.lang]) if self.figures else None,
            "excerpts": [excerpt.as_json() for excerpt in self.excerpts],
            "citations": [citation.as_json() for citation in self.citations],
            "composed": [sentence.as_json() for sentence in self.composed],
            "readings": [reading.as_json() for reading in self.readings],
            "follow_ups": list(self.next.questions),
            "next": self.next.as_json(),
            "timings_ms": self.timings_ms,
        }

    def as_text(self) -> str:
        """For a terminal."""
        said = self.said.text(self.lang) if self.said else ""
        composed = " ".join(f"{sentence.text} [{sentence.citation}]" for sentence in self.composed)
        excerpts = [f"{excerpt.shown} [{excerpt.citation}]" for excerpt in self.excerpts]
        sources = "\n".join(self._source_as_text(citation) for citation in self.citations)
        return "\n\n".join(part for part in (said, self._figures_as_text(), composed, *excerpts, sources) if part)

    def _source_as_text(self, citation: Citation) -> str:
        """Of a definition also what it can be checked in."""
        if self.definition is None or citation.resource_id != self.definition.id:
            return citation.as_text()
        return " ".join(
            part for part in (citation.as_text(), "·", self.definition.source, self.definition.source_url) if part
        )

    def _figures_as_text(self) -> str:
        if self.figures is None:
            return ""
        sources = "\n".join(f"{source.title} {source.url or ''}".rstrip() for source in self.figures.sources)
        return "\n\n".join(part for part in (self.figures.text(self.lang), sources) if part)


def _in_every_language(message: Message) -> dict[str, Any]:
    return {"id": message.id, "message": {language.code: language.say(message) for language in core_languages()}}


def stored_shape(row: Mapping[str, Any]) -> dict[str, Any]:
    """A stored answer in today's shape: until November 2026 answers were lists of quotes."""
    shaped = {key: value for key, value in row.items() if key not in {"answer", "mode", "log_odds"}}
    if "excerpts" not in shaped:
        shaped["excerpts"] = [
            {
                "text": quote["quote"],
                "start": quote["start"],
                "marked": [{"start": 0, "end": len(quote["quote"])}],
                "citation": quote["citation"],
                "kind": quote.get("kind", "prose"),
                "code_language": quote.get("code_language", ""),
            }
            for quote in row.get("answer", ())
        ]
    return shaped


class Asks(Protocol):
    """The ask flow, as far as its faces need it."""

    async def ask(
        self,
        question: str,
        lang: str | None = None,
        follow_up_of: str | None = None,
        scope: Scope = ...,
        member: str | None = None,
    ) -> Answer: ...


class Composes(Protocol):
    """The language model's turn, as far as faces need it."""

    def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = ...
    ) -> AsyncIterator[Answer]:
        """Yield the answer after each sentence that a language model adds; nothing where none is set up."""
        ...


async def composed(model: Composes, question: str, answer: Answer, earlier: str | None, scope: Scope) -> Answer:
    """The answer with all that a language model adds, for who shows it only once."""
    async for grown in model.compose(question, answer, earlier, scope):
        answer = grown
    return answer
