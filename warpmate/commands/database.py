"""`warpmate db`: migrations and what privacy asks for."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from knowledge import privacy
from knowledge.errors import NotFound
from knowledge.store import open_store
from knowledge.store.migrate import upgrade
from warpmate import datadir
from warpmate.render import as_json, say
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

db = typer.Typer(help="Migrations, and what is stored about a member.", no_args_is_help=True)


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


async def _upgrade(settings: Settings) -> tuple[str | None, str | None]:
    datadir.prepare(settings.data_dir)
    async with open_store(settings.store_url) as store:
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
