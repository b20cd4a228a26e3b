"""Restarts, lost connections, dead tokens, a Discord that fails: nothing is lost, nobody waits without a word."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.discord import Channel, Exchange, LocalDiscord, Person, Upload
from tests.discord.gateway import until_connected
from tests.e2e.bot.stage import KERNEL, Stage, answered

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


async def test_a_button_works_after_a_restart(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="x y z")).reply()
    async with stage.bot():
        label = next(label for label in reply.buttons if label in {"Save", "收藏"})
        saved = await (await person.press(reply, label)).reply()
        assert "/saved" in saved.text


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


ROUTES = ["POST /interactions/", "PATCH /webhooks/", "GET /users/@me", "GET /gateway/bot", "PUT /applications/"]


@pytest.mark.parametrize("route", ROUTES)
async def test_a_429_on_any_route_is_waited_out(stage: Stage, place: LocalDiscord, ann: Person, route: str) -> None:
    fault = place.fault(route, 429, retry_after_s=0.05)
    async with stage.bot():
        exchange = await ann.run("submit", stage.place("guild", ann), file=CODE)
        await (await exchange.reply()).until(lambda text: "compiled" in text)
    assert fault.met == 1


async def test_a_429_on_a_channel_is_waited_out(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    fault = place.fault("POST /channels/", 429, retry_after_s=0.05, times=2)
    async with stage.bot():
        await ann.answer_to(await ann.say("what is a warp?", stage.place("guild", ann)))
    assert fault.met == 2


@pytest.mark.parametrize("route", ["PATCH /webhooks/", "POST /interactions/"])
async def test_a_server_error_of_discord_is_tried_again(
    stage: Stage, place: LocalDiscord, ann: Person, route: str
) -> None:
    place.fault(route, 502)
    async with stage.bot():
        exchange = await ann.run("submit", stage.place("guild", ann), file=CODE)
        await (await exchange.reply()).until(lambda text: "compiled" in text)


async def test_a_slow_discord_is_waited_for(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    place.fault("POST /interactions/", delay_s=0.5)
    place.fault("PATCH /webhooks/", delay_s=0.5)
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="x y z")).reply()
        assert "rather not guess" in reply.text


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


async def longest_hold_s() -> float:
    """The most that the loop's thread computed between two looks 10 ms apart, until it is cancelled.

    Its own processor time, so that a busy machine, which lets every thread wait, counts for nothing.
    """
    longest_s = 0.0
    try:
        while True:
            before_s = time.thread_time()
            await asyncio.sleep(0.01)
            longest_s = max(longest_s, time.thread_time() - before_s)
    except asyncio.CancelledError:
        return longest_s


async def age_tokens(stage: Stage, place: LocalDiscord) -> None:
    """A quarter of an hour passes, for Discord and for the rows that remember when a token ends."""
    from sqlalchemy import select

    from knowledge.store import Scope
    from knowledge.store.tables import Submission

    place.clock.advance(16 * 60)
    async with stage.store.session(Scope.all()) as session:
        for row in await session.scalars(select(Submission)):
            row.reply_to = {**row.reply_to, "until_s": time.time() - 60}
