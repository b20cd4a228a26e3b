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
from bot.caller import Caller, caller_of, reply_language
from bot.command_sync import SyncState, sync_if_changed
from bot.error_reply import RESTARTING, cause_of, error_line
from bot.forum_requests import ForumRequests
from bot.group_posts import GroupPosts
from bot.memberships import GuildMembers
from bot.news import NewsRound
from bot.pending_replies import PendingReplies
from bot.rate_limit import RateLimit
from bot.reply import send_line
from bot.shards import Shards
from bot.translator import CommandTranslator, read_commands
from bot.verdict_delivery import VerdictDelivery
from knowledge.errors import NotAllowed
from knowledge.members import Preferences
from knowledge.services import Services
from knowledge.words import Languages

log = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
"""No privileged intents are needed: text arrives in mentions, direct messages and message commands."""

EXTENSIONS = (
    "bot.cogs.ask",
    "bot.cogs.recommend",
    "bot.cogs.plan",
    "bot.cogs.group",
    "bot.cogs.submit",
    "bot.cogs.try_out",
    "bot.cogs.submissions",
    "bot.cogs.problems",
    "bot.cogs.practice",
    "bot.cogs.resource",
    "bot.cogs.forum",
    "bot.cogs.calc",
    "bot.cogs.cards",
    "bot.cogs.terms",
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
CALLER = "caller"


@dataclass(frozen=True, slots=True)
class Options:
    """How the bot behaves, apart from what it knows."""

    shards: Shards = field(default_factory=Shards)
    """Of this process, where several bots share the guilds."""
    sync_file: Path | None = None
    """The file that remembers which commands Discord has; None syncs at every start."""
    progress_every_s: float = 1.5
    finish_within_s: float = 5.0
    rate_limit: RateLimit = field(default_factory=RateLimit)
    retry_after_s: Sequence[float] = (2.0, 10.0, 30.0, 120.0)


class Tree(app_commands.CommandTree["WarpmateBot"]):
    async def interaction_check(self, interaction: discord.Interaction[WarpmateBot], /) -> bool:
        if interaction.type is discord.InteractionType.application_command:
            self.client.begun(partial(self.client.complain, interaction, RESTARTING, "a restart"))
        return True


class WarpmateBot(commands.AutoShardedBot):
    def __init__(self, services: Services, languages: Languages, options: Options, **more: Any) -> None:
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
            **options.shards.as_options(),
            **more,
        )
        self.services = services
        self.languages = languages
        self.command_names = read_commands()
        self.options = options
        self.rate_limit = options.rate_limit
        self.verdict_delivery = VerdictDelivery(
            self,
            services,
            languages,
            self.rate_limit,
            options.progress_every_s,
            options.retry_after_s,
            options.shards,
        )
        self.pending_replies = PendingReplies(
            self, services.outbox, self.caller, options.retry_after_s, options.shards
        )
        self.news = NewsRound(self, services, languages)
        self.forum_requests = ForumRequests(self, services, languages)
        self.group_posts = GroupPosts(self, services, languages, self.forum_requests)
        self._rounds: list[asyncio.Task[None]] = []
        self._apologies: dict[asyncio.Task[Any], Callable[[], Awaitable[None]]] = {}
        self._verbs: dict[str, dict[str, Callable[..., Any]]] = {"buttons": {}, "selects": {}, "forms": {}}
        self.tree.error(self._on_tree_error)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Pick)
        await self.tree.set_translator(CommandTranslator(self.command_names))
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await sync_if_changed(self.tree, SyncState(self.options.sync_file))
        await self.pending_replies.resume()
        await self.verdict_delivery.resume()
        leading = self.services.leases.lead("bot", self._lead)
        self._rounds.append(asyncio.create_task(leading, name="bot leader"))
        self._rounds.append(asyncio.create_task(self.verdict_delivery.run(), name="late verdicts"))

    async def _lead(self) -> None:
        """Do what one bot process does for all: news and posts, by the clock."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.news.run(), name="news")
            group.create_task(self.group_posts.run(), name="group posts")

    async def on_ready(self) -> None:
        self._connected()

    async def on_resumed(self) -> None:
        self._connected()

    async def on_disconnect(self) -> None:
        """Note the lost connection; Discord's library connects again by itself."""
        self.services.discord.become("connecting")
        self.services.memberships.known_by = None  # what this client knows of guilds and roles grows old

    def _connected(self) -> None:
        self.services.discord.become("connected")
        self.services.memberships.known_by = GuildMembers(self)

    def answer_to(self, verbs: Verbs) -> None:
        """Register the buttons, selects and forms that a cog answers."""
        for kind, known in self._verbs.items():
            offered = getattr(verbs, kind)
            if twice := known.keys() & offered.keys():
                raise ValueError(f"two cogs answer to {sorted(twice)}")
            known.update(offered)

    def begun(self, apology: Callable[[], Awaitable[None]]) -> None:
        """Remember the apology to send if the end of this process cuts off the running task."""
        task = asyncio.current_task()
        if task is not None:
            self._apologies[task] = apology
            task.add_done_callback(lambda done: self._apologies.pop(done, None))

    async def answer(self, interaction: discord.Interaction[Any], kind: str, verb: str, *rest: Any) -> None:
        """Have the cog answer a button, select or form; every error is told to whoever used it."""
        self.begun(partial(self.complain, interaction, RESTARTING, "a restart"))
        handler = self._verbs[kind].get(verb)
        try:
            if handler is None:
                await send_line(interaction, (await self.caller(interaction)).language("error.old_button"))
            else:
                await handler(interaction, *rest)
        except Exception as error:  # noqa: BLE001  whoever pressed is told; the log has the rest
            await self.complain(interaction, error, f"{kind} {verb}")

    async def caller(self, interaction: discord.Interaction[Any]) -> Caller:
        """Return the member behind the interaction: read once for each, however many parts of the bot ask."""
        read = interaction.extras.get(CALLER)
        if read is None:
            read = asyncio.ensure_future(caller_of(interaction, self.services.store, self.languages))
            interaction.extras[CALLER] = read
        return await asyncio.shield(read)

    def choices_changed(self, interaction: discord.Interaction[Any]) -> None:
        """Have the caller read anew: this interaction has changed what they or their server have chosen."""
        interaction.extras.pop(CALLER, None)

    async def owner(self, interaction: discord.Interaction[Any], owner: int) -> Caller:
        """Return the caller, who must be the one whom the message is for; else raise NotAllowed."""
        caller = await self.caller(interaction)
        if caller.user_id != owner:
            raise NotAllowed("error.discord.not_yours")
        return caller

    async def complain(self, interaction: discord.Interaction[Any], error: BaseException, where: str) -> None:
        error = cause_of(error)
        try:
            language = (await self.caller(interaction)).language
        except Exception:  # noqa: BLE001  the database itself may be the trouble
            language = reply_language(self.languages, Preferences(), str(interaction.locale))
        await send_line(interaction, error_line(error, language, where))

    async def on_message(self, message: discord.Message, /) -> None:
        """Do nothing: there are no prefix commands, and a cog answers mentions."""

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a submitted form, also one that was opened before a restart."""
        if interaction.type is discord.InteractionType.modal_submit:
            parts = custom_id_of(interaction).split("|")
            if parts[0] == "f":
                await self.answer(interaction, "forms", parts[1], parts[2:], filled(interaction))

    async def _on_tree_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        await self.complain(interaction, error, interaction.command.qualified_name if interaction.command else "?")

    async def close(self) -> None:
        """Finish what members have begun; what takes longer is in the outbox and left to the next start."""
        self.services.memberships.known_by = None
        await self._finish()
        await self.verdict_delivery.close()
        await self.pending_replies.close()
        for round_ in self._rounds:
            round_.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
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
