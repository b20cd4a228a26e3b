"""The process is killed: what it had announced is mended by the next one, and nothing that was given is touched."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from knowledge.outbox import OutboxItem, Owed
from knowledge.store import Scope
from knowledge.store.base import now
from knowledge.store.tables import OutboxRow
from knowledge.text.language import has_han
from tests.discord import Channel, Exchange, LocalDiscord, Person, Upload
from tests.discord.check_messages import text_of
from tests.e2e.bot.silent import silent_bot
from tests.e2e.bot.stage import KERNEL, Stage, answered


def cut_off(person: Person) -> str:
    """The line for whom a restart has cut off."""
    return "还没处理完我就重启了" if person.user.locale == "zh-CN" else "I was restarted before this was done"


async def promised(stage: Stage) -> int:
    return len(await stage.services.outbox.open("discord", Owed.REPLY))


async def left_thinking(stage: Stage, person: Person, channel: Channel) -> Exchange:
    """An exchange that an earlier life has acknowledged and written down, and never answered."""
    stage.asker.gate = asyncio.Event()
    async with stage.bot(finish_within_s=0.01) as bot:
        exchange = await person.run("ask", channel, question="slow?")
        await exchange.acknowledged()
        await stage.until(lambda: promised(stage), 1)
        bot._apologies.clear()
    stage.asker.gate = None
    return exchange


async def test_who_was_left_waiting_by_a_killed_bot_is_told_to_ask_again(stage: Stage, person: Person) -> None:
    channel = stage.place("guild", person)
    async with silent_bot(stage):
        asked = await person.run("ask", channel, question="slow?")
        said = await person.say("慢？" if person.user.locale == "zh-CN" else "slow?", channel)
        await stage.until(lambda: promised(stage), 2)
        thinking = (await asked.acknowledged()).original
        assert thinking is not None
        assert text_of(thinking) == ""
    async with stage.bot():
        assert cut_off(person) in (await asked.reply()).text
        assert cut_off(person) in (await person.answer_to(said)).text
        await stage.until(lambda: promised(stage), 0)


async def test_the_line_is_in_the_language_that_the_member_chose(stage: Stage, ann: Person) -> None:
    channel = stage.place("guild", ann)
    async with stage.bot():
        await (await ann.run("language", channel, choice="zh")).reply()
    exchange = await left_thinking(stage, ann, channel)
    async with stage.bot():
        assert "还没处理完我就重启了" in (await exchange.reply()).text


async def test_a_reply_that_came_just_before_the_end_stands(stage: Stage, person: Person) -> None:
    """It was there, and the process died before it could tick it off."""
    async with stage.bot():
        exchange = await person.run("language", stage.place("guild", person), choice="en")
        given = (await exchange.reply()).text
    await promise(stage, {"token": exchange.interaction.token, "lang": "en"})
    async with stage.bot():
        await stage.until(lambda: promised(stage), 0)
        assert (await exchange.reply()).text == given == "I will answer you in English."


async def test_a_reply_that_is_given_is_not_owed_any_more(stage: Stage, person: Person) -> None:
    """A verdict is owed by its own row from the moment when the submission has one."""
    stage.asker.answers["warp?"] = answered("32 threads.")
    stage.executor.may_end.clear()
    channel = stage.place("guild", person)
    async with stage.bot():
        await (await person.run("ask", channel, question="warp?")).reply()
        await person.answer_to(await person.say("warp?", channel))
        await (await person.run("cancel", channel, submission="01ABC")).reply()
        await (await person.run("submit", channel, file=Upload("a.cu", KERNEL.encode()))).reply()
        await stage.until(lambda: promised(stage), 0)
        stage.executor.may_end.set()
        await stage.settled()


async def test_a_reply_is_written_down_before_it_is_announced(stage: Stage, person: Person) -> None:
    """Whoever is shown the thinking is in the outbox at that moment, and not a moment later."""
    channel, stage.asker.gate = stage.place("guild", person), asyncio.Event()
    async with stage.bot():
        for number in range(1, 6):
            asked = await person.run("ask", channel, question="slow?")
            await asked.acknowledged()
            assert await promised(stage) == number
        stage.asker.gate.set()
        await stage.until(lambda: promised(stage), 0)


async def test_no_reply_waits_long_until_it_is_written_down(stage: Stage, person: Person) -> None:
    """Somebody writes into the database for long; what is answered meanwhile needs no row any more."""
    channel = stage.place("guild", person)
    async with stage.bot():
        async with stage.store.session(Scope()):
            reply = await (await person.run("saved", channel)).reply()
            assert has_han(reply.text) is (person.user.locale == "zh-CN")
        await stage.until(lambda: promised(stage), 0)


async def test_an_outage_at_the_start_delays_the_line_and_not_the_bot(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    channel = stage.place("guild", person)
    exchange = await left_thinking(stage, person, channel)
    outage = place.fault("/webhooks/.*/messages/", hang_up=True, times=2)
    async with stage.bot():
        assert cut_off(person) in (await exchange.reply()).text
        assert outage.met == 2


async def test_after_a_quarter_of_an_hour_nobody_is_told(stage: Stage, ann: Person) -> None:
    """Discord takes nothing for that interaction any more, and has said so to the member."""
    exchange = await left_thinking(stage, ann, stage.place("guild", ann))
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(OutboxRow).values(until=now() - timedelta(seconds=1)))
    calls = len(stage.discord.rest.calls)
    async with stage.bot():
        assert await promised(stage) == 0
        assert not [call for call in stage.discord.rest.calls[calls:] if "webhooks" in call]
    assert exchange.interaction.original is not None
    assert text_of(exchange.interaction.original) == ""


async def test_a_reply_whose_channel_is_gone_stops_nobody(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    channel = stage.place("guild", ann)
    await left_thinking(stage, ann, channel)
    place.delete_channel(channel)
    await promise(stage, {"channel": channel.id, "message": 1, "lang": "en"}, "2")
    async with stage.bot():
        await stage.until(lambda: promised(stage), 0)
        assert "What I can do" in (await (await ann.run("help", stage.place("dm", ann))).reply()).text


async def test_a_promise_that_cannot_be_written_down_costs_nobody_their_answer(stage: Stage, person: Person) -> None:
    stage.asker.answers["warp?"] = answered("32 threads.")
    async with stage.bot():
        async with stage.store.engine.begin() as connection:
            await connection.exec_driver_sql("DROP TABLE outbox")
        channel = stage.place("guild", person)
        assert "32 threads." in (await (await person.run("ask", channel, question="warp?")).reply()).text
        assert "32 threads." in (await person.answer_to(await person.say("warp?", channel))).text


async def promise(stage: Stage, address: dict[str, Any], id_: str = "1") -> None:
    until = now() + timedelta(minutes=5)
    await stage.services.outbox.write([OutboxItem(Owed.REPLY, id_, "discord", address=address, until=until)])
