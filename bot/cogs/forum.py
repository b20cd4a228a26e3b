"""*Keep for the library*: answered threads of a forum become a private reading, with their authors' consent.

The bot has no privileged intent, so it reads only the message on which a moderator chooses the command: they pick one
by one. Whoever wrote them is asked in the thread.
"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import Verbs
from bot.caller import Caller, member_id
from bot.client import WarpmateBot
from bot.forum_requests import asked_by
from bot.markup import when
from bot.render.card import card
from bot.render.forum import agreed_card, picked_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import BadInput, NotAllowed
from knowledge.kept_threads import Picked, Thread

Interaction = discord.Interaction[Any]


class Forum(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.kept = bot.services.kept_threads
        bot.answer_to(
            Verbs(
                buttons={
                    "forum_ask": self.ask,
                    "forum_drop": self.drop,
                    "forum_yes": self.agree,
                    "forum_no": self.refuse,
                }
            )
        )
        menu = app_commands.ContextMenu(
            name="Keep for the library",
            callback=self.pick,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        menu.default_permissions = discord.Permissions(manage_guild=True)
        bot.tree.add_command(menu)

    async def pick(self, interaction: Interaction, message: discord.Message) -> None:
        """Put a message of a forum's thread among those that are to be kept, or put it back."""
        await start_reply(interaction)
        caller, thread = await self._moderator(interaction), _thread_of(interaction)
        if message.author.bot:
            raise BadInput("error.forum.by_bot")
        if not message.content.strip():
            raise BadInput("error.forum.no_text")
        picked = Picked(str(message.id), member_id(message.author.id), message.content, message.edited_at)
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            found = await self.kept.pick(caller.scope, str(thread.id), _title(thread), picked)
        await finish_reply(interaction, picked_card(found, caller.language))

    async def ask(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller, thread = await self._moderator(interaction), _thread_of(interaction)
        if not interaction.app_permissions.send_messages_in_threads or thread.locked:
            raise NotAllowed("error.discord.may_not_write", channel=thread.mention)
        found = await self.kept.ask(caller.scope, arguments[0])
        until = when(found.until, "F") if found.until else ""
        await finish_reply(interaction, caller.language("forum.asked", until=until))
        await self.bot.forum_requests.look()

    async def drop(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        await self.kept.drop(caller.scope, arguments[0])
        await finish_reply(interaction, caller.language("forum.dropped"))

    async def agree(self, interaction: Interaction, arguments: list[str]) -> None:
        """Keep what the author was shown; what they have changed or deleted since is not that any more."""
        key = arguments[0]
        id_, user = asked_by(key)
        caller = await self.bot.owner(interaction, user)
        await interaction.response.defer()
        asked = await self.kept.find(caller.scope, id_)
        if not asked.of(caller.member_id):
            raise BadInput("error.forum.too_late")
        gone = [one.message for one in asked.of(caller.member_id) if await self._has_changed(asked, one)]
        found = await self.kept.agree(caller.scope, id_, caller.member_id, gone)
        if found is None or not found.of(caller.member_id):
            await self._say(interaction, caller, "forum.nothing_left")
            return
        made = agreed_card(found, caller.member_id, len(gone), key, caller.language)
        await interaction.edit_original_response(view=made.view)

    async def refuse(self, interaction: Interaction, arguments: list[str]) -> None:
        """Keep nothing of the author, whether they agreed before or not."""
        id_, user = asked_by(arguments[0])
        caller = await self.bot.owner(interaction, user)
        await interaction.response.defer()
        await self.kept.refuse(caller.scope, id_, caller.member_id)
        await self._say(interaction, caller, "forum.refused")

    async def _say(self, interaction: Interaction, caller: Caller, word: str) -> None:
        await interaction.edit_original_response(view=card(caller.language(word)).view)

    async def _has_changed(self, thread: Thread, picked: Picked) -> bool:
        channel = self.bot.get_partial_messageable(int(thread.thread))
        try:
            return (await channel.fetch_message(int(picked.message))).edited_at != picked.edited_at
        except discord.NotFound:
            return True
        except discord.Forbidden:  # the bot may not read what was said: they agreed to what they were shown
            return False

    async def _moderator(self, interaction: Interaction) -> Caller:
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed("error.discord.moderators_decide")
        return caller


def _thread_of(interaction: Interaction) -> discord.Thread:
    thread = interaction.channel
    if not isinstance(thread, discord.Thread) or not isinstance(thread.parent, discord.ForumChannel):
        raise BadInput("error.forum.no_thread")
    return thread


def _title(thread: discord.Thread) -> str:
    return "".join(filter(str.isprintable, " ".join(thread.name.split()))) or str(thread.id)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Forum(bot))
