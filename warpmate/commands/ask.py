"""`warpmate ask` and `search`: answers made of checked excerpts, and the passages behind them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import typer

from knowledge.ask.answer import Answer, NextSteps, composed
from knowledge.library.contents import CodeCheck, code_checks
from knowledge.readings import Reading
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language
from warpmate.options import AsJson, Lang, MaybeLang, Member, Server, language_named
from warpmate.progress import progress_bar
from warpmate.remote.chosen import chosen_server
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

_MOST_OF_A_SERVER = 50


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
    member: Member = None,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Answer a question with excerpts, each with its source; a refusal names readings."""
    checks: dict[str, CodeCheck] = {}
    if there := chosen_server(context.obj, server, lang or ENGLISH, member):
        body = {"question": text, "lang": lang, "follow_up_of": follow_up_of}
        answer = asyncio.run(there.whole(Answer, "POST", "ask", body))
    else:
        answer, checks = asyncio.run(_ask(context.obj, text, lang, follow_up_of, member))
    if json:
        as_json(answer.as_json())
    else:
        show(answer)
        for excerpt in answer.excerpts:
            if said := checks.get(excerpt.text, CodeCheck()).text(answer.lang):
                say(f"[{excerpt.citation}] {said}")


def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many passages.")] = 10,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Ranked passages of the library."""
    if there := chosen_server(context.obj, server, lang):
        hits = asyncio.run(there.json("GET", "search", q=text, k=min(k, _MOST_OF_A_SERVER)))["results"]
    else:
        hits = asyncio.run(_search(context.obj, text, k))
    if json:
        as_json({"results": hits})
        return
    rows = [(hit["rank"], f"{hit['score']:.3f}", f"{hit['title']}\n{hit['url']}", hit["text"][:300]) for hit in hits]
    language = language_named(lang)
    table("", tuple(language(f"search.{each}") for each in ("rank", "score", "page", "passage")), rows)


async def _ask(
    settings: Settings, text: str, lang: str | None, follow_up_of: str | None, member: str | None
) -> tuple[Answer, dict[str, CodeCheck]]:
    from warpmate.wiring.library import open_library

    async with open_core(settings) as core, open_library(core) as library:
        with progress_bar() as progress:
            await library.ensure_index(progress)
        answer = await library.ask.asker.ask(text, lang, follow_up_of, Scope(), member)
        answer = await composed(library, text, answer, follow_up_of, Scope())
        return answer, await code_checks(core.store, [one.text for one in answer.excerpts if one.kind == "code"])


async def _search(settings: Settings, text: str, k: int) -> list[dict[str, Any]]:
    from warpmate.wiring.library import open_library

    async with open_core(settings) as core, open_library(core) as library:
        with progress_bar() as progress:
            await library.ensure_index(progress)
        return [hit.as_json() for hit in library.ask.searcher.search(text, k, guild_id=Scope().guild_id)]


def show(answer: Answer) -> None:
    """Print an answer, and say of an uncertain one that it is, in the language of the question."""
    language = language_named(answer.lang)
    if answer.read_as:
        say(f"{language('ask.read_as')} {answer.read_as}")
    if answer.status == "perhaps":
        say(language("ask.perhaps"))
    if answer.status == "refused" and not answer.said:
        say(language("ask.refused"))
    if text := answer.as_text():
        say(text)
    if answer.readings and answer.intent != "material":
        say(language("ask.read_these"))
    for reading in answer.readings:
        say(f"  → {_named(reading)}")
    _show_next(answer.next, language)


def _show_next(steps: NextSteps, language: Language) -> None:
    lines = [("next.read", _named(reading)) for reading in steps.readings]
    lines += [("next.solve", _named(steps.problem))] if steps.problem else []
    lines += [("next.ask", question) for question in steps.questions]
    if lines:
        say("")
    for what, line in lines:
        say(f"{language(what)}{language('list.colon')}{line}")


def _named(reading: Reading) -> str:
    return f"{reading.title}  {reading.url or reading.resource_id}"
