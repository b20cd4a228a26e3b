"""`warpmate ask` and `search`: answers made of checked quotes, and the passages behind them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import typer

from knowledge.ask.answer import Answer
from knowledge.library.contents import CodeCheck, code_checks
from knowledge.store import Scope
from warpmate.house import open_house
from warpmate.options import AsJson, Lang
from warpmate.progress import progress_bar
from warpmate.render import as_json, say, table
from warpmate.settings import Settings

MaybeLang = Annotated[Lang | None, typer.Option("--lang", help="Language of the reply; else that of the question.")]


def register(app: typer.Typer) -> None:
    app.command()(ask)
    app.command()(search)


def ask(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="The question, in English or Chinese.")],
    lang: MaybeLang = None,
    follow_up_of: Annotated[
        str | None, typer.Option("--follow-up-of", help="The question that this one follows.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Answer a question with checked quotes. Each has its source; a refusal names readings."""
    answer, checks = asyncio.run(_ask(context.obj, text, lang, follow_up_of))
    if json:
        as_json(answer.as_json())
    else:
        _show(answer)
        for quote in answer.answer:
            if said := checks.get(quote.quote, CodeCheck()).said(answer.lang):
                say(f"[{quote.citation}] {said}")


def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many passages.")] = 10,
    json: AsJson = False,
) -> None:
    """Ranked passages of the library."""
    hits = asyncio.run(_search(context.obj, text, k))
    if json:
        as_json({"results": hits})
        return
    rows = [(hit["rank"], f"{hit['score']:.3f}", f"{hit['title']}\n{hit['url']}", hit["text"][:300]) for hit in hits]
    table("", ("#", "score", "page", "passage"), rows)


async def _ask(
    settings: Settings, text: str, lang: Lang | None, follow_up_of: str | None
) -> tuple[Answer, dict[str, CodeCheck]]:
    from warpmate.library import open_reading_room

    async with open_house(settings) as house, open_reading_room(house) as room:
        with progress_bar() as progress:
            await room.ensure_index(progress)
        answer = await room.ask.asker.ask(text, lang.value if lang else None, follow_up_of)
        return answer, await code_checks(house.store, [one.quote for one in answer.answer if one.kind == "code"])


async def _search(settings: Settings, text: str, k: int) -> list[dict[str, Any]]:
    from warpmate.library import open_reading_room

    async with open_house(settings) as house, open_reading_room(house) as room:
        with progress_bar() as progress:
            await room.ensure_index(progress)
        return [hit.as_json() for hit in room.ask.searcher.search(text, k, guild_id=Scope().guild_id)]


def _show(answer: Answer) -> None:
    zh = answer.lang == "zh"
    if answer.status == "answered":
        say(answer.as_text())
        return
    say("资料库里没有可靠的答案。" if zh else "The library has no answer that can be relied on.")
    if answer.readings:
        say("可以先读：" if zh else "Read these:")
    for reading in answer.readings:
        say(f"  → {reading.title}  {reading.url or reading.resource_id}")
