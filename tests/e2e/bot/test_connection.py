"""Discord that is away, refuses, is lost or stands behind a proxy: the bot comes back by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import Account, kept_connected
from knowledge.content import Content
from knowledge.discord_status import DiscordState
from knowledge.errors import SetupError
from tests.discord import LocalDiscord, local_discord
from tests.e2e.bot.stage import Stage, staged
from tests.proxies import proxy
from tests.stores import copied_store

PAUSES_S = (0.05, 0.1)


@asynccontextmanager
async def kept(stage: Stage, account: Account) -> AsyncIterator[None]:
    async with kept_connected(stage.services, account, stage.options, PAUSES_S, guild_ready_timeout=0.02):
        yield


async def stands(stage: Stage, state: DiscordState) -> None:
    async def now() -> DiscordState:
        return stage.services.discord.state

    await stage.until(now, state)


async def recommends(place: LocalDiscord) -> bool:
    ann = place.person("ann", installed=True)
    exchange = await ann.run("help", place.world.direct_channel(ann.user))
    return "/recommend" in (await exchange.reply()).text


def port_of(place: LocalDiscord) -> int:
    return int(place.http.rsplit(":", 1)[1])


async def test_a_discord_that_is_away_at_the_start_is_tried_until_it_is_there(
    tmp_path: Path, content: Content, sqlite_template: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with local_discord() as place:
        port = port_of(place)
    account = Account(place.token, place.api_base, place.gateway.url)
    async with (
        copied_store(sqlite_template, tmp_path) as store,
        staged(place, store, content, tmp_path) as stage,
        kept(stage, account),
    ):
        await stands(stage, "away")
        async with local_discord(port=port) as back:
            await stands(stage, "connected")
            assert await recommends(back)
    said = [record for record in caplog.records if record.name == "bot.app" and record.levelno >= logging.WARNING]
    assert len(said) == 1, "one line, however often it is tried"
    assert "everything else goes on" in said[0].getMessage()


async def test_a_discord_that_was_lost_is_found_again(tmp_path: Path, content: Content, sqlite_template: str) -> None:
    async with copied_store(sqlite_template, tmp_path) as store:
        async with local_discord() as place, staged(place, store, content, tmp_path) as stage:
            port = port_of(place)
            keeping = kept(stage, stage.account)
            await keeping.__aenter__()
            await stands(stage, "connected")
        try:
            await stands(stage, "connecting")
            async with local_discord(port=port) as back:
                await stands(stage, "connected")
                assert len(back.gateway.sessions) == 1
        finally:
            await keeping.__aexit__(None, None, None)


async def test_a_wrong_token_is_said_once_and_not_tried_again(
    own_stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = Account("MTIz.not.a-token", own_stage.account.api_base, own_stage.account.gateway)
    async with kept(own_stage, wrong):
        await stands(own_stage, "refused")
        asked = len(own_stage.discord.rest.calls)
        async with own_stage.bot():
            assert await recommends(own_stage.discord)
    said = [record.getMessage() for record in caplog.records if "WARPMATE_DISCORD_TOKEN" in record.getMessage()]
    assert len(said) == 1
    assert asked <= 1


async def test_a_token_that_is_revoked_while_the_bot_runs_ends_the_bot_alone(own_stage: Stage) -> None:
    async with kept(own_stage, own_stage.account):
        await stands(own_stage, "connected")
        await own_stage.discord.gateway.cut(4004)
        await stands(own_stage, "refused")


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_everything_goes_through_the_proxy_that_the_environment_names(
    own_stage: Stage, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxy(kind, monkeypatch) as between:
        async with kept(own_stage, own_stage.account):
            await stands(own_stage, "connected")
            assert await recommends(own_stage.discord)
        if kind == "http":
            assert any("/gateway/" in path for path in between.paths)
            assert any("/callback" in path for path in between.paths)
        else:
            assert set(between.paths) == {f"127.0.0.1:{port_of(own_stage.discord)}"}
        before = len(between.paths)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with kept(own_stage, own_stage.account):
            await stands(own_stage, "connected")
        assert len(between.paths) == before


async def test_a_proxy_of_an_unknown_kind_is_said_in_one_line(
    own_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "gopher://user:secret@127.0.0.1:70")
    from bot.app import serving

    with pytest.raises(SetupError, match="gopher") as raised:
        async with serving(own_stage.services, own_stage.account, own_stage.options):
            await asyncio.Event().wait()
    assert "secret" not in str(raised.value)
