"""Restarts, lost connections, dead tokens, a Discord that fails: nothing is lost, nobody waits without a word."""

from __future__ import annotations

import asyncio
import time

import pytest

from knowledge.ask.answer import NextSteps
from knowledge.outbox import Owed
from knowledge.readings import Reading
from tests.discord import Channel, Exchange, LocalDiscord, Person, Upload
from tests.discord.gateway import until_connected
from tests.e2e.bot.stage import KERNEL, Stage, answered, longest_hold_s

CODE = Upload("a.cu", KERNEL.encode())


async def waiting(stage: Stage, person: Person, channel: Channel, **options: object) -> Exchange:
    """A submission that has been handed in and shown, and that its worker holds back."""
    stage.executor.may_end.clear()
    exchange = await person.run("submit", channel, problem="vector_add", file=CODE, **options)
    await exchange.reply()
    return exchange


async def test_a_verdict_reaches_its_reply_across_a_restart(stage: Stage, person: Person) -> None:
    async with stage.bot():
        exchange = await waiting(stage, person, stage.place("guild", person))
    stage.executor.may_end.set()
    async with stage.bot():
        await (await exchange.reply()).until(lambda text: "accepted" in text or "通过" in text)
        await stage.settled()


async def test_a_report_that_the_database_broke_off_is_tried_again_soon(
    stage: Stage, ann: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And not at the next hourly look."""
    monkeypatch.setattr("bot.verdict_delivery.AGAIN_AFTER_S", (0.05,) * 100)

    async def rename(table: str, name: str) -> None:
        async with stage.store.engine.begin() as connection:
            await connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO {name}")

    async def broke_off() -> bool:
        return "no such table: outbox" in caplog.text

    async with stage.bot():
        exchange = await waiting(stage, ann, stage.place("guild", ann))
        await rename("outbox", "elsewhere")
        stage.executor.may_end.set()
        await (await exchange.reply()).until(lambda text: "accepted" in text)
        await stage.until(broke_off, wanted=True)
        await rename("elsewhere", "outbox")
        await stage.settled()


async def test_a_button_works_after_a_restart(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="x y z")).reply()
    async with stage.bot():
        label = next(label for label in reply.buttons if label in {"Save", "收藏"})
        saved = await (await person.press(reply, label)).reply()
        assert "/saved" in saved.text


async def test_what_to_do_next_stands_below_and_its_questions_can_be_pressed_after_a_restart(
    stage: Stage, ann: Person
) -> None:
    asked, note = (
        "What does “warp” mean?",
        Reading("note:coalescing", "Coalescing", None, "en", "", 8, "note", (), ""),
    )
    problem = Reading("problem:saxpy", "SAXPY", None, "en", "beginner", 30, "problem", (), "")
    stage.asker.answers["q"] = answered("Because.", next=NextSteps((note,), problem, (asked, "a|b?", "What is it?")))
    stage.asker.answers[asked] = answered("A warp is 32 threads.")
    channel = stage.place("guild", ann)
    async with stage.bot():
        reply = await (await ann.run("ask", channel, question="q")).reply()
        assert reply.text.index("Because.") < reply.text.index("Coalescing") < reply.text.index("SAXPY")
        assert list(reply.buttons)[:4] == ["📖 Coalescing", "📖 SAXPY", asked, "What is it?"]
    async with stage.bot():
        pressed = await (await ann.press(reply, asked)).reply()
        assert "A warp is 32 threads." in pressed.text
        assert stage.asker.calls[-1][0] == asked


async def test_a_form_opened_before_a_restart_counts(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        exchange = await ann.run("submit", stage.place("guild", ann), problem="vector_add")
        form = await exchange.form()
    async with stage.bot():
        reply = await (await ann.submit(exchange, form, {"CUDA code": KERNEL})).reply()
        await reply.until(lambda text: "accepted" in text)


async def test_a_private_verdict_after_the_token_died_comes_by_direct_message(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    async with stage.bot():
        channel = stage.place("guild", person)
        exchange = await waiting(stage, person, channel)
    await age_tokens(stage, place)
    async with stage.bot():
        stage.executor.may_end.set()
        direct = place.world.direct_channel(person.user)
        shown = await place.message_in(direct, "canned")
        assert "vector" in shown.text
        assert exchange.interaction.followups == []
        assert [m for m in channel.messages.values() if not m["flags"] & 64] == []


async def test_a_public_verdict_after_the_token_died_comes_to_the_channel(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await waiting(stage, ann, channel, public=True)
    await age_tokens(stage, place)
    async with stage.bot():
        stage.executor.may_end.set()
        shown = await place.message_in(channel, "canned")
        assert f"<@{ann.user.id}>" in shown.text
        assert set(place.pings) == {str(ann.user.id)}


async def test_closed_direct_messages_leave_a_note_that_tells_nothing(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    person.user.takes_direct_messages = False
    async with stage.bot():
        channel = stage.place("guild", person)
        await waiting(stage, person, channel)
    await age_tokens(stage, place)
    async with stage.bot():
        stage.executor.may_end.set()
        note = await place.message_in(channel, f"<@{person.user.id}>")
        assert "accepted" not in note.text
        opened = await (await person.press(note, next(iter(note.buttons)))).reply()
        assert opened.private
        assert "canned" in opened.text


async def test_a_deleted_channel_still_leaves_the_direct_message(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await waiting(stage, ann, channel, public=True)
        place.delete_channel(channel)
        stage.executor.may_end.set()
        assert "vector" in (await place.message_in(place.world.direct_channel(ann.user), "canned")).text


async def test_a_deleted_reply_is_replaced(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        exchange = await waiting(stage, ann, channel, public=True)
        channel.messages.pop(int((await exchange.reply()).message["id"]))
        stage.executor.may_end.set()
        assert f"<@{ann.user.id}>" in (await place.message_in(channel, "canned")).text


async def test_where_every_way_is_closed_the_list_still_has_it(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    ann.user.takes_direct_messages = False
    async with stage.bot():
        channel = stage.place("guild", ann)
        await waiting(stage, ann, channel)
        channel.bot_may_send = False
    await age_tokens(stage, place)
    async with stage.bot():
        stage.executor.may_end.set()
        await stage.settled()
        listed = await (await ann.run("submissions", channel)).reply()
        assert "accepted" in listed.text


async def test_a_cut_in_the_middle_of_a_job_is_resumed(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        exchange = await waiting(stage, ann, stage.place("guild", ann))
        await place.gateway.cut()
        stage.executor.may_end.set()
        await (await exchange.reply()).until(lambda text: "accepted" in text)
        reply = await (await ann.run("help", stage.place("dm", ann))).reply()
        assert "What I can do" in reply.text
        assert place.gateway.resumes == 1


async def test_an_invalid_session_in_the_middle_of_a_job(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        exchange = await waiting(stage, ann, stage.place("guild", ann))
        await place.gateway.invalidate(resumable=False)
        await place.world.until(lambda: place.gateway.identifies == 2, what="a second identify")
        await until_connected(place.gateway)
        stage.executor.may_end.set()
        await (await exchange.reply()).until(lambda text: "accepted" in text)
        assert (await (await ann.run("help", stage.place("dm", ann))).reply()).text


async def test_a_reconnect_that_discord_asks_for(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        await place.gateway.ask_to_reconnect()
        await place.world.until(lambda: place.gateway.resumes, what="a resume")
        assert (await (await ann.run("help", stage.place("dm", ann))).reply()).text


async def test_an_answer_comes_though_the_gateway_was_cut_meanwhile(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    stage.asker.answers = {"slow?": answered("Worth the wait.")}
    stage.asker.gate = asyncio.Event()
    async with stage.bot():
        exchange = await person.run("ask", stage.place("guild", person), question="slow?")
        await exchange.acknowledged()
        await place.gateway.cut()
        stage.asker.gate.set()
        assert "Worth the wait" in (await exchange.reply()).text


async def test_a_question_during_a_cut_is_answered_after_the_resume(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("help", channel)).reply()
        await place.gateway.cut()
        said = await ann.say("what is a warp?", channel)
        assert "rather not guess" in (await ann.answer_to(said)).text
        assert place.gateway.resumes == 1


async def test_who_is_left_waiting_by_a_restart_is_told_to_ask_again(stage: Stage, person: Person) -> None:
    stage.asker.gate = asyncio.Event()
    async with stage.bot(finish_within_s=0.05):
        channel = stage.place("guild", person)
        asked = await person.run("ask", channel, question="slow?")
        await asked.acknowledged()
        said = await person.say("慢？" if is_zh(person) else "slow?", channel)
        await asyncio.gather(stage.asker.heard.get(), stage.asker.heard.get())
    for text in ((await asked.reply()).text, (await person.answer_to(said)).text):
        assert ("重启" if is_zh(person) else "I was restarted") in text


async def test_a_question_deleted_meanwhile_is_answered_all_the_same(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    stage.asker.gate = asyncio.Event()
    async with stage.bot():
        channel = stage.place("guild", ann)
        said = await ann.say("what is a warp?", channel)
        await stage.asker.heard.get()
        channel.messages.pop(int(said.message["id"]))
        stage.asker.gate.set()
        assert "rather not guess" in (await place.message_in(channel, "rather not guess")).text


@pytest.mark.parametrize("fate", ["deleted", "closed", "hidden"])
async def test_where_the_bot_may_not_write_the_answer_comes_directly(
    stage: Stage, place: LocalDiscord, ann: Person, fate: str
) -> None:
    stage.asker.gate = asyncio.Event()
    async with stage.bot():
        channel = stage.place("guild", ann)
        await ann.say("what is a warp?", channel)
        await stage.asker.heard.get()
        if fate == "deleted":
            place.delete_channel(channel)
        else:
            channel.bot_may_send, channel.bot_may_see = False, fate == "closed"
        stage.asker.gate.set()
        assert "rather not guess" in (await place.message_in(place.world.direct_channel(ann.user))).text


async def test_a_verdict_that_discord_would_not_take_is_told_later(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    """All tries failed; the hourly round takes it up again."""
    async with stage.bot() as bot:
        exchange = await waiting(stage, ann, stage.place("guild", ann))
        outage = place.fault("(PATCH|POST) /(webhooks|channels|users)", hang_up=True, times=10_000)
        stage.executor.may_end.set()
        await asyncio.gather(*bot.verdict_delivery._tasks.values())
        assert outage.met >= 4
        outage.times = 0
        assert len(await stage.services.outbox.open("discord", Owed.VERDICT)) == 1
        await bot.verdict_delivery.resume()
        await (await exchange.reply()).until(lambda text: "accepted" in text)
        await stage.settled()


async def test_a_broken_database_is_told(stage: Stage, person: Person) -> None:
    """Not even the member's language can be read: their client's is left."""
    async with stage.bot():
        async with stage.store.engine.begin() as connection:
            await connection.exec_driver_sql("DROP TABLE members")
        channel = stage.place("guild", person)
        said = await (await person.run("saved", channel)).reply()
        replied = await person.answer_to(await person.say("线程束？" if is_zh(person) else "warp?", channel))
        for text in (said.text, replied.text):
            assert ("我们这边" if is_zh(person) else "our side") in text


def is_zh(person: Person) -> bool:
    return person.user.locale == "zh-CN"


async def test_a_lost_upload_is_told(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    place.fault("GET /attachments/", 404)
    async with stage.bot():
        reply = await (await ann.run("submit", stage.place("guild", ann), file=CODE)).reply()
        assert "our side" in reply.text


async def test_commands_are_synced_only_when_they_changed(stage: Stage, place: LocalDiscord) -> None:
    async with stage.bot():
        pass
    async with stage.bot():
        pass
    assert place.world.command_writes == [None]
    (stage.folder / "commands.json").write_text("not json")
    async with stage.bot():
        pass
    assert place.world.command_writes == [None, None]


async def test_what_was_begun_is_finished_before_the_bot_stops(stage: Stage, ann: Person) -> None:
    stage.asker.gate = asyncio.Event()
    stage.asker.answers["slow"] = answered("Worth the wait.")
    async with stage.bot():
        exchange = await ann.run("ask", stage.place("guild", ann), question="slow")
        await exchange.acknowledged()
        asyncio.get_running_loop().call_later(0.2, stage.asker.gate.set)
    assert "Worth the wait" in (await exchange.reply()).text


async def test_a_button_of_an_older_version_is_told_so(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="x y z")).reply()
        button = dict(next(iter(reply.buttons.values())), custom_id="b|forgotten|1")
        reply.message["components"][0]["components"][-1]["components"].append(button)
        told = await (await person.press_part(reply, button)).reply()
        assert "older version" in told.text or "旧版本" in told.text


async def test_heartbeats_go_on_while_the_bot_works(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    """The loop that answers Discord is never held for long: pictures are drawn and files read elsewhere."""
    place.gateway.heartbeat_ms = 100
    async with stage.bot():
        longest = asyncio.create_task(longest_hold_s())
        channel = stage.place("guild", ann)
        for _ in range(3):
            await (await ann.run("path", channel, topic="tensor-cores")).reply()
            await (await ann.run("submit", channel, problem="vector_add", file=CODE)).reply()
        longest.cancel()
        assert place.gateway.heartbeats > 2
        assert await longest < 0.25


async def age_tokens(stage: Stage, place: LocalDiscord) -> None:
    """A quarter of an hour passes, for Discord and for the rows that remember when a token ends."""
    from sqlalchemy import select

    from knowledge.store import Scope
    from knowledge.store.tables import OutboxRow

    place.clock.advance(16 * 60)
    async with stage.store.session(Scope.all()) as session:
        for row in await session.scalars(select(OutboxRow)):
            row.address = {**row.address, "until_s": time.time() - 60}
