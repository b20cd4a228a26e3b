"""`/calc`: every option of every calculator, and cards offered while typing."""

from __future__ import annotations

import pytest

from tests.discord import Person
from tests.e2e.bot.stage import Stage

SIZES = {
    "calc gemm": {"m": 512, "n": 512, "k": 512, "format": "fp16"},
    "calc conv": {
        "kernel": 3,
        "in": 8,
        "out": 16,
        "height": 28,
        "width": 28,
        "batch": 2,
        "stride": 2,
        "format": "int8",
    },
    "calc occupancy": {"threads": 256, "registers": 64, "shared": 49152},
}


@pytest.mark.parametrize("command", SIZES)
async def test_a_calculation_takes_every_option(stage: Stage, person: Person, command: str) -> None:
    async with stage.bot():
        reply = await (await person.run(command, stage.place("guild", person), card="a100", **SIZES[command])).reply()
        assert not reply.private
        assert "A100" in reply.text


async def test_cards_are_offered_while_typing(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", person)
        for command, needed in SIZES.items():
            typing = await person.complete(command, channel, "card", **needed, card="h2")
            assert [name for name, _ in await typing.choices()]


async def test_a_calculation_that_cannot_be_is_told(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("calc conv", stage.place("guild", person), kernel=3, card="riva tnt")).reply()
        assert reply.private
        assert "riva tnt" in reply.text
