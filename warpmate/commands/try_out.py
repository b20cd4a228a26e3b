"""`warpmate try`: a kernel run once on sizes and inputs of one's own, to look at."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.submit import HandIn, TryRequest, Verdict, asked_try, element_of, inputs_of, sizes_of
from knowledge.words import ENGLISH
from warpmate.commands.submit import source_of, stage_line, verdict_json
from warpmate.options import AsJson, HandsIn, Lang, Server, default_member, language_named
from warpmate.print_try import show_try
from warpmate.remote.chosen import chosen_server
from warpmate.remote.server import Server as RemoteServer
from warpmate.remote.server import Step
from warpmate.render import as_json
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.submit import open_submit


def register(app: typer.Typer) -> None:
    app.command("try")(try_out)


def try_out(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="CUDA.", exists=True, dir_okay=False, readable=True)],
    problem: Annotated[str, typer.Option("--problem", help="Slug of the problem whose parameters it takes.")],
    sizes: Annotated[str, typer.Option("--sizes", help="n=33, or rows=4,cols=40.")] = "",
    given: Annotated[
        list[str] | None,
        typer.Option("--input", help="random, zeros, ascending, …, for all inputs; or numbers for one: x=1,2,3."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of random inputs: the same numbers again.")] = 0,
    case: Annotated[
        int | None,
        typer.Option(
            "--case", min=1, help="The I-th wrong case of your last verdict; sizes and inputs named beside it hold."
        ),
    ] = None,
    element: Annotated[
        str, typer.Option("--element", help="out[5]: which thread wrote this element, and when.")
    ] = "",
    line: Annotated[int, typer.Option("--line", min=0, help="Draw the access on this line, not the worst.")] = 0,
    ptx: Annotated[bool, typer.Option("--ptx", help="PTX beside the lines it came from.")] = False,
    sass: Annotated[
        bool, typer.Option("--sass", help="What the card runs, likewise, where the worker has nvdisasm.")
    ] = False,
    member: HandsIn = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Run FILE once on sizes and inputs of your own. It is no attempt at the problem, and on no leaderboard."""
    source, shown = source_of(file, file.read_bytes()), None if json else lang
    values, typed = inputs_of(given or [])
    if not sizes and case is None:
        raise BadInput("error.try.sizes")
    asked = TryRequest(
        problem, sizes_of(sizes) if sizes else {}, values, seed, typed, element_of(element), line, case
    )
    there = chosen_server(context.obj, server, lang, member)
    if there is not None:
        verdict = asyncio.run(_try_there(there, source, asked, shown))
    else:
        verdict = asyncio.run(_try_here(context.obj, member or default_member(), source, asked, shown))
    if json:
        as_json(verdict_json(verdict))
    else:
        show_try(verdict, source, language_named(lang), ptx=ptx, sass=sass)


async def _try_here(settings: Settings, member: str, source: str, asked: TryRequest, lang: str | None) -> Verdict:
    async with open_core(settings) as core, open_submit(core) as submissions:
        trying = await asked_try(submissions, Scope(), member, asked)
        handed = await submissions.hand_in(Scope(), HandIn(member, source, lang=lang or ENGLISH, trying=trying))
        async for step in submissions.watch(Scope(), handed):
            if isinstance(step, Verdict):
                return step
            _tell(Step(step.stage.value, step.position), lang)
    raise AssertionError("a watch ends with a verdict")


async def _try_there(there: RemoteServer, source: str, asked: TryRequest, lang: str | None) -> Verdict:
    output, index = asked.element
    body = {
        "source": source,
        "problem": asked.problem,
        "sizes": dict(asked.sizes),
        "values": asked.values,
        "seed": asked.seed,
        "typed": {name: list(numbers) for name, numbers in asked.typed.items()},
        "element": f"{output}[{index}]" if output else "",
        "line": asked.line,
        "case": asked.case,
    }
    _, verdict = await there.judge(body, lambda step: _tell(step, lang), "tries")
    return verdict


def _tell(step: Step, lang: str | None) -> None:
    if lang is not None:
        typer.echo(stage_line(step.stage, step.position, lang), err=True)
