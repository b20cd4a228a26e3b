"""`warpmate hint` and `warpmate editorial`: help with a problem that opens bit by bit."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import typer

from knowledge.content import ProblemCard
from knowledge.content.shared_types import Words
from knowledge.errors import NotAllowed, NotFound
from knowledge.practice import Editorial, HintsOpened, MeasuredStep
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language
from warpmate.options import AsJson, Lang, Server, Whose, default_member, language_named
from warpmate.remote.chosen import chosen_server
from warpmate.remote.server import Server as RemoteServer
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.wiring.core import Core, open_core

Slug = Annotated[str, typer.Argument(help="For instance vector_add.")]


def register(app: typer.Typer) -> None:
    app.command()(hint)
    app.command()(editorial)


def hint(
    context: typer.Context,
    slug: Slug,
    number: Annotated[
        int | None, typer.Option("--number", min=1, help="This hint, if it is open or the next; else the next.")
    ] = None,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Open the next hint of a problem. Each says more than the one before; all that are open are shown."""
    there = chosen_server(context.obj, server, lang, member)
    if there:
        title, found = asyncio.run(_open_hint_there(there, slug, number, lang))
    else:
        title, found = asyncio.run(_open_hint(context.obj, member or default_member(), slug, number, lang))
    if json:
        as_json({"problem": slug, **found.as_json()})
        return
    language = language_named(lang)
    say(language("hint.title", title=title))
    for n, one in enumerate(found.opened, start=1):
        say(f"\n{language('hint.number', n=n, all=found.hints)} · {one.title}\n\n{one.text}")
    after = "practice.more" if found.next_number else "practice.editorial"
    say("\n" + language(after, slug=slug))


def editorial(
    context: typer.Context,
    slug: Slug,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Give the problem up without being asked, and show it.")
    ] = False,
    code: Annotated[bool, typer.Option("--code", help="Print the code of each step as well.")] = False,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """From the first idea to the best solution of a problem. It opens once the problem is solved or given up."""
    there, who = chosen_server(context.obj, server, lang, member), member or default_member()

    async def looked_up(*, give_up: bool) -> tuple[str, Editorial | None]:
        if there:
            return await _editorial_there(there, slug, lang, give_up=give_up)
        return await _editorial(context.obj, who, slug, lang, give_up=give_up)

    title, found = asyncio.run(looked_up(give_up=give_up))
    if found is None:
        if json or not typer.get_text_stream("stdin").isatty():
            raise NotAllowed("error.editorial.closed_in_terminal", name=slug)
        if not typer.confirm(language_named(lang)("editorial.ask_to_give_up", title=title)):
            raise typer.Exit(1)
        _, found = asyncio.run(looked_up(give_up=True))
    assert found is not None  # noqa: S101  it was given up
    if json:
        as_json(found.as_json())
        return
    language = language_named(lang)
    say(language("editorial.of_problem", title=title))
    for n, one in enumerate(found.steps, start=1):
        _show(n, one, language, code=code)
    say("\n" + language.say(found.measured_on))


async def _open_hint(
    settings: Settings, member: str, slug: str, number: int | None, lang: str
) -> tuple[str, HintsOpened]:
    """Return the problem's title with the hints."""
    async with open_core(settings) as core:
        return _card(core, slug).title.text(lang), await core.practice.open_hint(member, slug, number, lang)


async def _open_hint_there(server: RemoteServer, slug: str, number: int | None, lang: str) -> tuple[str, HintsOpened]:
    body = {"lang": lang} | ({"number": number} if number else {})
    found = await server.whole(HintsOpened, "POST", f"problems/{slug}/hints", body)
    return await _title_there(server, slug), found


async def _editorial_there(
    server: RemoteServer, slug: str, lang: str, *, give_up: bool
) -> tuple[str, Editorial | None]:
    if give_up:
        await server.json("POST", f"problems/{slug}/give-up", {"lang": lang})
    shape: Any = Editorial | None
    found: Editorial | None = await server.whole(shape, "GET", f"problems/{slug}/editorial", lang=lang)
    return await _title_there(server, slug), found


async def _title_there(server: RemoteServer, slug: str) -> str:
    title = server.shaped(Words, (await server.json("GET", f"problems/{slug}")).get("title"))
    return str(title.text(server.lang))


async def _editorial(
    settings: Settings, member: str, slug: str, lang: str, *, give_up: bool
) -> tuple[str, Editorial | None]:
    """Return the problem's title with its explanation; None where that is not open for the member."""
    async with open_core(settings) as core:
        title = _card(core, slug).title.text(lang)
        if give_up:
            await core.practice.give_up(member, slug)
        if not (await core.practice.hints(member, slug, lang)).editorial_open:
            return title, None
        return title, await core.practice.editorial(Scope(), member, slug, lang)


def _card(core: Core, slug: str) -> ProblemCard:
    for card in core.content.problems:
        if card.slug == slug:
            return card
    raise NotFound("error.problem.unknown_in_terminal", name=slug)


def _show(number: int, one: MeasuredStep, language: Language, *, code: bool) -> None:
    said = [f"\n{number}. {one.step.title}\n\n{one.step.text}\n"]
    said += [f"    {language.say(shape.message)}" for shape in one.figures]
    said += [f"    {language.say(line)}" for line in (one.launched, one.compared) if line]
    said += [f"    → {reading.title}  {reading.url or reading.resource_id}" for reading in one.readings]
    say("\n".join(said))
    if code and one.source:
        say(f"\n```cuda\n{one.source}```")
