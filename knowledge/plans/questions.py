"""Review questions: which term is this, what is that term, what was wrong with your own line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from knowledge.content import Definition
from knowledge.words import Message
from worker.protocol import Finding

BLANK = "＿＿＿＿"
"""Wide, for four narrow ones are Markdown."""
_AROUND_THE_LINE = 2


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answer, in the reader's language."""

    id: str
    kind: Literal["which", "what", "mistake"]
    due: date
    step: int
    ask: Message
    text: str
    """What the question is about: a definition without its term; empty where `ask` says all."""
    code: tuple[tuple[int, str], ...]
    """Lines of the member's own source, by number."""
    answer: str
    more: str
    """The definition whole, where the answer is its term."""
    readings: tuple[Mapping[str, Any], ...] = ()

    def as_json(self, lang: str) -> dict[str, Any]:
        return {
            "question": self.id,
            "kind": self.kind,
            "due": self.due.isoformat(),
            "step": self.step,
            "ask": self.ask.text(lang),
            "text": self.text,
            "code": [{"line": number, "text": text} for number, text in self.code],
            "answer": self.answer,
            "more": self.more,
            "readings": [dict(reading) for reading in self.readings],
        }


def term_question(
    definition: Definition, due: date, step: int, lang: str, readings: tuple[dict[str, Any], ...] = ()
) -> Question:
    """In turns: the term is looked for, then its meaning."""
    text, id_ = definition.text.text(lang), f"term:{definition.slug}"
    if step % 2:
        ask = Message("review.what", term=definition.title(lang))
        return Question(id_, "what", due, step, ask, "", (), text, "", readings)
    ask = Message("review.which")
    return Question(
        id_, "which", due, step, ask, without_names(definition, lang), (), definition.title(lang), text, readings
    )


def mistake_question(
    finding: Finding, problem: str, source: str, due: date, step: int, lang: str, readings: tuple[dict[str, Any], ...]
) -> Question:
    """The line as it was handed in; the answer is what the judge said of it."""
    lines = source.rstrip("\n").split("\n")
    line = finding.line if finding.line is not None and 1 <= finding.line <= len(lines) else None
    shown = range(max(1, line - _AROUND_THE_LINE), min(len(lines), line + _AROUND_THE_LINE) + 1) if line else ()
    ask = (
        Message("review.mistake_line", problem=problem, line=line)
        if line
        else Message("review.mistake", problem=problem)
    )
    code = tuple((number, lines[number - 1].rstrip()[:200]) for number in shown)
    said = finding.message.get(lang) or finding.message.get("en") or finding.id
    return Question(f"mistake:{finding.id}", "mistake", due, step, ask, "", code, said, "", readings)


def without_names(definition: Definition, lang: str) -> str:
    """The text with every name of its term blanked out, however it is cased, hyphenated or put into the plural."""
    names = sorted((*definition.term.en, *definition.term.zh), key=len, reverse=True)
    blanked = re.sub("|".join(map(_name, names)), BLANK, definition.text.text(lang), flags=re.IGNORECASE)
    return re.sub(rf"{BLANK}\s*[(（]{BLANK}[)）]", BLANK, blanked)


def _name(name: str) -> str:
    spelled = r"[\s-]*".join(re.escape(word) for word in re.split(r"[\s-]+", name))
    start = r"(?<![A-Za-z0-9])" if name[0].isascii() else ""
    return start + spelled + (r"(?:e?s)?(?![A-Za-z0-9])" if name[-1].isascii() else "")
