"""`warpmate gaps`: what members asked for and the library does not have."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from knowledge.store import Scope
from knowledge.store.base import now
from knowledge.words import ENGLISH
from warpmate.options import AsJson, Lang, language_named
from warpmate.progress import progress_bar
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap


def register(app: typer.Typer) -> None:
    app.command()(gaps)


def gaps(
    context: typer.Context,
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="How far to look back.")] = 7,
    guild: Annotated[str | None, typer.Option("--guild", help="Asked in this Discord server; else anywhere.")] = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """What was asked and not answered well. Refused, saved or unhelpful; grouped by meaning, most askers first."""
    language = language_named(lang)
    found = asyncio.run(_gaps(context.obj, timedelta(days=days), guild))
    if json:
        as_json({"days": days, "gaps": [gap_json(gap) for gap in found]})
    elif found:
        headings = tuple(language(f"gaps.{each}") for each in ("question", "asked", "members"))
        table("", headings, [(gap.text, len(gap.questions), gap.members) for gap in found])
    else:
        say(language("gaps.none"))


def gap_json(gap: Gap) -> dict[str, object]:
    """Return a gap as JSON, without the members who asked."""
    return {
        "text": gap.text,
        "lang": gap.questions[0].lang,
        "members": gap.members,
        "questions": [
            {"text": each.text, "status": each.status, "asked_at": each.asked_at} for each in gap.questions
        ],
    }


async def _gaps(settings: Settings, back: timedelta, guild: str | None) -> tuple[Gap, ...]:
    from knowledge.ask.gaps import weekly_gaps
    from warpmate.wiring.library import open_library

    scope = Scope.guild(guild) if guild else Scope.all()
    async with open_core(settings) as core, open_library(core) as library:
        with progress_bar() as progress:
            await library.ensure_index(progress)
        return await weekly_gaps(library.questions, library.ask.searcher, scope, now() - back)
