"""`warpmate recommend`, `path`, `remember` and `progress`: what to read next, in which order, for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from knowledge.content import Topics, load_content
from knowledge.practice import Streak
from knowledge.readings import Reading
from knowledge.recommend import EVENTS, ReadingPath, Recommendation
from knowledge.recommend.service import Standing, event_named
from knowledge.store import Scope
from knowledge.submit.problem_progress import ProblemProgress, problem_progress
from knowledge.words import ENGLISH, Language
from warpmate.options import AsJson, Lang, Member, Whose, default_member, language_named
from warpmate.options import Server as ServerOption
from warpmate.remote.chosen import chosen_server
from warpmate.remote.server import Server
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import open_library

Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind: note, article, video, problem …")]
OnlyLang = Annotated[str | None, typer.Option("--only-lang", help="Only items in this language.")]
Minutes = Annotated[int | None, typer.Option("--minutes", min=1, help="Minutes at hand for all of it.")]


def register(app: typer.Typer) -> None:
    app.command()(recommend)
    app.command()(path)
    app.command()(remember)
    app.command()(progress)


def recommend(
    context: typer.Context,
    wish: Annotated[
        list[str],
        typer.Argument(help="What you want to learn, in any words: beginner cuda, 共享内存, 'I am new to TPUs'."),
    ],
    lang: Lang = ENGLISH,
    member: Member = None,
    kind: Kinds = None,
    only_lang: OnlyLang = None,
    minutes: Minutes = None,
    stretch: Annotated[bool, typer.Option("--stretch", help="Include stretch tasks.")] = False,
    server: ServerOption = None,
    json: AsJson = False,
) -> None:
    """Up to five readings, in the order to read them, each with the reason why.

    Without a level in WISH it is the one that the member has reached, beginner where nothing is known.
    """
    if there := chosen_server(context.obj, server, lang, member):
        asked = there.whole(
            Recommendation, "GET", "recommend", topic=" ".join(wish), lang=lang, stretch=int(stretch),
            kinds=",".join(kind or ()) or None, only_lang=only_lang, minutes=minutes,
        )  # fmt: skip
        found = asyncio.run(asked)
    else:
        found = asyncio.run(
            _recommend(
                context.obj, " ".join(wish), lang, member,
                kinds=frozenset(kind or ()), only_lang=only_lang, minutes=minutes, stretch=stretch,
            )
        )  # fmt: skip
    if json:
        as_json(found.as_json())
        return
    language = language_named(lang)
    say(f"{found.title.text(lang)} · {language.word('level', found.level)}")
    for remark in found.remarks:
        say(remark.text(lang))
    _show(found.items, lang)
    if found.other_levels:
        others = tuple(f"warpmate recommend {level} {found.topic}" for level in found.other_levels)
        say(language("recommend.elsewhere", commands=others))


def path(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(help="Where the path leads.")],
    lang: Lang = ENGLISH,
    member: Member = None,
    server: ServerOption = None,
    json: AsJson = False,
) -> None:
    """The ordered way to a topic. Everything it rests on, then the topic itself from easy to hard."""
    if there := chosen_server(context.obj, server, lang, member):
        way = asyncio.run(there.whole(ReadingPath, "GET", "path", topic=topic, lang=lang))
        topics = load_content(context.obj.content_dir).topics
    else:
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
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Tell what became of a reading. It shapes what is recommended next."""
    asyncio.run(_remember(context.obj, member, item, event))
    if json:
        as_json({"member": member, "item": item, "event": event})
    else:
        say(language_named(lang)(f"remembered.{event_named(event)}", item=item))


