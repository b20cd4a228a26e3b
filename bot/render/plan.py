"""A plan, one week a page, with menus to open and to tick off; and a review question before and after its answer."""

from __future__ import annotations

from bot.buttons import Pick, Press, Style, row
from bot.markup import clean, cut, link, one_line
from bot.render.card import Card, Part, Tone, card
from bot.render.readings import pager, short_id
from knowledge.plans import INTERVALS_DAYS, Plan, PlannedWeek, Question
from knowledge.plans.view import PlannedPart
from knowledge.words import Language


def plan_card(plan: Plan, page: int, owner: int, language: Language) -> Card:
    """The week of the page; only in the first week something can be ticked off, for later ones have not begun."""
    page = min(max(page, 0), len(plan.weeks) - 1)
    week = plan.weeks[page]
    facts = language("plan.facts", level=language(f"level.{plan.level}"), hours=plan.hours, day=plan.starts_on)
    return card(
        f"### {one_line(language('plan.title', goal=plan.goal.said))}\n-# {facts}",
        *[f"-# {one_line(language.say(remark), 300)}" for remark in plan.remarks()],
        None if plan.finished else _week(week, language),
        _open_menu(week, language),
        _done_menu(week, owner, language) if page == 0 else None,
        _buttons(plan, owner, language),
        pager("plan", page, len(plan.weeks), owner, language, per_page=1),
    )


def stop_card(owner: int, language: Language) -> Card:
    stop = Press("plan_stop_now", owner, label=language("plan.stop"), style=Style.danger)
    return card(language("plan.stop_sure"), row(stop), tone=Tone.BAD)


def question_card(question: Question, left: int, owner: int, language: Language, said: str = "") -> Card:
    """The answer waits behind a button; above it stands what became of the question before."""
    show = Press("review_open", owner, question.id, label=language("review.open"), style=Style.primary)
    return card(f"-# {said}" if said else None, *_question(question, left, language), row(show))


def answer_card(question: Question, left: int, owner: int, language: Language) -> Card:
    """Question and answer, and the two buttons with which members grade themselves."""
    readings = [
        Press("open", short_id(reading["resource_id"]), label=language("reading.open"))
        for reading in question.readings
        if not reading.get("url")
    ][:2]
    graded = (
        Press("review_right", owner, question.id, label=language("review.right"), style=Style.success),
        Press("review_wrong", owner, question.id, label=language("review.wrong")),
    )
    answer = "\n".join(line for line in (f"**{one_line(question.answer, 1200)}**", clean(question.more)) if line)
    if question.kind == "what":
        answer = clean(question.answer)
    links = [link(reading["title"], reading["url"]) for reading in question.readings if reading.get("url")]
    return card(*_question(question, left, language), answer, "\n".join(links), row(*graded, *readings))


def no_question_card(language: Language, said: str = "") -> Card:
    rule = language("review.rule", days=INTERVALS_DAYS[1:])
    return card(said, language("review.none"), f"-# {rule}", tone=Tone.QUIET)


def _week(week: PlannedWeek, language: Language) -> str:
    title = language("plan.week", n=week.number, start=week.starts_on, end=week.ends_on)
    lines = [f"**{title}** · {language.duration(week.minutes)}"]
    for n, part in enumerate(week.parts, start=1):
        reading = part.reading
        kind = language.word("kind", reading.kind)
        lines.append(f"{n}\\. {link(reading.title, reading.url, 90)} · {kind} · {_time(part, language)}")
    if not week.parts:
        lines.append(language("plan.rest"))
    if week.questions:
        lines.append(f"↻ {language('plan.questions', n=week.questions)}")
    return "\n".join(lines)


def _time(part: PlannedPart, language: Language) -> str:
    time = language.duration(part.minutes)
    return time if part.whole else language("plan.part", part=time, all=language.duration(part.reached + part.left))


def _open_menu(week: PlannedWeek, language: Language) -> Part:
    """Our own notes and problems; pages have links."""
    options = [
        (part.reading.title, short_id(part.reading.resource_id), language.word("kind", part.reading.kind))
        for part in week.parts
        if not part.reading.url
    ]
    return row(Pick("open", placeholder=language("plan.open"), options=options)) if options else None


def _done_menu(week: PlannedWeek, owner: int, language: Language) -> Part:
    """What was read, and parts of what is longer than a week; problems are solved by handing in."""
    options = []
    for part in week.parts:
        reading = part.reading
        if part.left:
            options.append(
                (reading.title, f"{part.reached}|{short_id(reading.resource_id)}", language("plan.part_done"))
            )
        elif reading.kind != "problem":
            options.append((reading.title, f"0|{short_id(reading.resource_id)}", _time(part, language)))
    return row(Pick("plan_done", owner, placeholder=language("plan.done_menu"), options=options)) if options else None


def _buttons(plan: Plan, owner: int, language: Language) -> Part:
    first = plan.weeks[0]
    pause = (
        Press("plan_resume", owner, label=language("plan.resume"))
        if plan.pauses_until
        else Press("plan_skip", owner, first.starts_on, label=language("plan.skip"), disabled=plan.finished)
    )
    return row(
        Press("review", owner, label=language("plan.review", n=plan.due), style=Style.primary, disabled=not plan.due),
        pause,
        Press("plan_stop", owner, label=language("plan.stop"), style=Style.danger),
    )


def _question(question: Question, left: int, language: Language) -> list[Part]:
    code = "\n".join(f"{number:4} {text}" for number, text in question.code)
    return [
        f"### {one_line(language.say(question.ask), 300)}",
        clean(question.text),
        f"```cuda\n{cut(code.replace('```', ''), 1200)}\n```" if code else None,
        f"-# {language('plan.due', n=left)}",
    ]
