"""`warpmate try`: a kernel run once on sizes and inputs of one's own, to look at."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Annotated

import typer

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.submit import HandIn, Submissions, Try, Verdict
from knowledge.words import ENGLISH
from warpmate.commands.submit import source_of, stage_line, verdict_json
from warpmate.options import AsJson, HandsIn, Lang, default_member, language_named
from warpmate.print_try import show_try
from warpmate.render import as_json
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.submit import open_submit

_SIZE = re.compile(r"([A-Za-z_]\w*)=(\d{1,9})")
_TYPED = re.compile(r"([A-Za-z_]\w*)=([-+.\deE,\s]+)")
_ELEMENT = re.compile(r"([A-Za-z_]\w*)\[(\d{1,9})\]")


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
        int | None, typer.Option("--case", min=1, help="Sizes and kind of the I-th wrong case of your last verdict.")
    ] = None,
    element: Annotated[
        str, typer.Option("--element", help="out[5]: which thread wrote this element, and when.")
    ] = "",
    line: Annotated[int, typer.Option("--line", min=0, help="Draw the access on this line, not the worst.")] = 0,
    ptx: Annotated[bool, typer.Option("--ptx", help="The card's code beside the lines it came from.")] = False,
    member: HandsIn = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Run FILE once on sizes and inputs of your own. It is no attempt at the problem, and on no leaderboard."""
    source = source_of(file, file.read_bytes())
    values, typed = _inputs(given or [])
    output, index = _element(element)
    asked = Try(problem, _sizes(sizes), values, seed, typed, output, index, line)
    if not asked.sizes and case is None:
        raise BadInput("error.try.sizes")
    verdict = asyncio.run(_try(context.obj, member or default_member(), source, asked, case, None if json else lang))
    if json:
        as_json(verdict_json(verdict))
    else:
        show_try(verdict, source, language_named(lang), ptx=ptx)


def _sizes(text: str) -> dict[str, int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found = [_SIZE.fullmatch(part) for part in parts]
    if not all(found):
        raise BadInput("error.try.sizes")
    return {match[1]: int(match[2]) for match in found if match}


def _inputs(given: list[str]) -> tuple[str, dict[str, tuple[float, ...]]]:
    """A kind for all inputs, and numbers by parameter."""
    values, typed = "uniform", dict[str, tuple[float, ...]]()
    for one in given:
        if match := _TYPED.fullmatch(one.strip()):
            try:
                typed[match[1]] = tuple(float(number) for number in match[2].split(",") if number.strip())
            except ValueError:
                raise BadInput("error.try.input", text=one[:60]) from None
        elif one.isidentifier():
            values = "uniform" if one == "random" else one
        else:
            raise BadInput("error.try.input", text=one[:60])
    return values, typed


def _element(text: str) -> tuple[str, int]:
    if not text:
        return "", 0
    match = _ELEMENT.fullmatch(text.strip())
    if match is None:
        raise BadInput("error.try.element", text=text[:60])
    return match[1], int(match[2])


async def _try(
    settings: Settings, member: str, source: str, asked: Try, case: int | None, lang: str | None
) -> Verdict:
    async with open_core(settings) as core, open_submit(core) as submissions:
        if case is not None:
            asked = await _as_case(submissions, member, asked, case)
        handed = await submissions.hand_in(Scope(), HandIn(member, source, lang=lang or ENGLISH, trying=asked))
        async for step in submissions.watch(Scope(), handed):
            if isinstance(step, Verdict):
                return step
            if lang is not None:
                typer.echo(stage_line(step.stage.value, step.position, lang), err=True)
    raise AssertionError("a watch ends with a verdict")


async def _as_case(submissions: Submissions, member: str, asked: Try, number: int) -> Try:
    """The try on the sizes and the kind of a case that went wrong last time."""
    for one in await submissions.mine(Scope(), member, 1, asked.problem):
        verdict = await submissions.verdict(Scope(), one.submission)
        wrong = [case for case in verdict.cases if not case.ok] if verdict else []
        if number <= len(wrong):
            found = wrong[number - 1]
            return Try(
                asked.problem,
                asked.sizes or dict(found.sizes),
                found.values,
                asked.seed,
                asked.typed,
                asked.output,
                asked.element,
                asked.line,
            )
    raise BadInput("error.try.case", case=number, problem=asked.problem)
