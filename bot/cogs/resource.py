"""`/resource`: what a group reads, and what it adds to its own library; `/gaps`: what it lacks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import topic_choices
from bot.buttons import Verbs
from bot.client import WarpmateBot
from bot.render.resource import gaps_card, list_card, resource_card, review_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import NotAllowed

Interaction = discord.Interaction[Any]
SINCE = timedelta(days=30)


class Resource(commands.GroupCog, group_name="resource", group_description="What this group reads"):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.library = bot.services.catalogue
        bot.answer_to(Verbs(buttons={"approve": self.approve, "reject": self.reject, "library_page": self.turn_page}))

    @app_commands.command()
    @app_commands.describe(url="Address of the page")
    async def add(self, interaction: Interaction, url: app_commands.Range[str, 8, 2000]) -> None:
        """Suggest a page; a moderator approves it"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            added = await self.library.add(caller.scope, caller.member_id, url.strip(), approved=caller.is_moderator)
        await finish_reply(interaction, resource_card(added, caller.language, moderator=caller.is_moderator))

    @app_commands.command()
    @app_commands.describe(name="Title, address or id of a resource")
    async def info(self, interaction: Interaction, name: app_commands.Range[str, 1, 200]) -> None:
        """What is known of one resource"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        found = await self.library.info(caller.scope, name, caller.lang)
        await finish_reply(interaction, resource_card(found, caller.language, moderator=caller.is_moderator))

    @app_commands.command(name="list")
    @app_commands.describe(topic="Of one topic only")
    async def list_(self, interaction: Interaction, topic: app_commands.Range[str, 1, 100] | None = None) -> None:
        """The library's resources"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        found = await self.library.listed(caller.scope, topic, caller.lang)
        made = list_card(found, topic or "", 0, caller.user_id, caller.language)
        await finish_reply(interaction, made)

    @app_commands.command()
    async def review(self, interaction: Interaction) -> None:
        """For moderators: the suggestions that wait"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed("error.discord.moderators_decide")
        waiting = await self.library.listed(caller.scope, None, caller.lang, state="pending")
        own = [one for one in waiting if one.guild_id == caller.scope.guild_id]  # the others are not theirs to decide
        await finish_reply(interaction, review_card(own, caller.language))

    @app_commands.command()
    async def withdraw(self, interaction: Interaction) -> None:
        """Take back all that this server keeps of your forum messages"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            taken_back = await self.bot.services.kept_threads.withdraw(caller.scope, caller.member_id)
        await finish_reply(interaction, caller.language("forum.withdrawn", n=taken_back))

    @list_.autocomplete("topic")
    async def topics(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return topic_choices(self.bot.services.content.topics, typed, (await self.bot.caller(interaction)).lang)

    @info.autocomplete("name")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self.bot.caller(interaction)
        found = await self.library.listed(caller.scope, None, caller.lang)
        near = [one for one in found if typed.lower() in one.title(caller.lang).lower() and len(one.id) <= 100]
        return [app_commands.Choice(name=one.title(caller.lang)[:100], value=one.id) for one in near[:25]]

    async def approve(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._decide(interaction, arguments[0], approved=True)

    async def reject(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._decide(interaction, arguments[0], approved=False)

    async def turn_page(self, interaction: Interaction, arguments: list[str]) -> None:
        owner, page, topic = int(arguments[0]), int(arguments[1]), arguments[2]
        caller = await self.bot.owner(interaction, owner)
        found = await self.library.listed(caller.scope, topic or None, caller.lang)
        await interaction.response.edit_message(view=list_card(found, topic, page, owner, caller.language).view)

    async def _decide(self, interaction: Interaction, resource_id: str, *, approved: bool) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed("error.discord.moderators_decide")
        await self.library.decide(caller.scope, resource_id, approved=approved)
        said = caller.language("resource.approved" if approved else "resource.rejected")
        await finish_reply(interaction, said)


class Gaps(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot

    @app_commands.command()
    async def gaps(self, interaction: Interaction) -> None:
        """Questions that the library could not answer well"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        found = await self.bot.services.library.gaps(caller.scope, datetime.now(UTC) - SINCE)
        await finish_reply(interaction, gaps_card(found, caller.language))


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Resource(bot))
    await bot.add_cog(Gaps(bot))
