"""What the bot posts in a guild by itself: the weeks of its plan, its digest, what authors are asked; each once.

The one scheduler of the bot. What is due follows from plan, settings and clock (`knowledge.group.due`); a row decides
who posts it (`knowledge.group.posts`). Who takes over the claim of a process that ended looks in the channel first
whether the post is there: every post has its key in a button.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.caller import reply_language
from bot.forum_requests import ForumRequests
from bot.posted_once import nonce_of, posted_before
from bot.render.card import Card
from bot.render.digest import DigestParts, digest_card
from bot.render.group import closing_card, opening_card, reminder_card
from bot.retry import DISCORD_ERRORS, is_transient
from knowledge.errors import NotReady
from knowledge.group import DIGEST_CHANNEL, Due, GroupPlan, WeekStanding
from knowledge.group.due import plan_key
from knowledge.group.posts import Claim, Post
from knowledge.members import preferences_of
from knowledge.services import Services
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language, Languages

log = logging.getLogger(__name__)

LOOK_EVERY_S = 300.0
_HAS_A_THREAD = 160004
_THREAD_RESTS_AFTER_MINUTES = 10_080
_NO_REMINDER_FOR = timedelta(days=1)
"""After a week was opened, late or not."""


class GroupPosts:
    def __init__(
        self, client: discord.Client, services: Services, languages: Languages, forum_requests: ForumRequests
    ) -> None:
        self._forum_requests = forum_requests
        self._client = client
        self._services = services
        self._group = services.group
        self._languages = languages

    async def run(self, every_s: float = LOOK_EVERY_S) -> None:
        """Look every few minutes until cancelled."""
        await self._client.wait_until_ready()
        while True:
            await self.look(self._group.clock())
            await asyncio.sleep(every_s)

    async def look(self, now: datetime) -> None:
        """Post what is due and not posted; the trouble of one post keeps no other back."""
        try:
            await self._group.posts.sweep(now)
            await self._forum_requests.look()
            due_now = await self._group.due(now)
        except Exception:  # a database in trouble is asked again by the next look
            log.exception("nobody knows what is due in the guilds")
            return
        for plan, due in due_now:
            try:
                await self._once(plan, due)
            except NotReady as not_ready:
                log.info("%s waits: %s", due.key, not_ready)
            except Exception:
                log.exception("%s could not be posted", due.key)

    async def _once(self, plan: GroupPlan | None, due: Due) -> None:
        """A claim counts from here: a look at many guilds may take longer than one holds."""
        posts, now = self._group.posts, self._group.clock()
        known = await posts.find(due.key)
        if (known is not None and known.is_done) or not await self._is_time(plan, due, now):
            return
        problem = await self._group.problem_to_open(due.guild_id, now) if plan is None else None
        claim = await posts.claim(due.key, due.guild_id, now, problem.slug if problem else None)
        if claim is None:
            return
        try:
            await posts.done(due.key, await self._posted(plan, due, claim, now))
        except DISCORD_ERRORS as error:
            if is_transient(error):
                log.warning("%s could not be posted now, it will be tried again: %s", due.key, error)
                await posts.give_back(due.key, now)
                return
            log.warning("%s could not be posted and is not tried again: %s", due.key, error)
            await posts.done(due.key, None)
        except NotReady:
            await posts.give_back(due.key, now)
            raise

    async def _is_time(self, plan: GroupPlan | None, due: Due, now: datetime) -> bool:
        """Tell whether nothing else comes first: a week closes before the next one opens, and nobody is reminded
        of what they have just heard.
        """
        if plan is not None and due.kind == "open":
            closing = await self._group.posts.find(plan_key(plan, "close", due.week - 1))
            return closing is None or closing.is_done
        if plan is not None and due.kind == "remind":
            opening = await self._opening(plan, due.week)
            return opening is not None and now - opening.claimed_at >= _NO_REMINDER_FOR
        return True

    async def _posted(self, plan: GroupPlan | None, due: Due, claim: Claim, now: datetime) -> str | None:
        """Return the number of the message, sent now or by who had the claim before; None where nothing is to say."""
        channel = await self._channel(plan, due)
        message = None if claim.is_first else await self._sent_before(plan, due, channel)
        if message is None:
            language = await self._language(due.guild_id)
            made = await (
                self._of_plan(plan, due, now, language) if plan else self._digest(due, claim, now, language)
            )
            if made is None:
                return None
            message = (await self._send(plan, due, channel, made)).id
        if plan is not None and due.kind == "open":
            await self._open_thread(plan, due, channel, message)
        return str(message)

    async def _send(
        self, plan: GroupPlan | None, due: Due, channel: discord.PartialMessageable, made: Card
    ) -> discord.Message:
        if plan is None or due.kind != "remind":
            return await channel.send(view=made.view, nonce=nonce_of(due.key))
        thread = await self._thread(plan, due.week) or channel
        try:
            return await thread.send(view=made.view, nonce=nonce_of(due.key))
        except (discord.NotFound, discord.Forbidden):  # there is no thread, or it was closed
            return await channel.send(view=made.view, nonce=nonce_of(due.key))

    async def _of_plan(self, plan: GroupPlan, due: Due, now: datetime, language: Language) -> Card:
        if due.kind == "open":
            return opening_card(plan, due.week, await self._group.items(plan, due.week), due.key, language)
        standing = await self.of_members(plan, await self._group.standing(plan, due.week, now))
        if due.kind == "remind":
            return reminder_card(plan, standing, due.key, language)
        standings = await self._group.standings(plan, plan.closes_at(due.week))
        title = self._title(standing.problem, language) if standing.problem else ""
        return closing_card(plan, standing, standings[: due.week], title, due.key, language)

    async def _digest(self, due: Due, claim: Claim, now: datetime, language: Language) -> Card | None:
        services, scope, until = self._services, Scope.guild(due.guild_id), claim.at
        since = await self._group.digest_since(due.guild_id, until)
        closed = await self._group.problem_to_close(due.guild_id, now)
        solvers = {solver.member_id for solver in closed[1]} if closed else set()
        agreed = solvers.intersection(await self._group.named.all(scope))
        parts = DigestParts(
            since=since,
            gaps=await services.library.gaps(scope, since, until),
            fresh=[item for item, at in await services.catalogue.arrivals(scope, since) if at <= until],
            answered=await self._group.answered(scope, since, until),
            solved=await services.practice.solved_lately(due.guild_id, since, until),
            opens=(claim.problem, self._title(claim.problem, language)) if claim.problem else None,
            closes=(self._title(closed[0], language), closed[1]) if closed else None,
            named=await services.memberships.present(agreed, due.guild_id),
        )
        return None if parts.empty else digest_card(parts, due.key, language)

    async def channels(self, guild_id: str) -> tuple[int, ...]:
        """Return where something is posted in a guild every week."""
        plan = await self._group.plan(Scope.guild(guild_id))
        known = await preferences_of(self._services.store, "", guild_id)
        found = (plan.channel if plan else None, known.settings.get(DIGEST_CHANNEL))
        return tuple(dict.fromkeys(int(channel) for channel in found if channel))

    async def of_members(self, plan: GroupPlan, standing: WeekStanding) -> WeekStanding:
        """Return the standing with nobody named who has left the guild; DiscordAway where that cannot be known."""
        named = [deed.member_id for deed in standing.deeds]
        return standing.naming(await self._services.memberships.present(named, plan.guild_id))

    def _title(self, slug: str, language: Language) -> str:
        titles = {card.slug: card.title.text(language.code) for card in self._services.content.problems}
        return titles.get(slug, slug)

    async def _opening(self, plan: GroupPlan, week: int) -> Post | None:
        return await self._group.posts.find(plan_key(plan, "open", week))

    async def _channel(self, plan: GroupPlan | None, due: Due) -> discord.PartialMessageable:
        """Return where it goes; of a digest where moderators want it now."""
        if plan is not None:
            return self._client.get_partial_messageable(int(plan.channel))
        known = await preferences_of(self._services.store, "", due.guild_id)
        return self._client.get_partial_messageable(int(known.settings[DIGEST_CHANNEL]))

    async def _language(self, guild_id: str) -> Language:
        """Return what the moderators chose, else what the guild has told Discord."""
        known = await preferences_of(self._services.store, "", guild_id)
        return reply_language(self._languages, known, await self._locale(int(guild_id)))

    async def _locale(self, guild_id: int) -> str:
        """Return what the guild has told Discord; of a guild of another process's shard Discord is asked."""
        guild = self._client.get_guild(guild_id)
        try:
            return str((guild or await self._client.fetch_guild(guild_id)).preferred_locale)
        except discord.HTTPException:
            return ENGLISH

    async def _thread(self, plan: GroupPlan, week: int) -> discord.PartialMessageable | None:
        """Return the thread under the message that opened the week, if there is one: it has the message's number."""
        opened = await self._opening(plan, week)
        return self._client.get_partial_messageable(int(opened.message)) if opened and opened.message else None

    async def _sent_before(self, plan: GroupPlan | None, due: Due, channel: discord.PartialMessageable) -> int | None:
        """Return the message of ours that carries the key; a reminder stands in the thread, or in the channel."""
        thread = await self._thread(plan, due.week) if plan is not None and due.kind == "remind" else None
        if thread is not None:
            try:
                if (message := await posted_before(self._client, thread, due.key)) is not None:
                    return message
            except discord.NotFound:  # there is no thread
                pass
        return await posted_before(self._client, channel, due.key)

    async def _open_thread(
        self, plan: GroupPlan, due: Due, channel: discord.PartialMessageable, message: int
    ) -> None:
        """Open a thread under the message; where the bot may not, the channel serves."""
        language = await self._language(due.guild_id)
        name = language("group.thread", n=due.week, goal=plan.goal.said)[:100]
        start: Callable[..., Awaitable[Any]] = self._client.http.start_thread_with_message
        try:
            await start(channel.id, message, name=name, auto_archive_duration=_THREAD_RESTS_AFTER_MINUTES)
        except discord.Forbidden as error:
            log.info("the bot may open no thread in guild %s: %s", due.guild_id, error)
        except discord.HTTPException as error:
            if error.code != _HAS_A_THREAD:
                raise
