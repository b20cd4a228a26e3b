"""`warpmate submit`: one file in, one verdict out."""

from __future__ import annotations

import asyncio
import json as jsonlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.submit import HandIn
from knowledge.words import ENGLISH
from warpmate.options import AsJson, HandsIn, Lang, default_member, language_named
from warpmate.print_verdict import show
from warpmate.render import as_json
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.submit import open_submit
from worker.protocol import Backend, Progress, Verdict, to_json


class BackendChoice(StrEnum):
    AUTO = "auto"
    GPU = "gpu"
    EMULATOR = "emulator"
    COMPILE = "compile"


def register(app: typer.Typer) -> None:
    app.command()(submit)


def submit(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The CUDA source.", exists=True, dir_okay=False, readable=True)],
    problem: Annotated[str | None, typer.Option("--problem", help="Slug of the problem it solves.")] = None,
    backend: Annotated[BackendChoice, typer.Option("--backend", help="Where it runs.")] = BackendChoice.AUTO,
    member: HandsIn = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Compile, run, check, time and explain FILE. Exit code 0 whenever a verdict was reached, whatever it is."""
    what = HandIn(member or default_member(), _source(file), problem, Backend(backend.value), lang=lang)
    verdict = asyncio.run(_submit(context.obj, what, None if json else lang))
    if json:
        as_json(verdict_json(verdict))
    else:
        show(verdict, what.source, lang)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    document: dict[str, Any] = jsonlib.loads(to_json(verdict))
    return document


def _source(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("error.file.not_utf8", file=file, at=error.start) from None


async def _submit(settings: Settings, what: HandIn, lang: str | None) -> Verdict:
    """Submit and wait; with a language, the stages are shown on standard error as they come."""
    async with open_core(settings) as core, open_submit(core) as submissions:
        submission = await submissions.hand_in(Scope(), what)
        async for step in submissions.watch(Scope(), submission):
            if isinstance(step, Verdict):
                return step
            if lang is not None:
                typer.echo(_stage(step, lang), err=True)
    raise AssertionError("a watch ends with a verdict")


def _stage(progress: Progress, lang: str) -> str:
    language = language_named(lang)
    stage = language.word("stage", progress.stage.value)
    return language("submit.queued" if progress.position else "submit.stage", stage=stage, n=progress.position)
