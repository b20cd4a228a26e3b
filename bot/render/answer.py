"""An answer of excerpts with their sources, or a refusal that still helps."""

from __future__ import annotations

from collections.abc import Sequence

from bot.buttons import Pick, Press, Style, row
from bot.markup import fence, link, one_line, plain
from bot.render.card import Card, Tone, card
from bot.render.card import Part as CardPart
from bot.render.readings import reading_line, reading_parts, short_id
from knowledge.ask.answer import Answer, Citation, Composed, Defined, Excerpt, NextSteps, Part
from knowledge.ask.intents import SMALL_TALK
from knowledge.ask.question_log import REASONS, StoredAnswer
from knowledge.figures import FiguresAnswer
from knowledge.readings import Reading
from knowledge.words import Language

ASK_VERB = "ask_next"
LONGEST_ASKED = 80
"""Characters of a question that a button holds, in its label and its custom id."""
MOST_IN_A_ROW = 5


def answer_card(stored: StoredAnswer, language: Language, *, greeting: str = "") -> Card:
    answer = stored.answer
    if answer.status == "refused":
        return _refusal(stored, language)
    foreign = answer.foreign_lang
    return card(
        greeting or None,
        f"**{one_line(stored.question, 300)}**",
        _read_as(answer, language) or None,
        f"-# {language('ask.perhaps')}" if answer.status == "perhaps" else None,
        language.say(answer.said) if answer.said else None,
        _figures(answer.figures, language) if answer.figures else None,
        _composed(answer.composed) if answer.composed else None,
        *[_excerpt(excerpt) for excerpt in answer.excerpts],
        _sources(answer),
        f"-# {language(f'ask.foreign_{foreign}')}" if foreign in {"en", "zh"} else None,
        f"-# {language('ask.composed')}" if answer.composed else None,
        *_to_read(answer.readings, language),
        *_next(answer.next, language),
        _opinion(stored.id, language) if answer.intent not in SMALL_TALK else None,
    )


def _read_as(answer: Answer, language: Language) -> str:
    return f"-# {language('ask.read_as')} {one_line(answer.read_as, 300)}" if answer.read_as else ""


def _opinion(question_id: str, language: Language) -> CardPart:
    return row(
        Press("helpful", question_id, label="👍 " + language("ask.helpful")),
        Press("unhelpful", question_id, label="👎 " + language("ask.unhelpful")),
        Press("follow_up", question_id, label=language("ask.follow_up"), style=Style.primary),
    )


def _refusal(stored: StoredAnswer, language: Language) -> Card:
    answer = stored.answer
    keep = row(Press("keep", stored.id, label=language("ask.save_question"), style=Style.primary))
    said = language.say(answer.said) if answer.said else language("ask.refused")
    head = f"**{one_line(stored.question, 300)}**\n{said}"
    if told := _read_as(answer, language):
        head = f"{head}\n{told}"
    if not answer.readings:
        return card(head, keep, tone=Tone.QUIET)
    nearest: list[CardPart] = [f"**{language('ask.nearest')}**", *reading_parts(answer.readings[:3], language)]
    return card(head, *nearest, keep, tone=Tone.QUIET)


def kept_card(question_id: str, language: Language, *, in_server: bool, unlisted: bool = False) -> Card:
    """Return that a question is saved; in a server also who sees that it is open, with the way out of that."""
    if not in_server:
        return card(language("ask.kept"))
    where = language("ask.unlisted" if unlisted else "ask.listed")
    wish, label = ("no", "ask.list") if unlisted else ("yes", "ask.unlist")
    return card(language("ask.kept"), where, row(Press("unlist", question_id, wish, label=language(label))))


def _figures(figures: FiguresAnswer, language: Language) -> str:
    sentences = [plain(language.say(sentence)) for sentence in figures.sentences]
    sources = [f"-# {link(source.title, source.url, 120)}" for source in figures.sources]
    return "\n".join((*sentences, *sources))


def _to_read(readings: Sequence[Reading], language: Language) -> list[CardPart]:
    """What was wished for, in its order; our own things open here."""
    if not readings:
        return []
    return ["\n".join(reading_line(n, one, language) for n, one in enumerate(readings, start=1)), _opens(readings)]


def _next(steps: NextSteps, language: Language) -> list[CardPart]:
    """What to read and to solve next, and what to ask: a button each, where one fits."""
    readings = (*steps.readings, *([steps.problem] if steps.problem else []))
    lines = [f"-# {language('next.read')}{language('list.colon')}{_named(one, language)}" for one in steps.readings]
    if steps.problem:
        lines.append(f"-# {language('next.solve')}{language('list.colon')}{_named(steps.problem, language)}")
    asks = [
        Press(ASK_VERB, question, label=question)
        for question in steps.questions
        if "|" not in question and len(question) <= LONGEST_ASKED
    ]
    return ["\n".join(lines) or None, _opens(readings), row(*asks) if asks else None]


def _named(reading: Reading, language: Language) -> str:
    length = language.duration(reading.minutes)
    return " · ".join(part for part in (link(reading.title, reading.url, 100), length) if part)


def _opens(readings: Sequence[Reading]) -> CardPart:
    """Buttons for what has no address of its own: notes and problems open in Discord."""
    own = [one for one in readings if not one.url][:MOST_IN_A_ROW]
    return row(*(Press("open", short_id(one.resource_id), label=f"📖 {one.title}") for one in own)) if own else None


def _composed(sentences: tuple[Composed, ...]) -> str:
    return " ".join(f"{one_line(sentence.text, 600)} **[{sentence.citation}]**" for sentence in sentences)


def _excerpt(excerpt: Excerpt) -> str:
    """Return the excerpt as a quotation, its marked sentences bold; code in a fence."""
    source = f" **[{excerpt.citation}]**"
    if excerpt.kind == "code":
        return fence(excerpt.text, plain(excerpt.code_language)[:12], 1300) + source
    shown = "".join(_bold(part) if part.marked else plain(part.text) for part in excerpt.parts)
    return "\n".join(f"> {line}" for line in shown.splitlines() if line.strip()) + source


def _bold(part: Part) -> str:
    """Return the text in bold, line by line: Discord draws no bold across two lines of a quotation."""
    lines = plain(part.text).split("\n")
    return "\n".join(f"**{line.strip()}**" if line.strip() else line for line in lines)


def _sources(answer: Answer) -> str | None:
    return "\n".join(_source(citation, answer.definition) for citation in answer.citations) or None


def _source(citation: Citation, definition: Defined | None) -> str:
    """Where an excerpt stands; of a definition also what it can be checked in."""
    section = f" › {one_line(citation.below, 80)}" if citation.below else ""
    dated = f"{citation.lang}, {citation.snapshot_at:%Y-%m-%d}" if citation.snapshot_at else citation.lang
    line = f"-# [{citation.n}] {link(citation.title, citation.url, 90)}{section} ({dated})"
    if definition and citation.resource_id == definition.id:
        line += f" · {link(definition.source, definition.source_url, 90)}"
    return line


def reasons_card(question_id: str, language: Language) -> Card:
    """Return the card that asks why an answer did not help."""
    options = [(language(f"reason.{reason}"), reason, "") for reason in REASONS]
    return card(
        language("ask.reason"), row(Pick("reason", question_id, placeholder=language("ask.choose"), options=options))
    )
