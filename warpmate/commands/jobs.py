"""`warpmate jobs`: what waits, and what could not be judged."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from knowledge.store import Scope
from knowledge.submit.set_aside import AsideJobs
from warpmate.options import Lang, language_named
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

jobs = typer.Typer(help="Jobs that could not be judged for no fault of their members.", no_args_is_help=True)
T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.add_typer(jobs, name="jobs")


@jobs.command("list")
def list_(
    context: typer.Context,
    lang: Lang = "en",
    json: Annotated[bool, typer.Option(help="Print one JSON document.")] = False,
) -> None:
    """List what was set aside after its attempts, newest first, with the reason."""
    found = asyncio.run(_with(context.obj, lambda aside: aside.listed(Scope.all())))
    if json:
        as_json([dataclasses.asdict(one) for one in found])
        return
    language = language_named(lang)
    for one in found:
        why = language(f"aside.{one.reason}", attempts=one.attempts)
        say(f"{one.submission}  {one.at:%Y-%m-%d %H:%M}  {one.problem or '-'}  {one.worker or '-'}  {why}")
    if not found:
        say(language("aside.none"))


@jobs.command()
def retry(context: typer.Context, submission: str) -> None:
    """Judge SUBMISSION anew; a running server puts it in line within seconds."""
    asyncio.run(_with(context.obj, lambda aside: aside.retry(Scope.all(), submission)))
    say(f"{submission} is judged again.")


@jobs.command("let-go")
def let_go(context: typer.Context, submission: str) -> None:
    """Leave SUBMISSION at the verdict that its member has."""
    asyncio.run(_with(context.obj, lambda aside: aside.let_go(Scope.all(), submission)))
    say(f"{submission} is let go.")


async def _with(settings: Settings, do: Callable[[AsideJobs], Awaitable[T]]) -> T:
    async with open_core(settings) as core:
        return await do(AsideJobs(core.store))
