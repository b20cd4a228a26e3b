"""`/help` lists every command, and problems are offered while typing."""

from __future__ import annotations

import pytest

from tests.discord import LocalDiscord, Person
from tests.e2e.bot.stage import Stage


@pytest.mark.parametrize("option", ["problem", "name"])
async def test_problems_are_offered_while_typing(stage: Stage, person: Person, option: str) -> None:
    command = {"problem": "submit", "name": "problems"}[option]
    async with stage.bot():
        typing = await person.complete(command, stage.place("guild", person), option, **{option: "reduce"})
        assert "reduce_sum" in [value for _, value in await typing.choices()]


async def test_help_lists_every_command(stage: Stage, place: LocalDiscord, person: Person) -> None:
    async with stage.bot():
        text = (await (await person.run("help", stage.place("guild", person))).reply()).text
        names = [c["name"] for c in place.world.commands[None] if c.get("type", 1) == 1]
        assert [name for name in names if f"/{name}" not in text] == []
