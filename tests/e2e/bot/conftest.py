from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import WarpmateBot
from knowledge.content import Content, content_folder, load_content
from tests.discord import LocalDiscord, Person, local_discord
from tests.e2e.bot.stage import Stage, staged
from tests.stores import migrated_store


@pytest.fixture(scope="session")
def content() -> Content:
    return load_content(content_folder())


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The library waits five seconds before it identifies again, out of care for the real Discord."""

    async def at_once(self: WarpmateBot, shard_id: int | None, *, initial: bool = False) -> None:
        return None

    monkeypatch.setattr(WarpmateBot, "before_identify_hook", at_once)
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@pytest.fixture
async def place() -> AsyncIterator[LocalDiscord]:
    async with local_discord() as place:
        yield place


@pytest.fixture
async def stage(place: LocalDiscord, tmp_path: Path, content: Content) -> AsyncIterator[Stage]:
    async with migrated_store("sqlite", tmp_path) as store, staged(place, store, content, tmp_path) as stage:
        yield stage


@pytest.fixture(params=["en-US", "zh-CN"])
def person(request: pytest.FixtureRequest, place: LocalDiscord) -> Person:
    """Somebody whose client is set to one of our languages."""
    return place.person("ann" if request.param == "en-US" else "小安", request.param, installed=True)


@pytest.fixture
def ann(place: LocalDiscord) -> Person:
    return place.person("ann", installed=True)
