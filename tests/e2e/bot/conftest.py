from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from knowledge.content import Content
from tests.discord import LocalDiscord, Person, local_discord
from tests.e2e.bot.stage import Stage, staged
from tests.stores import copied_store


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Stage:
    """A Discord, a house and a database of the test's own; in a module marked ONE_LIFE those of the module."""
    mark = request.node.get_closest_marker("asyncio")
    shared = mark is not None and mark.kwargs.get("loop_scope") == "module"
    stage: Stage = request.getfixturevalue("shared_stage" if shared else "own_stage")
    return stage


@pytest.fixture
async def own_place() -> AsyncIterator[LocalDiscord]:
    async with local_discord() as place:
        yield place


@pytest.fixture
async def own_stage(
    own_place: LocalDiscord, tmp_path: Path, content: Content, sqlite_template: str
) -> AsyncIterator[Stage]:
    async with copied_store(sqlite_template, tmp_path) as store, staged(own_place, store, content, tmp_path) as stage:
        yield stage
        stage.behaved()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_stage(
    content: Content, sqlite_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("module")
    async with (
        local_discord() as place,
        copied_store(sqlite_template, folder) as store,
        staged(place, store, content, folder) as stage,
        stage.bot(),
    ):
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def shared_stage(running_stage: Stage) -> AsyncIterator[Stage]:
    yield running_stage
    running_stage.behaved()
    await running_stage.calm()


@pytest.fixture
def place(stage: Stage) -> LocalDiscord:
    return stage.discord


@pytest.fixture(params=["en-US", "zh-CN"])
def person(request: pytest.FixtureRequest, place: LocalDiscord) -> Person:
    """Somebody whose client is set to one of our languages."""
    return place.person("ann" if request.param == "en-US" else "小安", request.param, installed=True)


@pytest.fixture
def ann(place: LocalDiscord) -> Person:
    return place.person("ann", installed=True)
