"""`warpmate plan`: weeks of readings, problems and review questions that lead to a goal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

import typer

from knowledge.errors import NotFound
from knowledge.plans import INTERVALS_DAYS, Plan, PlannedWeek, Plans, Question
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language
from warpmate.options import AsJson, Lang, Server, Whose, default_member, language_named
from warpmate.remote.chosen import chosen_server
from warpmate.remote.plans import RemotePlans
from warpmate.remote.profiles import read_profiles
from warpmate.remote.server import Server as RemoteServer
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

HERE = Scope()
Result = TypeVar("Result")
Hours = Annotated[int, typer.Argument(min=1, max=40, help="Hours that you have in a week.")]
Item = Annotated[str, typer.Argument(help="Id of a reading that is longer than a week.")]
plan = typer.Typer(help="A plan by the week: readings, problems, review questions.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(plan, name="plan")


@plan.command()
def start(
    context: typer.Context,
    goal: Annotated[
        str,
        typer.Argument(
            help="A topic (the path to it), topic:NAME (the topic alone) or a problem, by any usual name."
        ),
    ],
    hours: Annotated[int, typer.Option("--hours", min=1, max=40, help="Hours that you have in a week.")] = 3,
    level: Annotated[
        str | None, typer.Option("--level", help="What you are at home with; else as estimated.")
    ] = None,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Make a plan, in place of the present one. What you have read and solved is left out."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _show(_with(at, lambda plans: plans.start(HERE, who, goal, hours, level, lang)), who, lang, json)


@plan.command()
def show(
    context: typer.Context, member: Whose = None, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """The plan from this week on. What was read or solved is out of it, what was not done has moved on."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    found = _with(at, lambda plans: plans.look(HERE, who, lang))
    if found is None and not json:
        say(language_named(lang)("plan.none_yet"))
    elif found is None:
        raise NotFound("error.plan.none")
    else:
        _show(found, who, lang, json)


@plan.command()
def hours(
    context: typer.Context,
    hours: Hours,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Change the hours of a week."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _show(_with(at, lambda plans: plans.set_hours(HERE, who, hours, lang)), who, lang, json)


@plan.command()
def skip(
    context: typer.Context, member: Whose = None, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """Leave the next week of the plan out. Everything moves on by one week."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _show(_with(at, lambda plans: plans.skip(HERE, who, lang=lang)), who, lang, json)


@plan.command()
def resume(
    context: typer.Context, member: Whose = None, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """Go on this week although it was skipped."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _show(_with(at, lambda plans: plans.resume(HERE, who, lang)), who, lang, json)


@plan.command()
def part(
    context: typer.Context,
    item: Item,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Note that the next part of ITEM is done. The rest of it stays in later weeks."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _show(_with(at, lambda plans: _sit(plans, who, item, lang)), who, lang, json)


@plan.command()
def stop(
    context: typer.Context, member: Whose = None, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """Stop the plan. What was read and solved stays."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    _with(at, lambda plans: plans.stop(who))
    if json:
        as_json({"member": who, "stopped": True})
    else:
        say(language_named(lang)("plan.stopped"))


@plan.command()
def review(
    context: typer.Context, member: Whose = None, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """Answer the review questions that are due. With --json they are listed, answers included, and none is asked."""
    at = _reached(context.obj, server, member, lang)
    who, language = at.who(member), language_named(lang)
    questions = _with(at, lambda plans: plans.reviews.due(who, lang))
    if json:
        as_json({"member": who, "questions": [question.as_json(lang) for question in questions]})
        return
    if not questions:
        say(language("review.none"))
    for n, question in enumerate(questions, start=1):
        right = _asked(question, f"{n}/{len(questions)}", language)
        _tell_due(at, who, question.id, right, language)
    say(language("review.rule", days=INTERVALS_DAYS[1:]))


@plan.command()
def answer(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="Id of a question that is due, for instance term:warp.")],
    right: Annotated[bool, typer.Option("--right/--wrong", help="How you did.")],
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Note how you did with one review question."""
    at = _reached(context.obj, server, member, lang)
    who = at.who(member)
    if not json:
        _tell_due(at, who, question, right, language_named(lang))
        return
    due = _with(at, lambda plans: plans.reviews.answer(who, question, right))
    as_json({"member": who, "question": question, "due": due.isoformat() if due else None})


@dataclass(frozen=True, slots=True)
class _Reached:
    """Where the plan is: on this machine, or on a server."""

    settings: Settings
    server: RemoteServer | None

    def who(self, member: str | None) -> str:
        """Return whose plan it is, as far as that is known here."""
        if self.server is None:
            return member or default_member()
        login = read_profiles(self.settings.data_dir).logins.get(self.server.address.url)
        return login.member if login else ""


def _reached(settings: Settings, server: str | None, member: str | None, lang: str) -> _Reached:
    return _Reached(settings, chosen_server(settings, server, lang, member))


def _with(at: _Reached, work: Callable[[Plans | RemotePlans], Awaitable[Result]]) -> Result:
    async def done() -> Result:
        if at.server is not None:
            return await work(RemotePlans(at.server))
        async with open_core(at.settings) as core:
            return await work(core.plans)

    return asyncio.run(done())


async def _sit(plans: Plans | RemotePlans, member: str, item: str, lang: str) -> Plan:
    found = await plans.look(HERE, member, lang)
    parts = (part for week in (found.weeks if found else ()) for part in week.parts)
    reached = next((part.reached for part in parts if part.reading.resource_id == item), 0)
    return await plans.sit(HERE, member, item, reached, lang)


def _show(found: Plan, member: str, lang: str, json: bool) -> None:
    if json:
        as_json(found.as_json())
        return
    language = language_named(lang)
    say(language("plan.title", goal=found.goal.said))
    say(language("plan.facts", level=language.word("level", found.level), hours=found.hours, day=found.starts_on))
    for remark in found.remarks():
        say(language.say(remark))
    for week in found.weeks if not found.finished else ():
        _show_week(week, language)
    say("\n" + language("plan.how", member=member))


def _show_week(week: PlannedWeek, language: Language) -> None:
    heading = language("plan.week", n=week.number, start=week.starts_on, end=week.ends_on)
    say(f"\n{heading} · {language.duration(week.minutes)}")
    for part in week.parts:
        reading = part.reading
        time = language.duration(part.minutes)
        if not part.whole:
            time = language("plan.part", part=time, all=language.duration(part.reached + part.left))
        say(f"  {reading.title} · {language.word('kind', reading.kind)} · {time}")
        say(f"    {reading.url or reading.resource_id}")
    if not week.parts:
        say(f"  {language('plan.rest')}")
    if week.questions:
        say(f"  {language('plan.questions', n=week.questions)}")


def _asked(question: Question, place: str, language: Language) -> bool:
    """Ask, wait, show the answer, and let the member say how they did."""
    say(f"\n[{place}] {language.say(question.ask)}")
    for line in (question.text, *(f"{number:4} {text}" for number, text in question.code)):
        if line:
            say(line)
    typer.prompt(language("plan.press"), default="", show_default=False)
    say(f"{question.answer}\n{question.more}".rstrip())
    for reading in question.readings:
        say(f"  {reading.get('title', '')} {reading.get('url') or reading['resource_id']}".rstrip())
    return typer.confirm(language("plan.knew"))


def _tell_due(at: _Reached, member: str, question: str, right: bool, language: Language) -> None:
    due = _with(at, lambda plans: plans.reviews.answer(member, question, right))
    say(language("review.again", day=due) if due else language("review.known"))
