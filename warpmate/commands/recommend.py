"""`warpmate recommend`, `path`, `remember` and `progress`: what to read next, in which order, for whom."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from knowledge.content import Topics
from knowledge.readings import Reading
from knowledge.recommend import EVENTS, Recommendation, Way
from knowledge.recommend.service import Standing, event_named
from knowledge.store import Scope
from knowledge.wording import LEVELS, said
from warpmate.house import open_house
from warpmate.options import AsJson, Lang, Language, Member
from warpmate.render import as_json, say, table
from warpmate.settings import Settings

HEADINGS = {
    Lang.EN: ("#", "what", "level", "language", "minutes", "why"),
    Lang.ZH: ("#", "内容", "级别", "语言", "分钟", "理由"),
}
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind: note, article, video, problem …")]
OnlyLang = Annotated[Lang | None, typer.Option("--only-lang", help="Only items in this language.")]
Minutes = Annotated[int | None, typer.Option("--minutes", min=1, help="Minutes at hand for all of it.")]


def register(app: typer.Typer) -> None:
    app.command()(recommend)
    app.command()(path)
    app.command()(remember)
    app.command()(progress)


def recommend(
    context: typer.Context,
    level: Annotated[str, typer.Argument(help="beginner, intermediate or advanced.")],
    topic: Annotated[
        str, typer.Argument(help="Any name of a topic, for instance cuda, 共享内存 or 'bank conflicts'.")
    ],
    lang: Language = Lang.EN,
    member: Member = None,
    kind: Kinds = None,
    only_lang: OnlyLang = None,
    minutes: Minutes = None,
    stretch: Annotated[bool, typer.Option("--stretch", help="Include stretch tasks.")] = False,
    json: AsJson = False,
) -> None:
    """Up to five readings, in the order to read them. On TOPIC, at LEVEL, each with the reason why."""
    found = asyncio.run(
        _recommend(
            context.obj, level, topic, lang, member,
            kinds=frozenset(kind or ()), only_lang=only_lang, minutes=minutes, stretch=stretch,
        )
    )  # fmt: skip
    if json:
        as_json(found.as_json())
        return
    _show(found.items, lang)
    for remark in found.remarks:
        say(remark.text(lang))


def path(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(help="Where the path leads.")],
    lang: Language = Lang.EN,
    member: Member = None,
    json: AsJson = False,
) -> None:
    """The ordered way to a topic. Everything it rests on, then the topic itself from easy to hard."""
    way, topics = asyncio.run(_path(context.obj, topic, lang, member))
    if json:
        as_json(way.as_json())
    else:
        _show_tree(way, topics, lang)


def remember(
    context: typer.Context,
    event: Annotated[str, typer.Argument(help=f"One of {', '.join(EVENTS)}.")],
    item: Annotated[str, typer.Argument(help="Id of a reading, for instance note:coalescing.")],
    member: Annotated[str, typer.Option("--member", help="For this member, for instance local:ada.")],
    json: AsJson = False,
) -> None:
    """Tell what became of a reading. It shapes what is recommended next."""
    asyncio.run(_remember(context.obj, member, item, event))
    if json:
        as_json({"member": member, "item": item, "event": event})
    else:
        say(f"Remembered: {item} is {event.replace('_', ' ')}.")


def progress(
    context: typer.Context,
    member: Annotated[str, typer.Option("--member", help="Whose progress.")],
    lang: Language = Lang.EN,
    json: AsJson = False,
) -> None:
    """Where a member stands, topic by topic."""
    standings = asyncio.run(_progress(context.obj, member))
    if json:
        as_json({"member": member, "topics": [_standing_json(standing) for standing in standings]})
        return
    if not standings:
        say(f"关于 {member} 还没有任何记录。" if lang is Lang.ZH else f"Nothing is remembered about {member} yet.")
        return
    headings = ("topic", "level", "done") if lang is Lang.EN else ("主题", "级别", "完成")
    table("", headings, [_standing_row(standing, lang) for standing in standings])


async def _recommend(
    settings: Settings, level: str, topic: str, lang: Lang, member: str | None, **options: object
) -> Recommendation:
    async with open_house(settings) as house:
        request = house.recommender.parse(level, topic, lang.value, **options)
        return await house.recommender.recommend(Scope(), request, member)


async def _path(settings: Settings, topic: str, lang: Lang, member: str | None) -> tuple[Way, Topics]:
    async with open_house(settings) as house:
        return await house.recommender.path(Scope(), topic, lang.value, member), house.content.topics


async def _remember(settings: Settings, member: str, item: str, event: str) -> None:
    async with open_house(settings) as house:
        await house.recommender.remember(Scope(), member, item, event_named(event))


async def _progress(settings: Settings, member: str) -> tuple[Standing, ...]:
    async with open_house(settings) as house:
        return await house.recommender.progress(Scope(), member)


def _standing_row(standing: Standing, lang: Lang) -> tuple[str, str, str]:
    """The star: the member chose this level."""
    title = standing.title_zh if lang is Lang.ZH else standing.title_en
    level = said(LEVELS, standing.level, lang.value) if standing.level else "-"
    return title, level + " *" * standing.set_by_member, f"{standing.done}/{standing.available}"


def _standing_json(standing: Standing) -> dict[str, object]:
    return {
        "topic": standing.topic,
        "level": standing.level,
        "set_by_member": standing.set_by_member,
        "done": standing.done,
        "available": standing.available,
    }


def _show(items: tuple[Reading, ...], lang: Lang) -> None:
    rows = [
        (
            n,
            f"{item.title}\n{item.url or item.resource_id}",
            said(LEVELS, item.level, lang.value),
            item.lang,
            item.minutes or "",
            item.why,
        )
        for n, item in enumerate(items, start=1)
    ]
    if rows:
        table("", HEADINGS[lang], rows)


def _show_tree(way: Way, topics: Topics, lang: Lang) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    tree = Tree(f"[bold]{escape(topics[way.topic].title.text(lang))}[/bold]")
    for stop in way.stops:
        mark = "✓ " if stop.done else ""
        branch = tree.add(mark + escape(topics[stop.topic].title.text(lang)))
        for step in stop.steps:
            level = said(LEVELS, step.level, lang.value)
            branch.add(escape(f"{step.title} ({level}, {step.lang}) {step.url or step.resource_id}"))
    Console().print(tree)
