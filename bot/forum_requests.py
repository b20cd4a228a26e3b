"""What authors in a forum are asked: each once, in the thread, over every restart, in their own language."""

from __future__ import annotations

import logging

import discord

from bot.caller import reply_language
from bot.posted_once import nonce_of, posted_before
from bot.render.forum import request_card
from bot.retry import DISCORD_ERRORS, is_transient
from knowledge.kept_threads import Thread
from knowledge.members import preferences_of
from knowledge.services import Services
from knowledge.words import ENGLISH, Languages

log = logging.getLogger(__name__)

_BEGINNING = "forum"


class ForumRequests:
    """Which request is owed follows from the rows of picked messages; a claim says who posts it."""

    def __init__(self, client: discord.Client, services: Services, languages: Languages) -> None:
        self._client = client
        self._services = services
        self._languages = languages

    async def look(self) -> None:
        """Ask who was not asked yet, and end what was open for too long."""
        for thread in await self._services.kept_threads.asking():
            for author in thread.unasked:
                try:
                    await self._ask_once(thread, author)
                except Exception:  # the trouble of one request keeps no other back
                    log.exception("an author could not be asked")

    async def _ask_once(self, thread: Thread, author: str) -> None:
        posts, key = self._services.group.posts, request_key(thread, author)
        known = await posts.find(key)
        if known is not None and known.is_done:
            return
        now = self._services.kept_threads.clock()
        claim = await posts.claim(key, thread.guild_id, now)
        if claim is None:
            return
        channel = self._client.get_partial_messageable(int(thread.thread))
        try:
            before = None if claim.is_first else await posted_before(self._client, channel, key)
            await posts.done(key, str(before or await self._send(channel, thread, author, key)))
        except DISCORD_ERRORS as error:
            if is_transient(error):
                log.warning("an author could not be asked now, it will be tried again: %s", error)
                await posts.give_back(key, now)
                return
            log.warning("an author cannot be asked, so nothing of theirs is kept: %s", error)
            await posts.done(key, None)

    async def _send(self, channel: discord.PartialMessageable, thread: Thread, author: str, key: str) -> int:
        known = await preferences_of(self._services.store, author, thread.guild_id)
        guild = self._client.get_guild(int(thread.guild_id))
        language = reply_language(self._languages, known, str(guild.preferred_locale) if guild else ENGLISH)
        asked = discord.AllowedMentions(users=[discord.Object(int(author.partition(":")[2]))])
        made = request_card(thread, author, key, language)
        return (await channel.send(view=made.view, nonce=nonce_of(key), allowed_mentions=asked)).id


def request_key(thread: Thread, author: str) -> str:
    return f"{_BEGINNING}:{thread.id}:{author.partition(':')[2]}"


def asked_by(key: str) -> tuple[str, int]:
    """Return the thread's id and the author's number that a request's key names."""
    _, id_, user = key.split(":")
    return id_, int(user)
