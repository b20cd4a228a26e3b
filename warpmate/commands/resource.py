"""`warpmate resource`: what members add to the library, what moderators decide, the list of it all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from knowledge.contribute import Edit, Listed, SharedLibrary, as_markdown
from knowledge.errors import BadInput
from knowledge.library.contents import Contents, contents_of
from knowledge.store import Scope
from knowledge.wording import LEVELS, LINKS, said
from warpmate.house import open_house
from warpmate.options import AsJson, Lang, Language, default_member
from warpmate.render import as_json, say, table
from warpmate.settings import Settings

Found = TypeVar("Found")
HEADINGS = {
    Lang.EN: ("level", "title", "language", "topics", "link"),
    Lang.ZH: ("级别", "标题", "语言", "主题", "链接"),
}
KERNELS = {Lang.EN: ("kernel", "section", "compiler"), Lang.ZH: ("核函数", "章节", "编译器")}
Name = Annotated[str, typer.Argument(help="Id, address, or a part of the title that fits one only.")]
Guild = Annotated[
    str | None, typer.Option("--guild", help="The library of this Discord server; else the one that all share.")
]
Title = Annotated[str | None, typer.Option("--title", help="What to call it.")]
Level = Annotated[str | None, typer.Option("--level", help="beginner, intermediate or advanced.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="What it is about, by any name; repeatable.")]
Minutes = Annotated[int | None, typer.Option("--minutes", help="How long it takes.")]


class State(StrEnum):
    APPROVED = "approved"
    PENDING = "pending"
    REMOVED = "removed"


resource = typer.Typer(help="What members add to the library, and what moderators decide.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(resource, name="resource")


@resource.command()
def add(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="Address of the page.")],
    title: Title = None,
    level: Level = None,
    topic: Topics = None,
    minutes: Minutes = None,
    member: Annotated[str | None, typer.Option("--member", help="Who suggests it; else you.")] = None,
    approved: Annotated[bool, typer.Option("--approved", help="Without waiting for a moderator.")] = False,
    guild: Guild = None,
    json: AsJson = False,
) -> None:
    """Suggest a page. It waits until a moderator approves it."""
    stated = Edit(title, level, tuple(topic) if topic else None, minutes)
    who = member or default_member()
    added = _with(
        context.obj, lambda library: library.add(Scope(guild_id=guild), who, url, approved=approved, stated=stated)
    )
    _tell(added, json, "added" if approved else f"waits for approval: warpmate resource approve {added.id}")


@resource.command("list")
def list_(
    context: typer.Context,
    topic: Annotated[str | None, typer.Option("--topic", help="Of this topic only.")] = None,
    state: Annotated[State, typer.Option("--state", help="In this state.")] = State.APPROVED,
    guild: Guild = None,
    lang: Language = Lang.EN,
    json: AsJson = False,
) -> None:
    """The library's resources, easiest first."""
    found = _with(
        context.obj, lambda library: library.listed(Scope(guild_id=guild), topic, lang.value, state=state.value)
    )
    if json:
        as_json({"resources": [one.as_json() for one in found]})
        return
    rows = [
        (
            said(LEVELS, one.level or "", lang.value),
            f"{one.title}\n{one.url or one.id}",
            one.lang,
            ", ".join(one.topics),
            said(LINKS, one.link_state, lang.value),
        )
        for one in found
    ]
    table("", HEADINGS[lang], rows)


@resource.command()
def info(
    context: typer.Context, name: Name, guild: Guild = None, lang: Language = Lang.EN, json: AsJson = False
) -> None:
    """What is known of one resource. Its sections, its kernels and what the compiler says of each."""
    scope = Scope(guild_id=guild)

    async def found(library: SharedLibrary) -> tuple[Listed, Contents]:
        one = await library.info(scope, name, lang.value)
        return one, await contents_of(library.store, scope, one.id, lang.value)

    one, contents = _with(context.obj, found)
    if json:
        as_json(one.as_json() | contents.as_json())
        return
    _tell(one, json, one.summary or "no summary yet")
    _show_contents(contents, lang)


@resource.command()
def approve(context: typer.Context, name: Name, guild: Guild = None, json: AsJson = False) -> None:
    """Take a suggestion into the library. Also brings back what was removed."""
    decided = _decided(
        context.obj, name, guild, lambda library, scope, id_: library.decide(scope, id_, approved=True)
    )
    _tell(decided, json, "approved; the indexer fetches it, or do it now: warpmate index refresh")


@resource.command()
def edit(
    context: typer.Context,
    name: Name,
    title: Title = None,
    level: Level = None,
    topic: Topics = None,
    minutes: Minutes = None,
    guild: Guild = None,
    json: AsJson = False,
) -> None:
    """State title, level, topics or minutes. Later crawls keep to it."""
    change = Edit(title, level, tuple(topic) if topic else None, minutes)
    _tell(
        _decided(context.obj, name, guild, lambda library, scope, id_: library.edit(scope, id_, change)),
        json,
        "edited",
    )


@resource.command()
def remove(context: typer.Context, name: Name, guild: Guild = None, json: AsJson = False) -> None:
    """Take a resource out. Answers stop quoting it with the next `warpmate index build`."""
    decided = _decided(context.obj, name, guild, lambda library, scope, one: library.remove(scope, one))
    _tell(decided, json, "answers stop quoting it with the next warpmate index build")


@resource.command()
def export(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to; else standard output.", dir_okay=False)] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="Of this topic only.")] = None,
    guild: Guild = None,
    lang: Language = Lang.EN,
) -> None:
    """The list as Markdown, as `warpmate index import` reads it."""
    found = _with(context.obj, lambda library: library.listed(Scope(guild_id=guild), topic, lang.value))
    text = as_markdown(found, "阅读清单" if lang is Lang.ZH else "Reading list")
    if file is None:
        say(text.rstrip("\n"))
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}") from None
    say(f"{sum(1 for one in found if one.url)} resources are in {file}")


def _with(settings: Settings, work: Callable[[SharedLibrary], Awaitable[Found]]) -> Found:
    async def opened() -> Found:
        async with open_house(settings) as house:
            return await work(SharedLibrary(house.store, house.content))

    return asyncio.run(opened())


def _decided(
    settings: Settings, name: str, guild: str | None, decide: Callable[[SharedLibrary, Scope, str], Awaitable[Listed]]
) -> Listed:
    scope = Scope(guild_id=guild)

    async def work(library: SharedLibrary) -> Listed:
        return await decide(library, scope, (await library.info(scope, name)).id)

    return _with(settings, work)


def _tell(one: Listed, json: bool, remark: str) -> None:
    if json:
        as_json(one.as_json())
        return
    facts = [one.level, one.lang, one.kind, f"{one.minutes} min" if one.minutes else None, *one.topics]
    say(f"{one.title}\n{one.url or one.id}\n{', '.join(fact for fact in facts if fact)}\n{one.state}: {remark}")


def _show_contents(contents: Contents, lang: Lang) -> None:
    for section in contents.sections:
        say(f"{'  ' * section.depth}{section.title}")
    if contents.snippets:
        unchecked = "尚未编译" if lang is Lang.ZH else "not compiled yet"
        table(
            "",
            KERNELS[lang],
            [
                (one.description or one.name, one.section, one.check.said(lang.value) or unchecked)
                for one in contents.snippets
            ],
        )
