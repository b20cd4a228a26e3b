"""What the tests over the local Discord share: the content that comes along, and a bot that identifies at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import WarpmateBot
from knowledge.content import Content
from tests.shipped_content import shipped_content


@pytest.fixture(scope="session")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="session", autouse=True)
def _no_pauses() -> Iterator[None]:
    """The library waits five seconds before it identifies again, out of care for the real Discord."""

    async def at_once(self: WarpmateBot, shard_id: int | None, *, initial: bool = False) -> None:
        return None

    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WarpmateBot, "before_identify_hook", at_once)
        yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
