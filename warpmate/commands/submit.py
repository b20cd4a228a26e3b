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
from warpmate.house import open_house
from warpmate.options import AsJson, HandsIn, Lang, Language, default_member
from warpmate.render import as_json
from warpmate.settings import Settings
from warpmate.verdicts import show
from warpmate.workroom import open_workroom
from worker.protocol import Backend, Progress, Verdict, to_json


class BackendChoice(StrEnum):
    AUTO = "auto"
    GPU = "gpu"
    EMULATOR = "emulator"
    COMPILE = "compile"


STAGES = {
    "queued": ("waiting", "排队中"),
    "compiling": ("compiling", "编译中"),
    "checking": ("checking", "检查中"),
    "timing": ("timing", "计时中"),
    "diagnosing": ("diagnosing", "诊断中"),
}


def register(app: typer.Typer) -> None:
    app.command()(submit)


def submit(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The CUDA source.", exists=True, dir_okay=False, readable=True)],
    problem: Annotated[str | None, typer.Option("--problem", help="Slug of the problem it solves.")] = None,
    backend: Annotated[BackendChoice, typer.Option("--backend", help="Where it runs.")] = BackendChoice.AUTO,
    member: HandsIn = None,
    lang: Language = Lang.EN,
    json: AsJson = False,
) -> None:
    """Compile, run, check, time and explain FILE. Exit code 0 whenever a verdict was reached, whatever it is."""
    what = HandIn(member or default_member(), _source(file), problem, Backend(backend.value))
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
        raise BadInput(
            f"{file} is not UTF-8 text: byte {error.start} cannot be read; save it as UTF-8",
            f"{file} 不是 UTF-8 文本：第 {error.start} 个字节无法读取，请另存为 UTF-8",
        ) from None


async def _submit(settings: Settings, what: HandIn, lang: Lang | None) -> Verdict:
    """With a language, the stages are shown on standard error as they come."""
    async with open_house(settings) as house, open_workroom(house) as room:
        submission = await room.submissions.hand_in(Scope(), what)
        async for step in room.submissions.watch(Scope(), submission):
            if isinstance(step, Verdict):
                return step
            if lang is not None:
                typer.echo(_stage(step, lang), err=True)
    raise AssertionError("a watch ends with a verdict")


def _stage(progress: Progress, lang: Lang) -> str:
    word = STAGES[progress.stage.value][lang is Lang.ZH]
    if progress.position:
        ahead = f"前面还有 {progress.position} 个" if lang is Lang.ZH else f"{progress.position} ahead"
        return f"{word} ({ahead}) …"
    return f"{word} …"
