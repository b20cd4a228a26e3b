"""What the bot tells members unasked: answers to who waited; once each."""

from __future__ import annotations

from knowledge.store import Scope
from tests.discord import Channel, LocalDiscord, Person
from tests.discord.check_messages import text_of
from tests.discord.faults import Fault
from tests.discord.gateway import until_connected
from tests.e2e.bot.stage import Stage, answered


async def waits_for_an_answer(stage: Stage, person: Person, at: Channel | None = None) -> None:
    """Asked, directly or there, refused and saved; by now there is an answer."""
    reply = await (await person.run("ask", at or stage.place("dm", person), question="how do I use TMA?")).reply()
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
        await round_.look()
        await round_.look()
    async with stage.bot() as bot:
        await bot.news.look()
        (said,) = told(stage, person)
        assert ("之前问过" if person.user.locale == "zh-CN" else "some time ago") in said


async def test_an_answer_told_directly_can_be_rated_there(stage: Stage, place: LocalDiscord, person: Person) -> None:
    """Though the question belongs to a server."""
    async with stage.bot() as bot:
        await waits_for_an_answer(stage, person, stage.place("guild", person))
        await bot.news.look()
        said = await place.message_in(stage.place("dm", person), "With a tensor map.")
        label = next(label for label in said.buttons if label.startswith("👍"))
        thanks = await (await person.press(said, label)).reply()
        assert ("已记录" if is_zh(person) else "noted") in thanks.text


async def test_an_outage_of_discord_loses_no_answer(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot() as bot:
        await waits_for_an_answer(stage, ann)
        outage = place.fault("POST /(users|channels)", hang_up=True, times=10_000)
        round_ = bot.news
        await round_.look()
        assert told(stage, ann) == []
        outage.times = 0
        await round_.look()
        assert len(told(stage, ann)) == 1


async def test_closed_direct_messages_do_not_stop_the_round(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    ann.user.takes_direct_messages = False
    async with stage.bot() as bot:
        for person in (ann, bob):
            await waits_for_an_answer(stage, person)
            stage.asker.answers.clear()
        stage.asker.answers["how do I use TMA?"] = answered("With a tensor map.")
        await bot.news.look()
        assert (told(stage, ann), len(told(stage, bob))) == ([], 1)
        assert await stage.services.questions.waiting(Scope.all()) == ()


async def missed_an_answer(stage: Stage, person: Person, at: Channel) -> None:
    """Asked there and saved; there is an answer by now, and their direct messages are closed."""
    await waits_for_an_answer(stage, person, at)
    person.user.takes_direct_messages = False
    await stage.living[-1].news.look()
    assert told(stage, person) == []


async def test_who_takes_no_direct_messages_hears_of_it_with_their_next_question(
    stage: Stage, person: Person
) -> None:
    """Alone, once, and after what they came for; it is marked as told only then."""
    async with stage.bot() as bot:
        channel = stage.place("guild", person)
        await missed_an_answer(stage, person, channel)
        member, scope = f"discord:{person.user.id}", Scope(str(channel.guild_id))
        (missed,) = await stage.services.questions.undelivered(scope, member)
        asked = await person.run("ask", channel, question="x y z")
        assert ("不想乱猜" if is_zh(person) else "rather not guess") in (await asked.reply()).text
        late = await asked.followup()
        assert late.private
        assert "With a tensor map." in late.text
        assert ("之前问过" if is_zh(person) else "some time ago") in late.text
        await stage.until(lambda: stage.services.questions.undelivered(scope, member), ())
        await bot.news.look()
        again = await person.run("ask", channel, question="x y z")
        await again.reply()
    assert again.interaction.followups == []
    assert missed.text == "how do I use TMA?"


async def test_what_a_server_answers_is_told_in_that_server_alone(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    async with stage.bot():
        home = stage.place("guild", ann)
        await missed_an_answer(stage, ann, home)
        elsewhere = await ann.run("ask", stage.place("guild", ann), question="x y z")
        await elsewhere.reply()
        at_home = await ann.run("ask", home, question="x y z")
        assert "With a tensor map." in (await at_home.followup()).text
    assert elsewhere.interaction.followups == []


async def test_what_was_asked_in_private_is_told_to_who_asks_anywhere(stage: Stage, person: Person) -> None:
    async with stage.bot():
        await missed_an_answer(stage, person, stage.place("dm", person))
        asked = await person.run("ask", stage.place("guild", person), question="x y z")
        late = await asked.followup()
        assert late.private
        assert "With a tensor map." in late.text


async def test_who_writes_directly_again_hears_of_it_there(stage: Stage, person: Person) -> None:
    async with stage.bot():
        await missed_an_answer(stage, person, stage.place("dm", person))
        person.user.takes_direct_messages = True
        await person.say("x y z", stage.place("dm", person), mention=False)
        await stage.discord.message_in(stage.place("dm", person), "With a tensor map.")
        assert len(told(stage, person)) == 1


async def test_an_answer_that_cannot_be_told_now_waits_for_the_next_question(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    """And whoever asked sees nothing of that trouble."""
    async with stage.bot():
        channel = stage.place("guild", ann)
        await missed_an_answer(stage, ann, channel)
        outage = place.fault("^POST /webhooks/", hang_up=True, times=10_000)
        asked = await ann.run("ask", channel, question="x y z")
        assert "rather not guess" in (await asked.reply()).text
        await stage.until(lambda: met(outage), 1)
        outage.times = 0
        assert "With a tensor map." in (await (await ann.run("ask", channel, question="x y z")).followup()).text
        assert "our side" not in (await asked.reply()).text


async def met(fault: Fault) -> int:
    return fault.met


def is_zh(person: Person) -> bool:
    return person.user.locale == "zh-CN"


async def test_every_shard_answers(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    place.gateway.shards = 4
    guilds = [place.world.add_guild(f"g{n}", id_=(100 + n) << 22) for n in range(4)]
    async with stage.bot():
        await until_connected(place.gateway, 4)
        for guild in guilds:
            assert "What I can do" in (await (await ann.run("help", guild.general)).reply()).text
        assert {session.shard for session in place.gateway.sessions.values()} == {0, 1, 2, 3}
