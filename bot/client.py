"""The Discord client: opens its cogs, routes buttons, selects and forms to them, and ends in good order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import Pick, Press, Verbs, custom_id_of, filled
from bot.caller import Caller, caller_of
from bot.flows import Flows
from bot.manners import Pace
from bot.news import NewsRound
from bot.promises import Promises
from bot.reply import tell
from bot.reporter import Reporter
from bot.sync import SyncState, sync_if_changed
from bot.translator import CatalogueTranslator
from bot.trouble import RESTARTING, cause_of, told
from bot.words import Voices
from knowledge.errors import NotAllowed

log = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
"""None of them is privileged: text arrives in mentions, direct messages and message commands."""

EXTENSIONS = (
    "bot.cogs.ask",
    "bot.cogs.recommend",
    "bot.cogs.submit",
    "bot.cogs.submissions",
    "bot.cogs.problems",
    "bot.cogs.resource",
    "bot.cogs.calc",
    "bot.cogs.member",
    "bot.cogs.settings",
    "bot.cogs.status",
)
"""To add a command: one file in `bot/cogs/`, one line here."""

_TASKS_OF_MEMBERS = (
    "CommandTree-invoker",
    "discord-ui-dynamic-item",
    "discord.py: on_interaction",
    "discord.py: on_message",
)


_APOLOGISE_WITHIN_S = 3.0


@dataclass(frozen=True, slots=True)
class Options:
    """How the bot behaves, apart from what it knows."""

    sync_file: Path | None = None
    """Remembers which commands Discord has; None syncs at every start."""
    progress_every_s: float = 1.5
    finish_within_s: float = 5.0
    pace: Pace = field(default_factory=Pace)
    retry_after_s: Sequence[float] = (2.0, 10.0, 30.0, 120.0)


class Tree(app_commands.CommandTree["WarpmateBot"]):
    async def interaction_check(self, interaction: discord.Interaction[WarpmateBot], /) -> bool:
        if interaction.type is discord.InteractionType.application_command:
            self.client.begun(partial(self.client.complain, interaction, RESTARTING, "a restart"))
        return True


class WarpmateBot(commands.AutoShardedBot):
    def __init__(self, flows: Flows, voices: Voices, options: Options, **more: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **more,
        )
        self.flows = flows
        self.voices = voices
        self.options = options
        self.pace = options.pace
        self.reporter = Reporter(self, flows, voices, self.pace, options.progress_every_s, options.retry_after_s)
        self.promises = Promises(self, flows.promises, flows.store, voices, options.retry_after_s)
        self.news = NewsRound(self, self.reporter, flows, voices)
        self._news_rounds: asyncio.Task[None] | None = None
        self._apologies: dict[asyncio.Task[Any], Callable[[], Awaitable[None]]] = {}
        self._verbs: dict[str, dict[str, Callable[..., Any]]] = {"buttons": {}, "selects": {}, "forms": {}}
        self.tree.error(self._on_tree_error)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Pick)
        await self.tree.set_translator(CatalogueTranslator(self.voices.commands_zh))
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await sync_if_changed(self.tree, SyncState(self.options.sync_file))
        await self.promises.resume()
        await self.reporter.resume()
        self._news_rounds = asyncio.create_task(self.news.run(), name="news")

    def answer_to(self, verbs: Verbs) -> None:
        """A cog says which buttons, selects and forms are its own."""
        for kind, known in self._verbs.items():
            offered = getattr(verbs, kind)
            if twice := known.keys() & offered.keys():
                raise ValueError(f"two cogs answer to {sorted(twice)}")
            known.update(offered)

    def begun(self, apology: Callable[[], Awaitable[None]]) -> None:
        """What is to be said should the running task be cut off by the end of this process."""
        task = asyncio.current_task()
        if task is not None:
            self._apologies[task] = apology
            task.add_done_callback(lambda done: self._apologies.pop(done, None))

    async def answer(self, interaction: discord.Interaction[Any], kind: str, verb: str, *rest: Any) -> None:
        """One button, select or form, with every error told."""
        self.begun(partial(self.complain, interaction, RESTARTING, "a restart"))
        handler = self._verbs[kind].get(verb)
        try:
            if handler is None:
                await tell(interaction, (await self.caller(interaction)).voice("error.old_button"))
            else:
                await handler(interaction, *rest)
        except Exception as error:  # noqa: BLE001  whoever pressed is told; the log has the rest
            await self.complain(interaction, error, f"{kind} {verb}")

    async def caller(self, interaction: discord.Interaction[Any]) -> Caller:
        return await caller_of(interaction, self.flows.store, self.voices)

    async def owner(self, interaction: discord.Interaction[Any], owner: int) -> Caller:
        """The caller, who must be the one whom the message is for."""
        caller = await self.caller(interaction)
        if caller.user_id != owner:
            raise NotAllowed(
                "Only the member who asked can turn this page; run the command yourself.",
                "只有发起命令的人可以操作，请自己运行一次命令。",
            )
        return caller

    async def complain(self, interaction: discord.Interaction[Any], error: BaseException, where: str) -> None:
        error = cause_of(error)
        try:
            voice = (await self.caller(interaction)).voice
        except Exception:  # noqa: BLE001  the database itself may be the trouble
            voice = self.voices["zh" if str(interaction.locale).startswith("zh") else "en"]
        await tell(interaction, told(error, voice, where))

    async def on_message(self, message: discord.Message, /) -> None:
        """Nothing here is a prefix command; a cog answers mentions."""

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms come here, so that one opened before a restart is answered like any other."""
        if interaction.type is discord.InteractionType.modal_submit:
            parts = custom_id_of(interaction).split("|")
            if parts[0] == "f":
                await self.answer(interaction, "forms", parts[1], parts[2:], filled(interaction))

    async def _on_tree_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        await self.complain(interaction, error, interaction.command.qualified_name if interaction.command else "?")

    async def close(self) -> None:
        """What members have begun is finished; what takes longer is handed to the next start by its row."""
        await self._finish()
        await self.reporter.close()
        await self.promises.close()
        if self._news_rounds is not None:
            self._news_rounds.cancel()
            await asyncio.gather(self._news_rounds, return_exceptions=True)
        await super().close()

    async def _finish(self) -> None:
        """Wait a little for what members have begun; who would be left waiting for more is told to ask again."""
        me = asyncio.current_task()
        begun = [t for t in asyncio.all_tasks() if t is not me and t.get_name().startswith(_TASKS_OF_MEMBERS)]
        if not begun:
            return
        _, unfinished = await asyncio.wait(begun, timeout=self.options.finish_within_s)
        apologies = [self._apologies[task] for task in unfinished if task in self._apologies]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(_APOLOGISE_WITHIN_S):
                await asyncio.gather(*(apology() for apology in apologies), return_exceptions=True)
