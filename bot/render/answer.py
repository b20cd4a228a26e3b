"""An answer of quotes with their sources, or a refusal that still helps."""

from __future__ import annotations

from bot.buttons import Pick, Press, Style, row
from bot.conversation import Told
from bot.render.card import Card, Part, Tone, card
from bot.render.readings import reading_parts
from bot.texts import cut, fence, link, one_line, plain, quoted
from knowledge.ask.answer import Citation, Quote
from knowledge.ask.record import REASONS
from knowledge.wording import Voice


def answer_card(told: Told, question: str, voice: Voice, *, greeting: str = "") -> Card:
    answer = told.answer
    if answer.status == "refused":
        return _refusal(told, question, voice)
    foreign = answer.foreign_lang
    return card(
        greeting or None,
        f"**{one_line(question, 300)}**",
        *[_quote(quote) for quote in answer.answer],
        _sources(answer.citations),
        f"-# {voice(f'ask.foreign_{foreign}')}" if foreign in {"en", "zh"} else None,
        f"-# {voice('ask.reworded')}" if answer.mode == "reworded" else None,
        row(
            Press("helpful", told.question_id, label="👍 " + voice("ask.helpful")),
            Press("unhelpful", told.question_id, label="👎 " + voice("ask.unhelpful")),
            Press("follow_up", told.question_id, label=voice("ask.follow_up"), style=Style.primary),
        ),
    )


def _refusal(told: Told, question: str, voice: Voice) -> Card:
    keep = row(Press("keep", told.question_id, label=voice("ask.save_question"), style=Style.primary))
    head = f"**{one_line(question, 300)}**\n{voice('ask.refused')}"
    if not told.answer.readings:
        return card(head, keep, tone=Tone.QUIET)
    nearest: list[Part] = [f"**{voice('ask.nearest')}**", *reading_parts(told.answer.readings[:3], voice)]
    return card(head, *nearest, keep, tone=Tone.QUIET)


def _quote(quote: Quote) -> str:
    mark = f" **[{quote.citation}]**"
    if quote.kind == "code":
        return fence(quote.quote, plain(quote.code_language)[:12], 1500) + mark
    return cut(quoted(quote.text), 1200) + mark


def _sources(citations: tuple[Citation, ...]) -> str:
    return "\n".join(_source(citation) for citation in citations)


def _source(citation: Citation) -> str:
    section = f" › {one_line(citation.section, 80)}" if citation.section else ""
    dated = f"{citation.lang}, {citation.snapshot_at:%Y-%m-%d}"
    return f"-# [{citation.n}] {link(citation.title, citation.url, 90)}{section} ({dated})"


def reasons_card(question_id: str, voice: Voice) -> Card:
    """Why an answer did not help, to choose from."""
    options = [(voice(f"reason.{reason}"), reason, "") for reason in REASONS]
    return card(
        voice("ask.reason"), row(Pick("reason", question_id, placeholder=voice("ask.choose"), options=options))
    )
