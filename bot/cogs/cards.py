"""`/card`: the figures of one to four cards from the table of hardware."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import MOST
from bot.client import WarpmateBot
from bot.render.cards import cards_card
from knowledge.figures.compare import card_choices, compared

Interaction = discord.Interaction[Any]
Name = app_commands.Range[str, 1, 60]


class Cards(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot

    @app_commands.command(name="card")
    @app_commands.describe(
        name="A card, for instance H100 or RTX 4090", second="A card to compare it with", third="A third card",
        fourth="A fourth card",
    )  # fmt: skip
    async def card(
        self,
        interaction: Interaction,
        name: Name,
        second: Name | None = None,
        third: Name | None = None,
        fourth: Name | None = None,
    ) -> None:
        """Figures of cards, side by side, with their sources"""
        caller = await self.bot.caller(interaction)
        names = tuple(each for each in (name, second, third, fourth) if each)
        made = cards_card(compared(names), caller.language)
        await interaction.response.send_message(view=made.view, ephemeral=caller.answers_private(None))

    @card.autocomplete("name")
    @card.autocomplete("second")
    @card.autocomplete("third")
    @card.autocomplete("fourth")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=name, value=name) for name in card_choices(typed, MOST)]


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Cards(bot))
