"""`/language` and `/privacy`: what belongs to one member."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import Press, Style, Verbs, row
from bot.client import WarpmateBot
from bot.render.card import Tone, Upload, card, with_file
from bot.reply import finish_reply, start_reply
from bot.translator import AUTO, offer_languages
from knowledge import members, privacy

Interaction = discord.Interaction[Any]


class Member(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        offer_languages(self.language, "choice", bot.languages, AUTO)
        bot.answer_to(
            Verbs(buttons={"export": self.export, "forget": self.ask_to_forget, "forget_now": self.forget_now})
        )

    @app_commands.command()
    @app_commands.describe(choice="auto follows the server and your Discord client")
    async def language(self, interaction: Interaction, choice: str) -> None:
        """The language in which the bot answers you"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await members.set_language(self.bot.services.store, caller.member_id, None if choice == AUTO else choice)
        self.bot.choices_changed(interaction)
        language = (await self.bot.caller(interaction)).language
        said = language("language_set.chosen", language=language("tag.own_name"))
        await finish_reply(interaction, language("language_set.auto") if choice == AUTO else said)

    @app_commands.command()
    async def privacy(self, interaction: Interaction) -> None:
        """What is stored about you; take it with you or delete it"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        stored = await privacy.export(self.bot.services.store, caller.member_id)
        language = caller.language
        counts = "\n".join(f"- `{table}`: {len(rows)}" for table, rows in stored.items()) or language(
            "privacy.nothing"
        )
        buttons = row(
            Press("export", caller.user_id, label=language("privacy.export"), disabled=not stored),
            Press(
                "forget", caller.user_id, label=language("privacy.delete"), style=Style.danger, disabled=not stored
            ),
        )
        made = card(f"### {language('privacy.title')}", language("privacy.about"), counts, buttons)
        await finish_reply(interaction, made)

    async def export(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.owner(interaction, int(arguments[0]))
        stored = await privacy.export(self.bot.services.store, caller.member_id)
        body = json.dumps(stored, ensure_ascii=False, indent=2, default=str).encode()
        made = with_file(card(caller.language("privacy.exported")), Upload("warpmate.json", body))
        await finish_reply(interaction, made)

    async def ask_to_forget(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.owner(interaction, int(arguments[0]))
        sure = Press("forget_now", caller.user_id, label=caller.language("privacy.delete_now"), style=Style.danger)
        made = card(caller.language("privacy.sure"), row(sure), tone=Tone.BAD)
        await interaction.response.send_message(view=made.view, ephemeral=True)

    async def forget_now(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.owner(interaction, int(arguments[0]))
        removed = await privacy.forget(self.bot.services.store, caller.member_id)
        said = caller.language("privacy.deleted", n=sum(removed.values()))
        await finish_reply(interaction, said)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Member(bot))
