"""`warpmate submit`: one file in, one verdict out."""

from __future__ import annotations

import asyncio
import json as jsonlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from knowledge.errors import BadInput, SafeError
from knowledge.practice import AfterAccepted
from knowledge.store import Scope
from knowledge.submit import HandIn, Submissions
from knowledge.submit.report import tone_of
from knowledge.words import ENGLISH
from warpmate.edition import edition
from warpmate.options import AsJson, HandsIn, Lang, Server, default_member, language_named
from warpmate.print_verdict import show
from warpmate.remote.chosen import chosen_server
from warpmate.remote.server import Server as RemoteServer
from warpmate.remote.server import Step
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.verdict_formats import as_github, as_junit, as_sarif
from warpmate.watched_file import saves
from warpmate.wiring.core import Core, open_core
from warpmate.wiring.submit import open_submit
from worker.protocol import Backend, Kind, Verdict, to_json

Judged = tuple[Verdict, AfterAccepted | None, int | None]
"""With what comes after *accepted*, and the how-manieth attempt at its problem it is, where that is known."""
EXIT_CODES = {"good": 0, "bad": 1, "warn": 2}
"""Of `--exit-code`, by whether the verdict is for or against the code, or says nothing about it."""


class Form(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"


class BackendChoice(StrEnum):
    AUTO = "auto"
    GPU = "gpu"
    EMULATOR = "emulator"
    COMPILE = "compile"


def register(app: typer.Typer) -> None:
    app.command()(submit)


def submit(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="CUDA or Triton.", exists=True, dir_okay=False, readable=True)],
    problem: Annotated[str | None, typer.Option("--problem", help="Slug of the problem it solves.")] = None,
    backend: Annotated[BackendChoice, typer.Option("--backend", help="Where it runs.")] = BackendChoice.AUTO,
    card: Annotated[str, typer.Option("--card", help="The card that it is to be timed on, such as h200.")] = "",
    member: HandsIn = None,
    watch: Annotated[bool, typer.Option("--watch", help="Judge again at every save, until interrupted.")] = False,
    form: Annotated[
        Form | None, typer.Option("--format", help="How the verdict is told: for people, or for other programs.")
    ] = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="End with 1 for a verdict against the code, 2 for trouble of ours.")
    ] = False,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Compile, run, check, time and explain FILE. Exit code 0 whenever a verdict was reached, unless asked for."""
    if watch and exit_code:
        raise typer.BadParameter("--watch judges again and again; --exit-code is for one verdict")
    form = form or (Form.JSON if json else Form.TEXT)
    there = chosen_server(context.obj, server, lang, member)
    what = HandIn(member or default_member(), "", problem, Backend(backend.value), card=card, lang=lang)
    told = Told(file, form, lang)
    if watch:
        asyncio.run(_watch(context.obj, there, what, told))
        return
    source = source_of(file, file.read_bytes())
    verdict = asyncio.run(_once(context.obj, there, replace(what, source=source), told))
    if exit_code:
        raise typer.Exit(EXIT_CODES[tone_of(verdict.verdict)])


@dataclass(frozen=True, slots=True)
class Told:
    """How a verdict is told, and the file that it is about."""

    file: Path
    form: Form
    lang: str

    @property
    def stages_in(self) -> str | None:
        """The language in which stages are shown as they come; None where a program reads."""
        return self.lang if self.form is Form.TEXT else None

    def tell(self, judged: Judged, source: str) -> None:
        verdict, after, attempt = judged
        language, name = language_named(self.lang), self.file.as_posix()
        match self.form:
            case Form.TEXT:
                show(verdict, source, self.lang, after, attempt)
            case Form.JSON:
                as_json(verdict_json(verdict))
            case Form.SARIF:
                say(as_sarif(verdict, source, name, language, edition()))
            case Form.JUNIT:
                say(as_junit(verdict, source, name, language))
            case Form.GITHUB:
                say(as_github(verdict, source, name, language))


async def _once(settings: Settings, there: RemoteServer | None, what: HandIn, told: Told) -> Verdict:
    async with _judging(settings, there, told.stages_in) as judge:
        judged = await judge(what)
    told.tell(judged, what.source)
    return judged[0]


async def _watch(settings: Settings, there: RemoteServer | None, what: HandIn, told: Told) -> None:
    """Judge every save; what cannot be judged is said, and the next save awaited."""
    async with _judging(settings, there, told.stages_in) as judge:
        async for saved in saves(told.file):
            try:
                source = source_of(told.file, saved)
                told.tell(await judge(replace(what, source=source)), source)
            except SafeError as error:
                typer.echo(error.text(told.lang), err=True)
            if told.form is Form.TEXT:
                typer.echo(language_named(told.lang)("submit.watching", file=told.file), err=True)


@asynccontextmanager
async def _judging(
    settings: Settings, there: RemoteServer | None, stages_in: str | None
) -> AsyncIterator[Callable[[HandIn], Awaitable[Judged]]]:
    """Yield what judges a hand-in, here or on a server; the stages are shown on standard error as they come."""
    if there is not None:
        yield partial(_submit_there, there, lang=stages_in)
        return
    async with open_core(settings) as core, open_submit(core) as submissions:
        yield partial(_submit_here, core, submissions, lang=stages_in)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    document: dict[str, Any] = jsonlib.loads(to_json(verdict))
    return document


def source_of(file: Path, read: bytes) -> str:
    """The text of a file; BadInput where it is none."""
    try:
        return read.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadInput("error.file.not_utf8", file=file, at=error.start) from None


async def _submit_here(core: Core, submissions: Submissions, what: HandIn, *, lang: str | None) -> Judged:
    submission = await submissions.hand_in(Scope(), what)
    async for step in submissions.watch(Scope(), submission):
        if isinstance(step, Verdict):
            after = await core.practice.after(Scope(), what.member_id, step)
            return step, after, await submissions.attempt(Scope(), what.member_id, submission)
        if lang is not None:
            typer.echo(stage_line(step.stage.value, step.position, lang), err=True)
    raise AssertionError("a watch ends with a verdict")


async def _submit_there(there: RemoteServer, what: HandIn, *, lang: str | None) -> Judged:
    def tell(step: Step) -> None:
        if lang is not None:
            typer.echo(stage_line(step.stage, step.position, lang), err=True)

    body = {"source": what.source, "problem": what.problem, "backend": what.backend.value}
    if what.card:
        body["card"] = what.card
    submission, verdict = await there.judge(body, tell)
    if verdict.verdict is not Kind.ACCEPTED:
        return verdict, None, None
    said = await there.whole(dict[str, Any], "GET", f"submissions/{submission}")
    return verdict, there.shaped(AfterAccepted | None, said.get("after")), None


def stage_line(stage: str, position: int | None, lang: str) -> str:
    language = language_named(lang)
    word = language.word("stage", stage)
    return language("submit.queued" if position else "submit.stage", stage=word, n=position)
