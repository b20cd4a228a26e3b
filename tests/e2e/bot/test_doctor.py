"""What `warpmate doctor` hears of Discord: the servers, and what the bot may not do in them."""

from __future__ import annotations

import discord
import pytest
from pydantic import SecretStr

from bot.connection import DiscordAway, TokenRefused
from bot.doctor import SCOPES, account_facts
from bot.permissions import NEEDED
from tests.e2e.bot.stage import Stage
from warpmate.doctor import LOOKS, Diagnosis
from warpmate.settings import Settings


async def test_the_permissions_that_a_server_withholds_are_named(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("whole").bot_permissions = NEEDED.value
    own_stage.discord.world.add_guild("administered").bot_permissions = discord.Permissions(administrator=True).value
    narrow = discord.Permissions(NEEDED.value & ~discord.Permissions(attach_files=True).value)
    own_stage.discord.world.add_guild("narrow").bot_permissions = narrow.value
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


async def looked_at(stage: Stage) -> dict[str, Diagnosis]:
    """The doctor's lines on Discord."""
    settings = Settings(
        data_dir=stage.folder,
        discord_token=SecretStr(stage.account.token),
        discord_api_base=stage.account.api_base,
        discord_gateway=stage.account.gateway,
    )
    found = await LOOKS["discord"](settings)
    stage.discord.rest.calls.clear()
    return {one.part: one for one in found}


async def test_the_doctor_says_what_to_do_about_permissions(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("narrow").bot_permissions = 0
    found = await looked_at(own_stage)
    assert found["discord"].state == found["discord scopes"].state == "ok"
    permissions = found["discord permissions"]
    assert permissions.state == "warn"
    assert "in narrow it lacks" in permissions.finding
    assert "send_messages" in permissions.finding
    assert permissions.advice.startswith("grant them to its role")


async def test_the_doctor_says_what_comes_of_not_reading_what_was_said(own_stage: Stage) -> None:
    deaf = NEEDED.value & ~discord.Permissions(read_message_history=True).value
    own_stage.discord.world.add_guild("deaf").bot_permissions = deaf
    permissions = (await looked_at(own_stage))["discord permissions"]
    assert "in deaf it lacks read_message_history" in permissions.finding
    assert "a weekly post may come twice" in permissions.advice


async def test_a_server_that_gave_no_scope_for_commands_is_named(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("whole")
    own_stage.discord.world.add_guild("silent").bot_may_have_commands = False
    scopes = (await looked_at(own_stage))["discord scopes"]
    assert (scopes.state, scopes.finding) == ("bad", "in silent it may not have commands")
    assert "applications.commands" in scopes.advice


async def test_what_the_install_link_forgets_to_ask_for_is_named(own_stage: Stage) -> None:
    own_stage.discord.world.add_guild("whole")
    narrow = NEEDED.value & ~discord.Permissions(embed_links=True).value
    own_stage.discord.world.install_link = {"scopes": ["bot"], "permissions": str(narrow)}
    scopes = (await looked_at(own_stage))["discord scopes"]
    assert scopes.state == "warn"
    assert scopes.finding == "its install link does not ask for applications.commands, embed_links"
    own_stage.discord.world.install_link = {"scopes": list(SCOPES), "permissions": str(NEEDED.value)}
    assert (await looked_at(own_stage))["discord scopes"].state == "ok"
