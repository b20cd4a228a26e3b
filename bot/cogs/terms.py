"""`/define`: what a term of the glossary means."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import MOST
from bot.client import WarpmateBot
from bot.markup import link, one_line
from bot.render.card import Card, card
from knowledge.content import Definition
from knowledge.definitions import other_names, term_named, terms_with
from knowledge.words import Language

Interaction = discord.Interaction[Any]


class Terms(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot

    @app_commands.command(name="define")
    @app_commands.describe(term="A term by any of its names, for instance warp or bank conflict")
    async def define(self, interaction: Interaction, term: app_commands.Range[str, 1, 100]) -> None:
        """What a term means, in one to three sentences"""
        caller = await self.bot.caller(interaction)
        made = term_card(term_named(self.bot.services.content.definitions, term), caller.language)
        await interaction.response.send_message(view=made.view, ephemeral=caller.answers_private(None))

    @define.autocomplete("term")
    async def terms(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        lang = (await self.bot.caller(interaction)).lang
        found = terms_with(self.bot.services.content.definitions, typed)[:MOST]
        return [app_commands.Choice(name=one.title(lang)[:100], value=one.title(lang)[:100]) for one in found]


def term_card(definition: Definition, language: Language) -> Card:
    """Return the card of a term: its text, its other names, the source, and the note that says more."""
    lang, colon = language.code, language("list.colon")
    small = [f"{language('terms.source')}{colon}{link(definition.source.what, definition.source.url)}"]
    if names := other_names(definition, lang):
        small.insert(0, f"{language('terms.also')}{colon}{one_line(language.listed(names), 400)}")
    if definition.note:
        small.append(f"{language('terms.more')}{colon}`note:{definition.note}`")
    return card(
        f"### {one_line(definition.title(lang))}",
        definition.text.text(lang),
        "\n".join(f"-# {line}" for line in small),
    )


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Terms(bot))
