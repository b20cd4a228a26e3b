"""An answer of excerpts with their sources, or a refusal that still helps."""

from __future__ import annotations

from bot.buttons import Pick, Press, Style, row
from bot.markup import fence, link, one_line, plain
from bot.render.card import Card, Tone, card
from bot.render.card import Part as CardPart
from bot.render.readings import reading_parts
from knowledge.ask.answer import Citation, Composed, Excerpt, Part
from knowledge.ask.question_log import REASONS, StoredAnswer
from knowledge.words import Language


def answer_card(stored: StoredAnswer, language: Language, *, greeting: str = "") -> Card:
    answer = stored.answer
    if answer.status == "refused":
        return _refusal(stored, language)
    foreign = answer.foreign_lang
    return card(
        greeting or None,
        f"**{one_line(stored.question, 300)}**",
        f"-# {language('ask.perhaps')}" if answer.status == "perhaps" else None,
        _composed(answer.composed) if answer.composed else None,
        *[_excerpt(excerpt) for excerpt in answer.excerpts],
        _sources(answer.citations),
        f"-# {language(f'ask.foreign_{foreign}')}" if foreign in {"en", "zh"} else None,
        f"-# {language('ask.composed')}" if answer.composed else None,
        row(
            Press("helpful", stored.id, label="👍 " + language("ask.helpful")),
            Press("unhelpful", stored.id, label="👎 " + language("ask.unhelpful")),
            Press("follow_up", stored.id, label=language("ask.follow_up"), style=Style.primary),
        ),
    )


def _refusal(stored: StoredAnswer, language: Language) -> Card:
    keep = row(Press("keep", stored.id, label=language("ask.save_question"), style=Style.primary))
    head = f"**{one_line(stored.question, 300)}**\n{language('ask.refused')}"
    if not stored.answer.readings:
        return card(head, keep, tone=Tone.QUIET)
    nearest: list[CardPart] = [f"**{language('ask.nearest')}**", *reading_parts(stored.answer.readings[:3], language)]
    return card(head, *nearest, keep, tone=Tone.QUIET)


def _composed(sentences: tuple[Composed, ...]) -> str:
    return " ".join(f"{one_line(sentence.text, 600)} **[{sentence.citation}]**" for sentence in sentences)


def _excerpt(excerpt: Excerpt) -> str:
    """The excerpt as a quotation, its marked sentences bold; code in a fence."""
    source = f" **[{excerpt.citation}]**"
    if excerpt.kind == "code":
        return fence(excerpt.text, plain(excerpt.code_language)[:12], 1300) + source
    shown = "".join(_bold(part) if part.marked else plain(part.text) for part in excerpt.parts)
    return "\n".join(f"> {line}" for line in shown.splitlines() if line.strip()) + source


def _bold(part: Part) -> str:
    """Bold ends at a line: Discord draws none across two lines of a quotation."""
    lines = plain(part.text).split("\n")
    return "\n".join(f"**{line.strip()}**" if line.strip() else line for line in lines)


def _sources(citations: tuple[Citation, ...]) -> str:
    return "\n".join(_source(citation) for citation in citations)


def _source(citation: Citation) -> str:
    section = f" › {one_line(citation.below, 80)}" if citation.below else ""
    dated = f"{citation.lang}, {citation.snapshot_at:%Y-%m-%d}"
    return f"-# [{citation.n}] {link(citation.title, citation.url, 90)}{section} ({dated})"


def reasons_card(question_id: str, language: Language) -> Card:
    """Why an answer did not help, to choose from."""
    options = [(language(f"reason.{reason}"), reason, "") for reason in REASONS]
    return card(
        language("ask.reason"), row(Pick("reason", question_id, placeholder=language("ask.choose"), options=options))
    )
