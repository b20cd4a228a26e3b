"""`/plan`: weeks of readings, problems and review questions that lead to a goal, and the buttons under them."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import goal_choices
from bot.button_items import item_of
from bot.buttons import Verbs
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import Card
from bot.render.plan import answer_card, no_question_card, plan_card, question_card, stop_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import NotFound
from knowledge.plans import Plan

Interaction = discord.Interaction[Any]
Level = Literal["beginner", "intermediate", "advanced"]
Hours = app_commands.Range[int, 1, 40]


class PlanCog(commands.GroupCog, group_name="plan", group_description="A plan by the week that leads to a goal"):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.plans = bot.services.plans
        bot.answer_to(
            Verbs(
                buttons={
                    "plan_page": self.turn, "plan_skip": self.skip_week, "plan_resume": self.resume,
                    "plan_stop": self.ask_to_stop, "plan_stop_now": self.stop_now, "review": self.begin_review,
                    "review_open": self.open_answer, "review_right": self.knew, "review_wrong": self.knew_not,
                },
                selects={"plan_done": self.done},
            )
        )  # fmt: skip

    @app_commands.command()
    @app_commands.describe(
        goal="A topic with everything that leads to it, a topic alone, or a problem",
        hours="Hours that you have in a week",
        level="What you are at home with; else as estimated from what you did",
    )
    async def start(
        self,
        interaction: Interaction,
        goal: app_commands.Range[str, 1, 100],
        hours: Hours,
        level: Level | None = None,
    ) -> None:
        """Make a plan, in place of the one you have"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            made = await self.plans.start(caller.scope, caller.member_id, goal, hours, level, caller.lang)
        await finish_reply(interaction, plan_card(made, 0, caller.user_id, caller.language))

    @start.autocomplete("goal")
    async def goals(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return goal_choices(self.bot.services.content, typed, (await self.bot.caller(interaction)).language)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """Your plan from this week on"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        plan = await self._plan(caller)
        await finish_reply(interaction, plan_card(plan, 0, caller.user_id, caller.language))

    @app_commands.command()
    @app_commands.describe(hours="Hours that you have in a week from now on")
    async def hours(self, interaction: Interaction, hours: Hours) -> None:
        """Change the hours of a week"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            plan = await self.plans.set_hours(caller.scope, caller.member_id, hours, caller.lang)
        await finish_reply(interaction, plan_card(plan, 0, caller.user_id, caller.language))

    @app_commands.command()
    async def skip(self, interaction: Interaction) -> None:
        """Skip a week; everything moves on and nothing is lost"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            plan = await self.plans.skip(caller.scope, caller.member_id, lang=caller.lang)
        await finish_reply(interaction, plan_card(plan, 0, caller.user_id, caller.language))

    @app_commands.command()
    async def stop(self, interaction: Interaction) -> None:
        """Stop your plan; what you read and solved stays"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await self._plan(caller)
        await finish_reply(interaction, stop_card(caller.user_id, caller.language))

    @app_commands.command()
    async def review(self, interaction: Interaction) -> None:
        """The review questions that are due today"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await finish_reply(interaction, await self._next_question(caller))

    async def turn(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        await self._show(interaction, caller, await self._plan(caller), int(arguments[1]))

    async def skip_week(self, interaction: Interaction, arguments: list[str]) -> None:
        """The week that the button stood under, however often it is pressed."""
        caller = await self.bot.owner(interaction, int(arguments[0]))
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            week = date.fromisoformat(arguments[1])
            plan = await self.plans.skip(caller.scope, caller.member_id, week, caller.lang)
        await self._show(interaction, caller, plan)

    async def resume(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            plan = await self.plans.resume(caller.scope, caller.member_id, caller.lang)
        await self._show(interaction, caller, plan)

    async def ask_to_stop(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        made = stop_card(caller.user_id, caller.language)
        await interaction.response.send_message(view=made.view, ephemeral=True)

    async def stop_now(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.owner(interaction, int(arguments[0]))
        await self.plans.stop(caller.member_id)
        await finish_reply(interaction, caller.language("plan.stopped"))

    async def done(self, interaction: Interaction, arguments: list[str], values: list[str]) -> None:
        """Ticked off in the menu: read, or a part of something longer."""
        caller = await self.bot.owner(interaction, int(arguments[0]))
        reached, _, short = values[0].partition("|")
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            item = await item_of(self.bot.services.recommender, caller, short)
            if int(reached):
                plan = await self.plans.sit(caller.scope, caller.member_id, item.id, int(reached), caller.lang)
            else:
                await self.bot.services.recommender.remember(caller.scope, caller.member_id, item.id, "read")
                plan = await self._plan(caller)
        await self._show(interaction, caller, plan)

    async def begin_review(self, interaction: Interaction, arguments: list[str]) -> None:
        """Beside the plan, which stays as it is."""
        await start_reply(interaction)
        caller = await self.bot.owner(interaction, int(arguments[0]))
        await finish_reply(interaction, await self._next_question(caller))

    async def open_answer(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        question = await self.plans.reviews.question(caller.member_id, arguments[1], caller.lang)
        left = len(await self.plans.reviews.due(caller.member_id, caller.lang))
        made = answer_card(question, left, caller.user_id, caller.language)
        await interaction.response.edit_message(view=made.view)

    async def knew(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._grade(interaction, arguments, right=True)

    async def knew_not(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._grade(interaction, arguments, right=False)

    async def _grade(self, interaction: Interaction, arguments: list[str], *, right: bool) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            due = await self.plans.reviews.answer(caller.member_id, arguments[1], right)
        language = caller.language
        said = language("review.again", day=due) if due else language("review.known")
        await interaction.response.edit_message(view=(await self._next_question(caller, said)).view)

    async def _next_question(self, caller: Caller, said: str = "") -> Card:
        due = await self.plans.reviews.due(caller.member_id, caller.lang)
        if not due:
            return no_question_card(caller.language, said)
        return question_card(due[0], len(due), caller.user_id, caller.language, said)

    async def _plan(self, caller: Caller) -> Plan:
        plan = await self.plans.look(caller.scope, caller.member_id, caller.lang)
        if plan is None:
            raise NotFound("error.plan.none_on_discord")
        return plan

    async def _show(self, interaction: Interaction, caller: Caller, plan: Plan, page: int = 0) -> None:
        made = plan_card(plan, page, caller.user_id, caller.language)
        await interaction.response.edit_message(view=made.view)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(PlanCog(bot))
