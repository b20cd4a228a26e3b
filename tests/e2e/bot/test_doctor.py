"""What `warpmate doctor` hears of Discord: the servers, and what the bot may not do in them."""

from __future__ import annotations

import discord
import pytest
from pydantic import SecretStr

from bot.app import DiscordAway, TokenRefused
from bot.doctor import NEEDED, account_facts
from tests.e2e.bot.stage import Stage
from warpmate.doctor import diagnoses
from warpmate.settings import Settings


async def test_the_permissions_that_a_server_withholds_are_named(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("whole").bot_permissions = NEEDED.value
    own_stage.discord.world.add_guild("administered").bot_permissions = discord.Permissions(administrator=True).value
    lacking = discord.Permissions(NEEDED.value & ~discord.Permissions(attach_files=True).value)
    own_stage.discord.world.add_guild("narrow").bot_permissions = lacking.value
    facts = await account_facts(own_stage.account)
    own_stage.discord.rest.calls.clear()  # they are the doctor's, not the bot's
    assert facts.servers == 3
    assert facts.lacking == (("narrow", ("attach_files",)),)


async def test_a_refused_token_and_an_absent_discord_are_told_apart(own_stage: Stage) -> None:
    account = own_stage.account
    with pytest.raises(TokenRefused):
        await account_facts(type(account)("no.such.token", account.api_base, account.gateway))
    with pytest.raises(DiscordAway):
        await account_facts(type(account)(account.token, "http://127.0.0.1:1/api/v10", account.gateway))


async def test_the_doctor_says_what_to_do_about_the_bot(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("narrow").bot_permissions = 0
    settings = Settings(
        data_dir=own_stage.folder,
        discord_token=SecretStr(own_stage.account.token),
        discord_api_base=own_stage.account.api_base,
        discord_gateway=own_stage.account.gateway,
    )
    (found,) = [one async for one in diagnoses(settings) if one.part == "discord"]
    own_stage.discord.rest.calls.clear()
    assert found.state == "warn"
    assert "in narrow it lacks" in found.finding
    assert "send_messages" in found.finding
    assert found.advice == "grant them to its role"
