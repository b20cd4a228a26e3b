"""`/settings`: who may change what a server's moderators decide, and what is shown of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord import LocalDiscord, Person
from tests.e2e.bot.stage import Stage


@pytest.mark.parametrize("command", ["show", "language", "channels", "defaults", "digest"])
async def test_settings_are_for_moderators_whatever_the_client_shows(
    stage: Stage, place: LocalDiscord, ann: Person, command: str
) -> None:
    """Permissions of commands can be overridden in a server: the bot checks again."""
    guild = place.world.add_guild()
    options: dict[str, Any] = {"choice": "zh"} if command == "language" else {}
    async with stage.bot():
        for registered in place.world.commands[None]:
            registered["default_member_permissions"] = None
        reply = await (await ann.run(f"settings {command}", guild.general, **options)).reply()
        assert "may manage the server" in reply.text


async def test_a_moderator_sets_the_language_of_a_server(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    guild.moderators.add(ann.user.id)
    async with stage.bot():
        await (await ann.run("settings language", guild.general, choice="zh")).reply()
        shown = await (await ann.run("settings show", guild.general)).reply()
        assert "本服务器的设置" in shown.text
        bob = place.person("bob")
        assert "我能做什么" in (await (await bob.run("help", guild.general)).reply()).text
        await (await bob.run("language", guild.general, choice="en")).reply()
        assert "What I can do" in (await (await bob.run("help", guild.general)).reply()).text
        assert "What I can do" in (await (await ann.run("help", place.world.add_guild().general)).reply()).text


async def test_the_digest_is_turned_on_and_off(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    guild.moderators.add(ann.user.id)
    async with stage.bot():
        await place.gateway.announce(guild)
        on = await (await ann.run("settings digest", guild.general, channel=guild.general)).reply()
        assert f"<#{guild.general.id}>" in on.text
        assert f"<#{guild.general.id}>" in (await (await ann.run("settings show", guild.general)).reply()).text
        off = await (await ann.run("settings digest", guild.general)).reply()
        assert "is off" in off.text
