"""`/group`: the plan that a server follows together, who is named in it, and the buttons under the bot's posts."""

from __future__ import annotations

from typing import Any, Literal, get_args

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import goal_choices
from bot.buttons import Verbs
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.cogs.settings import check_open
from bot.markup import when
from bot.render.card import Card, card
from bot.render.group import NAME_ME, SHOW, standing_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.group import MOST_WEEKS, GroupPlan, WeekStanding
from knowledge.memberships import DiscordAway

Interaction = discord.Interaction[Any]
Level = Literal["beginner", "intermediate", "advanced"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class GroupCog(commands.GroupCog, group_name="group", group_description="What this server learns together"):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.group = bot.services.group
        bot.answer_to(Verbs(buttons={SHOW: self.press_show, NAME_ME: self.name_me}))

    @app_commands.command()
    @app_commands.describe(
        goal="A topic with everything that leads to it, a topic alone, or a problem",
        weeks="For how many weeks",
        weekday="On which day a week begins",
        hour="At which hour (UTC); left out, today counts as well",
        channel="Where the weeks are opened and closed; left out, here",
        level="What the members are at home with",
    )
    async def start(
        self,
        interaction: Interaction,
        goal: app_commands.Range[str, 1, 100],
        weeks: app_commands.Range[int, 1, MOST_WEEKS],
        weekday: Weekday,
        hour: app_commands.Range[int, 0, 23] | None = None,
        channel: discord.TextChannel | None = None,
        level: Level = "beginner",
    ) -> None:
        """Moderators: begin a plan for this server, in place of the one it has"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        place = channel or interaction.channel
        if not isinstance(place, discord.TextChannel):
            raise BadInput("error.group.no_channel")
        check_open(place)
        day = get_args(Weekday).index(weekday)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            plan = await self.group.start(
                caller.scope, goal, weeks, day, str(place.id), hour=hour, level=level, lang=caller.lang
            )
        longest = max(week.minutes for week in plan.weeks)
        said = caller.language(
            "group.started", goal=plan.goal.said, n=len(plan.weeks), channel=place.mention,
            when=when(plan.starts_at, "F"), longest=caller.language.duration(longest),
        )  # fmt: skip
        await finish_reply(interaction, said)
        await self.bot.group_posts.look(self.group.clock())

    @start.autocomplete("goal")
    async def goals(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return goal_choices(self.bot.services.content, typed, (await self.bot.caller(interaction)).language)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """The plan of this server, and where it stands"""
        caller = await self.bot.caller(interaction)
        await start_reply(interaction, private=caller.answers_private(None))
        await finish_reply(interaction, await self._standing(caller))

    @app_commands.command()
    async def stop(self, interaction: Interaction) -> None:
        """Moderators: end the plan of this server"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        await self.group.stop(caller.scope)
        await finish_reply(interaction, caller.language("group.stopped"))

    @app_commands.command()
    @app_commands.describe(named="Whether others here see by name what you read and solved")
    async def named(self, interaction: Interaction, named: bool) -> None:
        """Be named in this server with what you read and solved, or no longer"""
        await start_reply(interaction)
        await finish_reply(interaction, await self._set_named(await self.bot.caller(interaction), named=named))

    async def name_me(self, interaction: Interaction, _arguments: list[str]) -> None:
        await start_reply(interaction)
        await finish_reply(interaction, await self._set_named(await self.bot.caller(interaction), named=True))

    async def press_show(self, interaction: Interaction, _arguments: list[str]) -> None:
        """To whoever pressed alone."""
        await start_reply(interaction)
        await finish_reply(interaction, await self._standing(await self.bot.caller(interaction)))

    async def _set_named(self, caller: Caller, *, named: bool) -> Card:
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            await self.group.named.set(caller.scope, caller.member_id, named=named)
        return card(caller.language("group.named" if named else "group.not_named"))

    async def _standing(self, caller: Caller) -> Card:
        plan, now = await self.group.plan(caller.scope), self.group.clock()
        if plan is None:
            raise NotFound("error.group.no_plan")
        items = await self.group.items(plan, plan.number_at(now)) if plan.runs_at(now) else ()
        standings = await self.group.standings(plan, now)
        shown = [await self._of_members(plan, standing) for standing in standings[-1:]]
        return standing_card(plan, (*standings[:-1], *shown), items, now, caller.language)

    async def _of_members(self, plan: GroupPlan, standing: WeekStanding) -> WeekStanding:
        """Return it with nobody named who has left the guild, and with nobody at all while that cannot be known."""
        try:
            return await self.bot.group_posts.of_members(plan, standing)
        except DiscordAway:
            return standing.naming(())

    async def _moderator(self, interaction: Interaction) -> Caller:
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed("error.discord.moderators_set")
        return caller


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(GroupCog(bot))
