"""`warpmate problems`: what there is to solve."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from knowledge.content import ProblemCard, load_content
from knowledge.content.problem_help import help_mistakes, load_problem_help
from knowledge.content.solution_resources import load_solution_resources
from knowledge.content.solution_times import load_solution_times
from knowledge.errors import NotFound
from knowledge.submit.problem_progress import ProblemProgress, problem_progress
from knowledge.words import ENGLISH
from warpmate.options import AsJson, Lang, Server, Whose, default_member, language_named
from warpmate.remote.chosen import chosen_server
from warpmate.remote.server import Server as RemoteServer
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.submit import worker_config
from worker.errors import ProblemError
from worker.protocol import Backend

if TYPE_CHECKING:
    from worker.problem.lint import Fault

problems = typer.Typer(help="The problem set.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(problems, name="problems")


@problems.command("list")
def list_(
    context: typer.Context,
    member: Whose = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Every problem, easiest first. What the member has solved or tried is marked."""
    if there := chosen_server(context.obj, server, lang, member):
        cards, marks = asyncio.run(_marked_there(there))
    else:
        cards, marks = asyncio.run(_marked(context.obj, member or default_member()))
    if json:
        as_json({"problems": [_card_json(card) | {"mark": marks[card.slug]} for card in cards]})
        return
    language = language_named(lang)
    headings = tuple(language(f"problems.{each}") for each in ("name", "title", "level", "mark", "topics"))
    rows = [
        (
            card.slug,
            card.title.text(lang),
            language.word("level", card.level),
            language.word("mark", marks[card.slug]),
            ", ".join(card.topics),
        )
        for card in _by_level(cards)
    ]
    table("", headings, rows)


async def _marked(settings: Settings, member: str) -> tuple[tuple[ProblemCard, ...], Mapping[str, ProblemProgress]]:
    async with open_core(settings) as core:
        cards = core.content.problems
        return cards, await problem_progress(core.store, member, (card.slug for card in cards))


@problems.command()
def show(
    context: typer.Context,
    slug: Annotated[str, typer.Argument(help="For instance vector_add.")],
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Statement and starter of a problem."""
    settings: Settings = context.obj
    if there := chosen_server(settings, server, lang):
        _show_there(there, slug, lang, json=json)
        return
    content = load_content(settings.content_dir)
    cards = {card.slug: card for card in content.problems}
    if slug not in cards:
        raise _no_problem(slug)
    texts = content.texts[slug]
    if json:
        as_json(_card_json(cards[slug]) | texts.as_json())
    else:
        say(texts.statements[lang])
        say(f"```cuda\n{texts.starter}```")
        if texts.triton_starter:
            say(f"\n```python\n{texts.triton_starter}```")


async def _marked_there(there: RemoteServer) -> tuple[tuple[ProblemCard, ...], Mapping[str, ProblemProgress]]:
    listed: list[dict[str, Any]] = []
    after: str | None = None
    while after is not None or not listed:
        page = await there.json("GET", "problems", after=after)
        listed += page["problems"]
        if page["next"] is None or not page["problems"]:
            break
        after = str(page["problems"][-1]["slug"])
    marks: dict[str, ProblemProgress] = {one["slug"]: one.pop("mark") for one in listed}
    cards: tuple[ProblemCard, ...] = there.shaped(tuple[ProblemCard, ...], listed)
    return cards, marks


def _show_there(there: RemoteServer, slug: str, lang: str, *, json: bool) -> None:
    said = asyncio.run(there.json("GET", f"problems/{quote(slug, safe='')}"))
    if json:
        as_json(said)
        return
    say(said["statement"].get(lang) or said["statement"][ENGLISH])
    say(f"```cuda\n{said['starter']}```")


@problems.command()
def check(
    context: typer.Context,
    slug: Annotated[str | None, typer.Argument(help="One problem; without it, all of them.")] = None,
    json: AsJson = False,
) -> None:
    """Say whether the problems are fit for members. Texts, oracle, judge.cu, solutions: one line per fault."""
    faults = asyncio.run(find_faults(context.obj, slug))
    if json:
        as_json({"faults": [{"file": str(fault.file), "what": fault.what} for fault in faults]})
    else:
        for fault in faults:
            say(f"{fault.file}: {fault.what}")
        say(_how_many(len(faults)))
    if faults:
        raise typer.Exit(1)


def _no_problem(slug: str) -> NotFound:
    return NotFound("error.problem.unknown_in_terminal", name=slug)


def _how_many(faults: int) -> str:
    return {0: "nothing to mend", 1: "1 fault"}.get(faults, f"{faults} faults")


async def find_faults(settings: Settings, slug: str | None) -> list[Fault]:
    """Find the faults of one problem or of all; a folder that does not load is a fault, and then nothing is run."""
    from worker.judge import open_tools
    from worker.judge.problem_check import check_problem

    root = settings.content_dir / "problems"
    if slug is not None and not (root / slug / "problem.toml").is_file():
        raise _no_problem(slug)
    if unreadable := [fault for path in sorted(root.glob("*/problem.toml")) if (fault := _unreadable(path.parent))]:
        return unreadable
    config = dataclasses.replace(worker_config(settings), judge_backend=Backend.EMULATOR)
    with open_tools(config) as tools:
        chosen = [tools.problems[slug]] if slug else list(tools.problems.values())
        run = [fault for problem in chosen async for fault in check_problem(problem, tools)]
    slugs = [slug] if slug else sorted(path.parent.name for path in root.glob("*/problem.toml"))
    return [*run, *(fault for one in slugs for fault in _in_help(settings.content_dir, one))]


def _in_help(content: Path, slug: str) -> Iterator[Fault]:
    """Yield the faults in a problem's hints and worked explanation."""
    from worker.problem.lint import Fault

    times, resources = load_solution_times(content), load_solution_resources(content)
    mistakes = help_mistakes(slug, load_problem_help(content, slug), times, resources)
    yield from (Fault(content / "problems" / slug / file, what) for file, what in mistakes)


def _unreadable(folder: Path) -> Fault | None:
    from worker.oracle import Oracle
    from worker.problem import load
    from worker.problem.lint import Fault

    try:
        Oracle(load(folder))
    except ProblemError as error:
        return Fault(error.file, f"{error.key}: {error.what}")
    return None


def _by_level(cards: tuple[ProblemCard, ...]) -> list[ProblemCard]:
    order = {"beginner": 0, "intermediate": 1, "advanced": 2}
    return sorted(cards, key=lambda card: (order[card.level], len(card.needs), card.slug))


def _card_json(card: ProblemCard) -> dict[str, Any]:
    return card.model_dump(mode="json")
