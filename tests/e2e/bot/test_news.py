"""What the bot says unasked: answers to who waited, and the weekly digest; once each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.news import NewsRound
from knowledge.ask.gaps import Gap, News
from knowledge.ask.record import Asked
from knowledge.preferences import set_guild_settings
from knowledge.store import Scope
from tests.discord import LocalDiscord, Person
from tests.discord.gateway import until_connected
from tests.e2e.bot.stage import Stage, answered

NOW = datetime(2026, 11, 20, tzinfo=UTC)
GAP = Gap((Asked("01", "how do I use TMA?", "en", "refused", None, "discord:1", NOW),))


async def test_who_saved_a_question_hears_of_its_answer_once(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    async with stage.bot() as bot:
        reply = await (await person.run("ask", stage.place("dm", person), question="how do I use TMA?")).reply()
        label = next(label for label in reply.buttons if label in {"Save this question", "保存这个问题"})
        await (await person.press(reply, label)).reply()
        (waiting,) = await stage.flows.questions.waiting(Scope.all())
        stage.news.append(News(waiting, answered("With a tensor map.")))
        await NewsRound(bot, stage.flows, bot.voices).tell_who_waited()
        shown = await place.message_in(place.world.direct_channel(person.user), "With a tensor map.")
        assert "some time ago" in shown.text or "之前问过" in shown.text or person.user.locale == "zh-CN"
        assert await stage.flows.questions.waiting(Scope.all()) == ()


async def test_closed_direct_messages_do_not_stop_the_round(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    ann.user.takes_direct_messages = False
    async with stage.bot() as bot:
        asked = Asked("01", "q", "en", "refused", None, f"discord:{ann.user.id}", NOW)
        stage.news.append(News(asked, answered("Late.")))
        await NewsRound(bot, stage.flows, bot.voices).tell_who_waited()
        assert place.world.direct_channel(ann.user).messages == {}


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_digest_comes_once_a_week(stage: Stage, place: LocalDiscord, lang: str) -> None:
    from knowledge.preferences import set_guild_language

    guild = place.world.add_guild()
    stage.gaps.append(GAP)
    await set_guild_settings(stage.store, str(guild.id), gaps_channel=str(guild.general.id))
    await set_guild_language(stage.store, str(guild.id), lang)
    async with stage.bot() as bot:
        assert "/resource add" in (await place.message_in(guild.general)).text
        round_ = NewsRound(bot, stage.flows, bot.voices)
        for days in (1, 6, 8):
            await round_.send_digests(datetime.now(UTC) + timedelta(days=days))
        digests = [m for m in guild.general.messages.values() if "how do I use TMA?" in str(m["components"])]
        assert len(digests) == 2


async def test_a_closed_channel_ends_no_round(stage: Stage, place: LocalDiscord) -> None:
    guild = place.world.add_guild()
    guild.general.bot_may_send = False
    stage.gaps.append(GAP)
    await set_guild_settings(stage.store, str(guild.id), gaps_channel=str(guild.general.id))
    async with stage.bot() as bot:
        await NewsRound(bot, stage.flows, bot.voices).send_digests(datetime.now(UTC))
        assert guild.general.messages == {}


async def test_every_shard_answers(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    place.gateway.shards = 4
    guilds = [place.world.add_guild(f"g{n}", id_=(100 + n) << 22) for n in range(4)]
    async with stage.bot():
        await until_connected(place.gateway, 4)
        for guild in guilds:
            assert "What I can do" in (await (await ann.run("help", guild.general)).reply()).text
        assert {session.shard for session in place.gateway.sessions.values()} == {0, 1, 2, 3}
