"""How often a member and a server may ask and submit; what failed on our side does not count."""

from __future__ import annotations

import re

import pytest

from bot.rate_limit import Allowance, RateLimit
from tests.discord import Channel, LocalDiscord, Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, Stage, answered
from worker.protocol import Kind

CODE = Upload("a.cu", KERNEL.encode())
CHECK = "Check this kernel"


def strict(**more: int) -> RateLimit:
    return RateLimit({"ask": Allowance(2, more.get("guild", 100), 60), "submit": Allowance(1, 100, 60),
                 "write": Allowance(5, 50, 60)})  # fmt: skip


async def test_who_asks_too_fast_is_told_when_to_try_again(stage: Stage, person: Person) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", person)
        for _ in range(2):
            await (await person.run("ask", channel, question="x y z")).reply()
        reply = await (await person.run("ask", channel, question="x y z")).reply()
        assert reply.private
        assert re.search(r"Try again in \d+ s|\d+ 秒后再试", reply.text)


async def test_a_server_has_a_limit_of_its_own(stage: Stage, place: LocalDiscord) -> None:
    async with stage.bot(rate_limit=strict(guild=2)):
        guild = place.world.add_guild()
        replies = [await (await place.person(n).run("ask", guild.general, question="x")).reply() for n in "abc"]
        assert "This server is faster" in replies[-1].text


async def test_trouble_on_our_side_does_not_count(stage: Stage, ann: Person) -> None:
    stage.executor.parts = {"verdict": Kind.INFRASTRUCTURE_ERROR, "score": None}
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        for _ in range(3):
            reply = await (await ann.run("submit", channel, file=CODE)).reply()
            await reply.until(lambda text: "Nothing is counted against you" in text)


@pytest.mark.parametrize("way", ["command", "mention", "form"])
async def test_a_question_that_failed_on_our_side_does_not_count(stage: Stage, ann: Person, way: str) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        stage.asker.answers["warp?"] = answered("32 threads.")
        before = await (await ann.run("ask", channel, question="warp?")).reply()
        stage.asker.failure = RuntimeError("ours")
        for _ in range(3):
            assert "our side" in (await asked(ann, channel, way, before)).text
        stage.asker.failure = None
        assert "rather not guess" in (await asked(ann, channel, way, before)).text


async def asked(person: Person, channel: Channel, way: str, before: Shown) -> Shown:
    """One more question: by command, by mention, or by the form that follows an answer up."""
    if way == "mention":
        return await person.answer_to(await person.say("x y z", channel))
    if way == "command":
        return await (await person.run("ask", channel, question="x y z")).reply()
    form = await person.press(before, "Follow up")
    return await (await person.submit(form, await form.form(), {"Your question": "x y z"})).reply()


async def test_a_question_that_discord_gave_up_on_does_not_count(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    """Its acknowledgement came after three seconds: the client has said so itself, and nothing more can be said."""
    gone = place.fault("POST /interactions/", 404, code=10062, times=2)

    async def tries() -> int:
        return gone.met

    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        given_up = await ann.run("ask", channel, question="x y z")
        await stage.until(tries, 2)
        for _ in range(2):
            assert "rather not guess" in (await (await ann.run("ask", channel, question="x y z")).reply()).text
        assert given_up.interaction.original is None


@pytest.mark.parametrize("way", ["command", "message"])
async def test_a_submission_that_failed_on_our_side_does_not_count(stage: Stage, ann: Person, way: str) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        said = await ann.say(f"```cuda\n{KERNEL}\n```", channel, mention=False)
        async with stage.store.engine.begin() as connection:
            await connection.exec_driver_sql("ALTER TABLE submissions RENAME TO gone")
        for _ in range(3):
            hand_in = ann.run("submit", channel, file=CODE) if way == "command" else ann.check(CHECK, said)
            assert "our side" in (await (await hand_in).reply()).text


async def test_an_error_of_ours_is_a_number_that_the_log_knows(
    stage: Stage, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    stage.asker.failure = RuntimeError("secret detail")
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", person)
        for _ in range(3):  # and none of them counts
            reply = await (await person.run("ask", channel, question="x y z")).reply()
        found = re.search(r"\b[0-9a-f]{8}\b", reply.text)
        assert found
        assert "secret" not in reply.text
        assert found.group() in caplog.text
