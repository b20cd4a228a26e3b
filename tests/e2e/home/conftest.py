"""One Discord, bot and site for a module: its tests bring people and guilds of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from knowledge.content import Content
from tests.discord import local_discord
from tests.e2e.home.stage import Home, People, at_home, with_bot
from tests.integration.warpmate import forks
from tests.stores import copied_store


@pytest.fixture(scope="session", autouse=True)
def _forked_commands() -> Iterator[None]:
    yield
    forks.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home(
    content: Content, sqlite_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    async with (
        local_discord() as discord,
        copied_store(sqlite_template, folder) as store,
        at_home(discord, store, content) as opened,
        with_bot(opened, folder),
    ):
        yield opened


@pytest.fixture
def people(home: Home) -> People:
    return home.people
