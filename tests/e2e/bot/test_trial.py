"""The page of the local Discord, as a contributor uses it: over HTTP, with the real bot behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord import LocalDiscord, local_discord
from tests.discord.trial import Trial
from tests.e2e.bot.stage import KERNEL, Stage


@pytest.fixture
async def own_place() -> AsyncIterator[LocalDiscord]:
    async with local_discord(page=Trial) as place:
        yield place


async def wanted(session: aiohttp.ClientSession, place: LocalDiscord, text: str) -> dict[str, Any]:
    """The state once a message holds the text."""
    async with asyncio.timeout(8):
        while True:
            async with session.get(f"{place.http}/trial/state?locale=en-US") as answer:
                state: dict[str, Any] = await answer.json()
            if state["form"] if text == "a form" else text in str(state["messages"]):
                return state
            await asyncio.sleep(0.02)


async def test_a_visitor_types_presses_and_fills(stage: Stage, place: LocalDiscord) -> None:
    async with stage.bot(), aiohttp.ClientSession() as session:
        async with session.get(place.http) as page:
            assert "Local Discord" in await page.text()

        async def act(deed: str, **body: Any) -> int:
            async with session.post(f"{place.http}/trial/{deed}", json={"locale": "en-US", **body}) as answer:
                return answer.status

        assert await act("command", text="/nonsense") == 400
        assert await act("command", text="/recommend level:beginner topic:cuda") == 200
        state = await wanted(session, place, "Kernels and launches")
        listed = state["messages"][-1]
        save = next(
            part
            for row in listed["components"][0]["components"]
            for part in row.get("components", ())
            if part.get("label") == "Save"
        )
        assert await act("press", message=listed["id"], custom_id=save["custom_id"]) == 200
        await wanted(session, place, "/saved shows it")
        assert await act("command", text="/submit problem:vector_add") == 200
        await wanted(session, place, "a form")
        assert await act("form", values={"CUDA code": KERNEL}) == 200
        await wanted(session, place, "accepted")
        assert await act("say", text="what is a warp?") == 200
        await wanted(session, place, "rather not guess")
