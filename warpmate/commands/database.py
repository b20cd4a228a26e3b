"""`warpmate db`: migrations and what privacy asks for."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

import typer

from knowledge import privacy, upkeep
from knowledge.errors import NotFound
from knowledge.store.base import now
from knowledge.store.migrate import upgrade
from knowledge.upkeep import Tidied
from warpmate import datadir
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.wiring.core import database, kept, open_core

db = typer.Typer(help="Migrations, what is kept, and what is stored about a member.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(db, name="db")


@db.command("upgrade")
def upgrade_(
    context: typer.Context, json: Annotated[bool, typer.Option(help="Print one JSON document.")] = False
) -> None:
    """Bring the database to the newest revision. Done by itself whenever warpmate starts."""
    before, after = asyncio.run(_upgrade(context.obj))
    if json:
        as_json({"before": before, "after": after})
    elif before == after:
        say(f"The database is up to date (revision {after}).")
    else:
        say(f"The database went from revision {before or 'none'} to {after}.")


@db.command()
def export(context: typer.Context, member: str) -> None:
    """Print all that is stored about MEMBER as JSON. MEMBER is a key, for instance local:ada."""
    as_json(asyncio.run(_export(context.obj, member)))


@db.command()
def forget(
    context: typer.Context, member: str, json: Annotated[bool, typer.Option(help="Print one JSON document.")] = False
) -> None:
    """Delete all that is stored about MEMBER. MEMBER is a key, for instance local:ada."""
    removed = asyncio.run(_forget(context.obj, member))
    if json:
        as_json({"member": member, "removed": removed})
    else:
        say(f"Forgot {member}: {sum(removed.values())} rows deleted.")


@db.command()
def tidy(
    context: typer.Context, json: Annotated[bool, typer.Option(help="Print one JSON document.")] = False
) -> None:
    """Count the days that are over, then delete what WARPMATE_KEEP_*_DAYS no longer keeps. Done daily by itself."""
    done = asyncio.run(_tidy(context.obj))
    if json:
        as_json(asdict(done))
        return
    say(f"Days counted: {done.days_counted}.")
    say(f"Deleted: {done.questions} questions, {done.submissions} submissions, {done.fetches} visits of the crawler.")


async def _tidy(settings: Settings) -> Tidied:
    async with open_core(settings) as core:
        return await upkeep.tidy(core.store, kept(settings), now())


async def _upgrade(settings: Settings) -> tuple[str | None, str | None]:
    datadir.prepare(settings.data_dir)
    async with database(settings) as store:
        return await upgrade(store)


async def _export(settings: Settings, member: str) -> privacy.Export:
    async with open_core(settings) as core:
        found = await privacy.export(core.store, member)
    if not found:
        raise NotFound("error.member.nothing_stored", name=member)
    return found


async def _forget(settings: Settings, member: str) -> dict[str, int]:
    async with open_core(settings) as core:
        removed = await privacy.forget(core.store, member)
    if not removed:
        raise NotFound("error.member.nothing_stored", name=member)
    return removed
