"""What the bot says unasked: answers to who waited, and the weekly digest; once each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from knowledge.ask.gaps import Gap
from knowledge.ask.record import Asked
from knowledge.preferences import set_guild_settings
from knowledge.store import Scope
from tests.discord import LocalDiscord, Person
from tests.discord.check_messages import text_of
from tests.discord.gateway import until_connected
from tests.e2e.bot.stage import Stage, answered

NOW = datetime(2026, 11, 20, tzinfo=UTC)
GAP = Gap((Asked("01", "how do I use TMA?", "en", "refused", None, "discord:1", NOW),))


async def waits_for_an_answer(stage: Stage, person: Person) -> None:
    """Asked, refused and saved; by now there is an answer."""
    reply = await (await person.run("ask", stage.place("dm", person), question="how do I use TMA?")).reply()
    label = next(label for label in reply.buttons if label in {"Save this question", "保存这个问题"})
    await (await person.press(reply, label)).reply()
    stage.asker.answers["how do I use TMA?"] = answered("With a tensor map.")


def told(stage: Stage, person: Person) -> list[str]:
    """What the bot wrote to them unasked."""
    messages = stage.place("dm", person).messages.values()
    return [text for m in messages if "With a tensor map." in (text := text_of(m))]


async def test_who_saved_a_question_hears_of_its_answer_once(stage: Stage, person: Person) -> None:
    async with stage.bot() as bot:
        await waits_for_an_answer(stage, person)
        round_ = bot.news
        await round_.look(datetime.now(UTC))
        await round_.look(datetime.now(UTC))
    async with stage.bot() as bot:
        await bot.news.look(datetime.now(UTC))
        (said,) = told(stage, person)
        assert ("之前问过" if person.user.locale == "zh-CN" else "some time ago") in said


async def test_an_outage_of_discord_loses_no_answer(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot() as bot:
        await waits_for_an_answer(stage, ann)
        outage = place.fault("POST /(users|channels)", hang_up=True, times=10_000)
        round_ = bot.news
        await round_.look(datetime.now(UTC))
        assert told(stage, ann) == []
        outage.times = 0
        await round_.look(datetime.now(UTC))
        assert len(told(stage, ann)) == 1


async def test_closed_direct_messages_do_not_stop_the_round(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    ann.user.takes_direct_messages = False
    async with stage.bot() as bot:
        for person in (ann, bob):
            await waits_for_an_answer(stage, person)
            stage.asker.answers.clear()
        stage.asker.answers["how do I use TMA?"] = answered("With a tensor map.")
        await bot.news.look(datetime.now(UTC))
        assert (told(stage, ann), len(told(stage, bob))) == ([], 1)
        assert await stage.flows.questions.waiting(Scope.all()) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_digest_comes_once_a_week(stage: Stage, place: LocalDiscord, lang: str) -> None:
    from knowledge.preferences import set_guild_language

    guild = place.world.add_guild()
    stage.gaps.append(GAP)
    await set_guild_settings(stage.store, str(guild.id), gaps_channel=str(guild.general.id))
    await set_guild_language(stage.store, str(guild.id), lang)
    async with stage.bot() as bot:
        assert "/resource add" in (await place.message_in(guild.general)).text
        round_ = bot.news
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
        await bot.news.send_digests(datetime.now(UTC))
        assert guild.general.messages == {}


async def test_every_shard_answers(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    place.gateway.shards = 4
    guilds = [place.world.add_guild(f"g{n}", id_=(100 + n) << 22) for n in range(4)]
    async with stage.bot():
        await until_connected(place.gateway, 4)
        for guild in guilds:
            assert "What I can do" in (await (await ann.run("help", guild.general)).reply()).text
        assert {session.shard for session in place.gateway.sessions.values()} == {0, 1, 2, 3}
