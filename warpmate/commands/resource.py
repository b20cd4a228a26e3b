"""`warpmate resource`: what members add to the library, what moderators decide, the list of it all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from knowledge.catalogue import Catalogue, Edit, Item, as_markdown
from knowledge.errors import BadInput
from knowledge.library.contents import Contents, contents_of
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language, Message
from warpmate.options import AsJson, Lang, default_member, language_named
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

Found = TypeVar("Found")
Name = Annotated[str, typer.Argument(help="Id, address, or a part of the title that fits one only.")]
Guild = Annotated[
    str | None, typer.Option("--guild", help="The library of this Discord server; else the one that all share.")
]
Title = Annotated[str | None, typer.Option("--title", help="What to call it.")]
Level = Annotated[str | None, typer.Option("--level", help="beginner, intermediate or advanced.")]
Topics = Annotated[
    list[str] | None,
    typer.Option("--topic", help="What it is about, by any name; repeatable. An empty one takes all away."),
]
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
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Suggest a page. It waits until a moderator approves it."""
    stated = Edit(title, level, _topics(topic), minutes)
    who = member or default_member()
    added = _with(
        context.obj, lambda library: library.add(Scope(guild_id=guild), who, url, approved=approved, stated=stated)
    )
    remark = Message("resource.added") if approved else Message("resource.waits", id=added.id)
    _tell(added, json, remark, lang)


@resource.command("list")
def list_(
    context: typer.Context,
    topic: Annotated[str | None, typer.Option("--topic", help="Of this topic only.")] = None,
    state: Annotated[State, typer.Option("--state", help="In this state.")] = State.APPROVED,
    guild: Guild = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """The library's resources, easiest first."""
    found = _with(context.obj, lambda library: library.listed(Scope(guild_id=guild), topic, lang, state=state.value))
    if json:
        as_json({"resources": [one.as_json(lang) for one in found]})
        return
    language = language_named(lang)
    rows = [
        (
            language.word("level", one.stated_level or ""),
            f"{one.title(lang)}\n{one.url or one.id}",
            one.lang,
            ", ".join(one.topics),
            language.word("link", one.link_state),
        )
        for one in found
    ]
    headings = ("level", "title", "language", "topics", "link")
    table("", tuple(language(f"resource.{each}") for each in headings), rows)


@resource.command()
def info(context: typer.Context, name: Name, guild: Guild = None, lang: Lang = ENGLISH, json: AsJson = False) -> None:
    """What is known of one resource. Its sections, its kernels and what the compiler says of each."""
    scope = Scope(guild_id=guild)

    async def found(library: Catalogue) -> tuple[Item, Contents]:
        one = await library.info(scope, name, lang)
        return one, await contents_of(library.store, scope, one.id, lang)

    one, contents = _with(context.obj, found)
    if json:
        as_json(one.as_json(lang) | contents.as_json())
        return
    _tell(one, json, one.summary(lang) or Message("resource.no_summary"), lang)
    _show_contents(contents, language_named(lang))


@resource.command()
def approve(
    context: typer.Context, name: Name, guild: Guild = None, lang: Lang = ENGLISH, json: AsJson = False
) -> None:
    """Take a suggestion into the library. Also brings back what was removed."""
    decided = _decided(
        context.obj, name, guild, lambda library, scope, id_: library.decide(scope, id_, approved=True)
    )
    _tell(decided, json, Message("resource.fetched_next"), lang)


@resource.command()
def edit(
    context: typer.Context,
    name: Name,
    title: Title = None,
    level: Level = None,
    topic: Topics = None,
    minutes: Minutes = None,
    guild: Guild = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """State title, level, topics or minutes. Later crawls keep to it."""
    change = Edit(title, level, _topics(topic), minutes)
    _tell(
        _decided(context.obj, name, guild, lambda library, scope, id_: library.edit(scope, id_, change)),
        json,
        Message("resource.edited"),
        lang,
    )


@resource.command()
def remove(
    context: typer.Context, name: Name, guild: Guild = None, lang: Lang = ENGLISH, json: AsJson = False
) -> None:
    """Take a resource out. Answers stop quoting it with the next `warpmate index build`."""
    decided = _decided(context.obj, name, guild, lambda library, scope, one: library.remove(scope, one))
    _tell(decided, json, Message("resource.until_build"), lang)


@resource.command()
def export(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to; else standard output.", dir_okay=False)] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="Of this topic only.")] = None,
    guild: Guild = None,
    lang: Lang = ENGLISH,
) -> None:
    """The list as Markdown, as `warpmate index import` reads it."""
    found = _with(context.obj, lambda library: library.listed(Scope(guild_id=guild), topic, lang))
    language = language_named(lang)
    text = as_markdown(found, lang)
    if file is None:
        say(text.rstrip("\n"))
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput("error.file.not_written", file=file, reason=error.strerror) from None
    say(language("resource.exported", n=sum(1 for one in found if one.url), file=file))


def _with(settings: Settings, work: Callable[[Catalogue], Awaitable[Found]]) -> Found:
    async def opened() -> Found:
        async with open_core(settings) as core:
            return await work(Catalogue(core.store, core.content))

    return asyncio.run(opened())


def _decided(
    settings: Settings, name: str, guild: str | None, decide: Callable[[Catalogue, Scope, str], Awaitable[Item]]
) -> Item:
    scope = Scope(guild_id=guild)

    async def work(library: Catalogue) -> Item:
        return await decide(library, scope, (await library.info(scope, name)).id)

    return _with(settings, work)


def _topics(named: list[str] | None) -> tuple[str, ...] | None:
    """Return the named topics without empty names, so that a single empty one takes all topics away."""
    return None if named is None else tuple(topic for topic in named if topic.strip())


def _tell(one: Item, json: bool, remark: Message | str, lang: str) -> None:
    if json:
        as_json(one.as_json(lang))
        return
    language = language_named(lang)
    facts = [
        language.word("level", one.stated_level) if one.stated_level else "",
        one.lang,
        language.word("kind", one.kind),
        language.duration(one.minutes),
        *one.topics,
    ]
    state = language("resource.state", state=language.word("resource_state", one.state), remark=remark)
    say(f"{one.title(lang)}\n{one.url or one.id}\n{language.listed([fact for fact in facts if fact])}\n{state}")


def _show_contents(contents: Contents, language: Language) -> None:
    for section in contents.sections:
        say(f"{'  ' * section.depth}{section.title}")
    if contents.snippets:
        rows = [
            (
                one.description or one.name,
                one.section,
                one.check.text(language.code) or language("resource.unchecked"),
            )
            for one in contents.snippets
        ]
        table("", tuple(language(f"resource.{each}") for each in ("kernel", "section", "compiler")), rows)
