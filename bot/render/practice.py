"""Hints that open one by one, the worked explanation step by step, and the question before giving up."""

from __future__ import annotations

from bot.buttons import Pick, Press, Style, row
from bot.markup import clean, link, one_line
from bot.render.card import Card, Part, Tone, Upload, card, with_file
from bot.render.readings import short_id
from knowledge.content import ProblemCard
from knowledge.errors import NotFound
from knowledge.practice import Editorial, HintsOpened, MeasuredStep
from knowledge.words import Language


def hints_card(problem: ProblemCard, found: HintsOpened, language: Language) -> Card:
    """All open hints in their order, and the button to the next one."""
    if not found.hints:
        raise NotFound("error.hint.none")
    parts = [
        f"**{language('hint.number', n=n, all=found.hints)} · {one_line(hint.title)}**\n{clean(hint.text)}"
        for n, hint in enumerate(found.opened, start=1)
    ]
    said = "hint.none_open" if not found.opened else "" if found.next_number else "hint.all_open"
    buttons = [Press("editorial", problem.slug, label=language("editorial.read"))]
    if number := found.next_number:
        label = language("hint.open", n=number, all=found.hints)
        buttons.insert(0, Press("hint", problem.slug, number, label=label, style=Style.primary))
    return card(
        f"### {one_line(language('hint.title', title=problem.title))}",
        *parts,
        language(said) if said else None,
        row(*buttons),
    )


def give_up_card(problem: ProblemCard, language: Language) -> Card:
    """Ask before the explanation opens for somebody who has not solved the problem."""
    return card(
        language("editorial.ask_to_give_up", title=problem.title),
        row(
            Press("give_up", problem.slug, label=language("editorial.give_up"), style=Style.danger),
            Press("hints", problem.slug, label=language("practice.hints")),
            Press("problem", problem.slug, label=language("practice.again")),
        ),
        tone=Tone.WARN,
    )


def editorial_card(problem: ProblemCard, found: Editorial, number: int, language: Language) -> Card:
    """One step with its figures, and the ways to the others; a number beyond the ends shows the nearest."""
    last = len(found.steps) - 1
    number = min(max(number, 0), last)
    here = found.steps[number]
    title = one_line(language("editorial.of_problem", title=problem.title))
    buttons = [
        Press("editorial_step", problem.slug, number - 1, label="‹", disabled=number == 0),
        Press("editorial_step", problem.slug, number + 1, label="›", disabled=number == last, style=Style.primary),
    ]
    if here.source:
        buttons.append(Press("editorial_code", problem.slug, number, label=language("editorial.code")))
    return card(
        f"### {title}\n-# {language('practice.step', n=number + 1, all=last + 1)}",
        f"**{one_line(here.step.title)}**\n{clean(here.step.text)}",
        _figures(here, language),
        _links(here, language),
        f"-# {one_line(language.say(found.measured_on))}",
        _notes(here, language),
        row(*buttons),
    )


def code_of_step_card(found: Editorial, number: int) -> Card:
    """The solution of a step as a file."""
    here = found.steps[min(max(number, 0), len(found.steps) - 1)]
    made = card(f"**{one_line(here.step.title)}** · `{here.step.measured}.cu`")
    return with_file(made, Upload(f"{here.step.measured}.cu", here.source.encode()))


def _figures(here: MeasuredStep, language: Language) -> str:
    lines = [f"⏱ {one_line(language.say(shape.message))}" for shape in here.figures]
    if here.launched:
        lines.append(f"🧮 {one_line(language.say(here.launched))}")
    if here.compared:
        lines.append(f"⏱ **{language.say(here.compared)}**")
    return "\n".join(lines)


def _links(here: MeasuredStep, language: Language) -> str | None:
    """Readings that stand elsewhere."""
    named = [link(reading.title, reading.url) for reading in here.readings if reading.url]
    return f"**{language('editorial.readings')}**\n{language.listed(named)}" if named else None


def _notes(here: MeasuredStep, language: Language) -> Part:
    """Readings of our own, which open here."""
    own = [reading for reading in here.readings if not reading.url]
    options = [(one.title, short_id(one.resource_id), language.word("kind", one.kind)) for one in own]
    return row(Pick("open", placeholder=language("editorial.readings"), options=options)) if options else None
