"""The page of the local Discord, as a contributor uses it: over HTTP, with the real bot behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.discord import LocalDiscord, local_discord
from tests.discord.check_messages import walk
from tests.discord.trial import Trial
from tests.discord.visitor import Visitor
from tests.e2e.bot.stage import KERNEL, Stage


@pytest.fixture
async def own_place() -> AsyncIterator[LocalDiscord]:
    async with local_discord(page=Trial) as place:
        yield place


async def test_a_visitor_types_presses_and_fills(stage: Stage, place: LocalDiscord) -> None:
    async with stage.bot(), aiohttp.ClientSession() as session:
        async with session.get(place.http) as page:
            assert "Local Discord" in await page.text()
        visitor = Visitor(session, place.http)
        assert await visitor.act("command", text="/nonsense") == 400
        assert await visitor.act("command", text="/recommend level:beginner topic:cuda") == 200
        listed = await visitor.message("CUDA basics", "**1.**")
        save = next(part for part in walk(listed["components"]) if part.get("label") == "Save")
        assert await visitor.act("press", message=listed["id"], custom_id=save["custom_id"]) == 200
        await visitor.message("/saved shows it")
        assert await visitor.act("command", text="/submit problem:vector_add") == 200
        await visitor.form()
        assert await visitor.act("form", values={"CUDA code": KERNEL}) == 200
        await visitor.message("accepted")
        assert await visitor.act("say", text="what is a warp?") == 200
        await visitor.message("rather not guess")
