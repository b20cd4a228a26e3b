"""What the ask flow hands to its faces: quotes with their sources, or a refusal with readings."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from knowledge.readings import Reading
from knowledge.store.scope import Scope
from knowledge.text.language import Lang

MOST_CHARACTERS = 1900
"""Of an answer in plain text with its sources: it fits one Discord message."""


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
    snapshot_at: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "resource_id": self.resource_id,
            "url": self.url,
            "title": self.title,
            "section": self.section,
            "path": self.path,
            "lang": self.lang,
            "date": self.snapshot_at.date().isoformat(),
        }

    def as_text(self) -> str:
        place = " > ".join(filter(None, (self.title, self.section)))
        return f"[{self.n}] {place} ({self.lang}, {self.snapshot_at:%Y-%m-%d}) {self.url}"


@dataclass(frozen=True, slots=True)
class Quote:
    text: str
    """What is shown: the quote on one line, or a model's wording of it."""
    quote: str
    """Character for character as it stands in the snapshot."""
    start: int
    """Where it stands there."""
    citation: int
    kind: Literal["prose", "code"] = "prose"
    code_language: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "quote": self.quote, "citation": self.citation}


@dataclass(frozen=True, slots=True)
class Answer:
    status: Literal["answered", "refused"]
    lang: Lang
    """Of the question: what a face writes its own words in."""
    asked: str
    """The question as it was understood, with the subject of an earlier one if it followed up."""
    answer: tuple[Quote, ...] = ()
    citations: tuple[Citation, ...] = ()
    readings: tuple[Reading, ...] = ()
    mode: Literal["quotes", "reworded"] = "quotes"
    log_odds: float = 0.0
    generation: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def foreign_lang(self) -> str | None:
        """The language of the sources where it is not the question's: a face names it."""
        langs = {citation.lang for citation in self.citations}
        return next(iter(langs - {self.lang}), None)

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "lang": self.lang,
            "mode": self.mode,
            "answer": [quote.as_json() for quote in self.answer],
            "citations": [citation.as_json() for citation in self.citations],
            "readings": [reading.as_json() for reading in self.readings],
            "timings_ms": self.timings_ms,
        }

    def as_text(self) -> str:
        """For a terminal, and the measure of how long an answer is."""
        quotes = [f"{quote.text} [{quote.citation}]" for quote in self.answer]
        sources = [citation.as_text() for citation in self.citations]
        return "\n".join((*quotes, "", *sources)) if quotes else ""


class Asks(Protocol):
    """The ask flow, as far as its faces need it."""

    async def ask(
        self, question: str, lang: Lang | None = None, follow_up_of: str | None = None, scope: Scope = ...
    ) -> Answer: ...