def progress(
    context: typer.Context,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: ServerOption = None,
    json: AsJson = False,
) -> None:
    """Where a member stands, topic by topic, and which problems they have solved."""
    language = language_named(lang)
    if there := chosen_server(context.obj, server, lang, member):
        member, standings, solved, problems, streak = asyncio.run(_progress_there(there))
    else:
        member = member or default_member()
        standings, marks, streak = asyncio.run(_progress(context.obj, member))
        solved, problems = [slug for slug, mark in marks.items() if mark == "solved"], len(marks)
    if json:
        topics = [_standing_json(standing) for standing in standings]
        as_json({"member": member, "topics": topics, "problems_solved": solved, "weeks_in_a_row": streak.own_weeks})
        return
    if not standings and not solved:
        say(language("progress.unknown", member=member))
        return
    headings = tuple(language(f"progress.{each}") for each in ("topic", "level", "done"))
    table("", headings, [_standing_row(standing, language) for standing in standings])
    say(language("progress.problems", n=len(solved), all=problems))
    for line in streak.lines:
        say(language.say(line))


async def _recommend(
    settings: Settings, wish: str, lang: str, member: str | None, **options: object
) -> Recommendation:
    async with open_core(settings) as core, open_library(core):
        return await core.recommender.answer(Scope(), None, wish, lang, member, **options)


async def _path(settings: Settings, topic: str, lang: str, member: str | None) -> tuple[ReadingPath, Topics]:
    async with open_core(settings) as core:
        return await core.recommender.path(Scope(), topic, lang, member), core.content.topics


async def _remember(settings: Settings, member: str, item: str, event: str) -> None:
    async with open_core(settings) as core:
        await core.recommender.remember(Scope(), member, item, event_named(event))


async def _progress(
    settings: Settings, member: str
) -> tuple[tuple[Standing, ...], Mapping[str, ProblemProgress], Streak]:
    async with open_core(settings) as core:
        marks = await problem_progress(core.store, member, (card.slug for card in core.content.problems))
        streak = await core.practice.streak(Scope(), member)
        return await core.recommender.progress(Scope(), member), marks, streak


async def _progress_there(there: Server) -> tuple[str, tuple[Standing, ...], list[str], int, Streak]:
    said = await there.whole(dict[str, Any], "GET", "progress")
    standings: tuple[Standing, ...] = there.shaped(tuple[Standing, ...], said.get("standings"))
    streak: Streak = there.shaped(Streak, said.get("streak"))
    return str(said.get("member", "")), standings, list(said["problems_solved"]), int(said["problems"]), streak


def _standing_row(standing: Standing, language: Language) -> tuple[str, str, str]:
    """Return the row of a topic; a star says that the member chose the level."""
    level = language.word("level", standing.level) if standing.level else "-"
    return (
        standing.title.text(language.code),
        level + " *" * standing.set_by_member,
        f"{standing.done}/{standing.available}",
    )


def _standing_json(standing: Standing) -> dict[str, object]:
    return {
        "topic": standing.topic,
        "level": standing.level,
        "set_by_member": standing.set_by_member,
        "done": standing.done,
        "available": standing.available,
    }


def _show(items: tuple[Reading, ...], lang: str) -> None:
    language = language_named(lang)
    rows = [
        (
            n,
            f"{item.title}\n{item.url or item.resource_id}",
            language.word("level", item.level),
            item.lang,
            language.duration(item.minutes),
            item.why,
        )
        for n, item in enumerate(items, start=1)
    ]
    if rows:
        headings = ("number", "what", "level", "language", "time", "why")
        table("", tuple(language(f"recommend.{each}") for each in headings), rows)


def _show_tree(way: ReadingPath, topics: Topics, lang: str) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    language = language_named(lang)
    tree = Tree(f"[bold]{escape(topics[way.topic].title.text(lang))}[/bold]")
    if way.done:
        known = language.listed([topics[stop.topic].title.text(lang) for stop in way.done])
        tree.add(f"✓ {escape(language('path.known', topics=known))}")
    for stop in way.ahead:
        branch = tree.add(escape(topics[stop.topic].title.text(lang)))
        for step in stop.steps:
            level = language.word("level", step.level)
            branch.add(escape(f"{step.title} ({level}, {step.lang}) {step.url or step.resource_id}"))
    Console().print(tree)
