"""`warpmate doctor`: is everything here that an installation needs, and what to do where it is not."""

from __future__ import annotations

import asyncio

import typer

from warpmate.options import AsJson
from warpmate.render import as_json, say
from warpmate.settings import Settings

_MARKS = {"ok": "✓", "off": "–", "warn": "!", "bad": "✗"}


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(context: typer.Context, json: AsJson = False) -> None:
    """Look at everything, from the settings to Discord: a line for each part, with what to do where it is amiss."""
    if not asyncio.run(_doctor(context.obj, json)):
        raise typer.Exit(1)


async def _doctor(settings: Settings, json: bool) -> bool:
    from warpmate.doctor import diagnoses

    found = []
    async for one in diagnoses(settings):
        found.append(one)
        if not json:
            say(f"{_MARKS[one.state]} {one.part}: {one.finding}")
            if one.advice:
                say(f"    {one.advice}")
    if json:
        as_json({"parts": [one.as_json() for one in found]})
    return all(one.state != "bad" for one in found)
