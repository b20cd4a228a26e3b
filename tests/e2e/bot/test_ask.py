"""Asking: by command, mention, reply, thread and form; what may be said about an answer."""

from __future__ import annotations

import dataclasses

import pytest

from knowledge.ask.answer import Answer, Composed, Defined, Excerpt, NextSteps
from knowledge.ask.gaps import Gap
from knowledge.ask.question_log import StoredQuestion
from knowledge.errors import BadInput
from knowledge.figures import answer_figures
from knowledge.readings import Reading
from knowledge.store import Scope
from knowledge.text.sentences import Span
from knowledge.words import Message
from tests.discord import LocalDiscord, Person
from tests.e2e.bot.stage import ONE_LIFE, Stage, answered

pytestmark = ONE_LIFE


async def test_an_answer_quotes_and_links_its_source(stage: Stage, person: Person) -> None:
    stage.asker.answers["why pad?"] = answered("One padding column moves each row to another bank.")
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="why pad?")).reply()
        assert "> **One padding column moves each row to another bank.** **[1]**" in reply.text
        assert "[Shared memory](<https://example.org/shared#banks>)" in reply.text
        assert not reply.private


async def test_an_uncertain_answer_says_so(stage: Stage, person: Person) -> None:
    stage.asker.answers["sure"] = answered("Because.")
    stage.asker.answers["unsure"] = answered("Because.", status="perhaps")
    said = {"This may be it; I am not certain.", "这可能就是答案，但没有把握。"}
    async with stage.bot():
        channel = stage.place("guild", person)
        unsure = await (await person.run("ask", channel, question="unsure")).reply()
        sure = await (await person.run("ask", channel, question="sure")).reply()
        assert any(words in unsure.text for words in said)
        assert not any(words in sure.text for words in said)


async def test_the_sentences_that_answer_are_bold_and_the_rest_is_not(stage: Stage, ann: Person) -> None:
    text = "Before it.\nThe answer\nis here. After it."
    marked = Excerpt(text, 0, (Span(11, 30),), 1)
    stage.asker.answers["q"] = dataclasses.replace(answered("x"), excerpts=(marked,))
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert "> Before it.\n> **The answer**\n> **is here.** After it. **[1]**" in reply.text


async def test_composed_sentences_stand_above_their_excerpts(stage: Stage, ann: Person) -> None:
    stage.asker.answers["q"] = answered("A warp has 32 threads.", composed=(Composed("It has @everyone 32.", 1),))
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert reply.text.index("32. **[1]**") < reply.text.index("> **A warp has 32 threads.**")
        assert "Written by a language model" in reply.text
        assert stage.discord.pings == []


async def test_the_excerpts_come_at_once_and_a_language_models_sentences_as_they_are_checked(
    stage: Stage, ann: Person
) -> None:
    """The reply is changed, no second message is sent, and no faster than Discord takes edits."""
    quoted = answered("A warp has 32 threads.")
    sentences = tuple(Composed(f"Sentence {n}.", 1) for n in range(1, 6))
    stage.asker.answers["q"] = quoted
    stage.asker.grown["q"] = [dataclasses.replace(quoted, composed=sentences[:n]) for n in range(1, 6)]
    stage.asker.may_write.clear()
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert "> **A warp has 32 threads.**" in reply.text
        assert "Sentence" not in reply.text
        stage.asker.may_write.set()
        await reply.until(lambda text: "Sentence 1. **[1]**" in text and "Sentence 5. **[1]**" in text)
        assert "> **A warp has 32 threads.**" in reply.text


async def test_the_answer_to_a_mention_grows_in_its_place(stage: Stage, ann: Person) -> None:
    quoted = answered("A warp has 32 threads.")
    stage.asker.answers["q"] = quoted
    stage.asker.grown["q"] = [dataclasses.replace(quoted, composed=(Composed("It has 32.", 1),))]
    async with stage.bot():
        reply = await ann.answer_to(await ann.say("q", stage.place("guild", ann)))
        assert "> **A warp has 32 threads.**" in reply.text
        await reply.until(lambda text: "It has 32. **[1]**" in text)


async def test_a_definition_names_what_it_can_be_checked_in(stage: Stage, ann: Person) -> None:
    defined = Defined(
        "term:warp", "warp", "A warp is 32 threads.", "CUDA guide", "https://docs.example.org/", "note:x"
    )
    made = answered(defined.text, intent="definition", definition=defined)
    citation = dataclasses.replace(made.citations[0], resource_id=defined.id, url="/terms/warp", snapshot_at=None)
    stage.asker.answers["q"] = dataclasses.replace(made, citations=(citation,))
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert reply.text.index("> **A warp is 32 threads.** **[1]**") < reply.text.index(
            "[CUDA guide](<https://docs"
        )


async def test_figures_are_said_with_their_sources(stage: Stage, ann: Person) -> None:
    figures = answer_figures("how many SMs does an RTX 4090 have?")
    assert figures is not None
    stage.asker.answers["q"] = Answer("answered", "en", "q", intent="figures", figures=figures)
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert "128" in reply.text
        assert figures.sources[0].url
        assert figures.sources[0].url.split("://")[1][:20] in reply.text


async def test_small_talk_is_answered_without_asking_for_an_opinion(stage: Stage, ann: Person) -> None:
    asks = NextSteps(questions=("How do I avoid bank conflicts?",))
    stage.asker.answers["hi"] = Answer(
        "answered", "en", "hi", intent="greeting", said=Message("said.greeting"), next=asks
    )
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="hi")).reply()
        assert "Hello!" in reply.text
        assert list(reply.buttons) == ["How do I avoid bank conflicts?"]


async def test_what_was_wished_for_is_listed_in_one_message(stage: Stage, ann: Person) -> None:
    readings = tuple(
        Reading(f"note:n{n}", f"Reading {n} " + "x" * 80, None, "en", "beginner", 8, "note", ("cuda",), "why " * 50)
        for n in range(5)
    )
    made = answered("a" * 1200, intent="material", said=Message("said.readings", topic="CUDA"), readings=readings)
    stage.asker.answers["q"] = made
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert "To read on CUDA" in reply.text
        assert all(f"Reading {n}" in reply.text for n in range(5))


async def test_an_answer_may_be_private(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="x y z", private=True)).reply()
        assert reply.private


async def test_code_in_an_answer_stays_in_its_fence(stage: Stage, ann: Person) -> None:
    stage.asker.answers["show"] = answered("int i;\n```\n@everyone # big\n```", code=True)
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="show")).reply()
        assert reply.text.count("```") == 2
        assert stage.discord.pings == []


async def test_markup_of_a_page_is_shown_and_not_obeyed(stage: Stage, ann: Person) -> None:
    hostile = "# Title\n[click](https://evil.example) ||spoiler|| <@1> @everyone"
    stage.asker.answers["q"] = answered(hostile, title="](https://evil.example) @here")
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        assert "](https://evil" not in reply.text
        assert "||spoiler||" not in reply.text
        assert "@everyone" not in reply.text
        assert stage.discord.pings == []


async def test_a_refusal_offers_readings_and_to_save(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="unknown thing")).reply()
        label = next(label for label in reply.buttons if label in {"Save this question", "保存这个问题"})
        saved = await (await person.press(reply, label)).reply()
        assert saved.private
        waiting = await stage.services.questions.waiting(Scope.all())
        assert [question.text for question in waiting] == ["unknown thing"]


async def test_who_saves_a_question_is_told_who_sees_it_and_may_keep_it_from_them(
    stage: Stage, person: Person
) -> None:
    is_zh = person.user.locale == "zh-CN"
    place = stage.place("guild", person)
    scope, group = Scope(str(place.guild_id)), stage.services.group
    async with stage.bot():
        reply = await (await person.run("ask", place, question="unknown thing")).reply()
        saved = await (await person.press(reply, "保存这个问题" if is_zh else "Save this question")).reply()
        assert ("小组页面" if is_zh else "the group's page and its feed, without your name") in saved.text
        assert [one.text for one in await group.open_questions(scope)] == ["unknown thing"]
        exchange = await person.press(saved, "不列在小组页面" if is_zh else "Not on the group's page")
        await exchange.acknowledged()
        assert await group.open_questions(scope) == []
        await (
            await person.press(await exchange.reply(), "重新列在小组页面" if is_zh else "Back on the group's page")
        ).acknowledged()
        assert len(await group.open_questions(scope)) == 1
        alone = await (await person.run("ask", stage.place("dm", person), question="unknown thing")).reply()
        saved = await (await person.press(alone, "保存这个问题" if is_zh else "Save this question")).reply()
        assert saved.buttons == {}


async def test_only_the_asker_saves_a_question(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="unknown thing")).reply()
        refusal = await (await bob.press(reply, "Save this question")).reply()
        assert "Only who asked" in refusal.text


async def test_a_helpful_answer_is_noted(stage: Stage, ann: Person) -> None:
    stage.asker.answers["q"] = answered("Because.")
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question="q")).reply()
        thanks = await (await ann.press(reply, "👍 Helpful")).reply()
        assert thanks.private
        assert "Thank you" in thanks.text


async def test_an_unhelpful_answer_asks_for_the_reason(stage: Stage, person: Person) -> None:
    stage.asker.answers["q"] = answered("Because.")
    async with stage.bot():
        channel = stage.place("guild", person)
        reply = await (await person.run("ask", channel, question="q")).reply()
        label = next(label for label in reply.buttons if label.startswith("👎"))
        reasons = await (await person.press(reply, label)).reply()
        await (await person.choose(reasons, "outdated")).reply()
        (listed,) = await stage.services.questions.review_list(Scope.guild(str(channel.guild_id)))
        assert listed.reason == "outdated"


async def test_a_follow_up_keeps_the_subject(stage: Stage, person: Person) -> None:
    stage.asker.answers["what is a warp?"] = answered("32 threads.")
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="what is a warp?")).reply()
        label = "Follow up" if "Follow up" in reply.buttons else "追问"
        form = await person.press(reply, label)
        field = next(iter((await form.form()).fields))
        await (await person.submit(form, await form.form(), {field: "and how many?"})).reply()
        question, _, follow_up_of, _ = stage.asker.calls[-1]
        assert (question, follow_up_of) == ("and how many?", "what is a warp?")


async def test_a_mention_asks(stage: Stage, ann: Person) -> None:
    stage.asker.answers["what is a warp?"] = answered("32 threads.")
    async with stage.bot():
        said = await ann.say("what is a warp?", stage.place("guild", ann))
        assert "32 threads" in (await ann.answer_to(said)).text
        assert stage.discord.pings == []


async def test_a_chinese_mention_is_answered_in_chinese(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        said = await ann.say("什么是线程束？", stage.place("guild", ann))
        assert "不想乱猜" in (await ann.answer_to(said)).text


async def test_a_direct_message_asks_without_a_mention(stage: Stage, ann: Person) -> None:
    stage.asker.answers["what is a warp?"] = answered("32 threads.")
    async with stage.bot():
        said = await ann.say("what is a warp?", stage.place("dm", ann), mention=False)
        assert "32 threads" in (await ann.answer_to(said)).text


async def test_a_reply_to_an_answer_follows_up(stage: Stage, ann: Person) -> None:
    stage.asker.answers["what is a warp?"] = answered("32 threads.")
    async with stage.bot():
        channel = stage.place("guild", ann)
        first = await ann.answer_to(await ann.say("what is a warp?", channel))
        await ann.answer_to(await ann.say("and a block?", channel, reply_to=first))
        assert stage.asker.calls[-1][2] == "what is a warp?"


async def test_a_thread_is_one_conversation(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    thread = place.world.add_channel(guild, "warps", thread_of=guild.general)
    async with stage.bot():
        await (await ann.run("ask", thread, question="what is a warp?")).reply()
        await (await ann.run("ask", thread, question="and a block?")).reply()
        assert stage.asker.calls[-1][2] == "what is a warp?"


async def test_two_members_of_a_thread_do_not_share_a_subject(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    thread = place.world.add_channel(guild, "warps", thread_of=guild.general)
    async with stage.bot():
        await (await ann.run("ask", thread, question="what is a warp?")).reply()
        await (await place.person("bob").run("ask", thread, question="and a block?")).reply()
        assert stage.asker.calls[-1][2] is None


async def test_questions_in_a_channel_stand_for_themselves(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("ask", channel, question="what is a warp?")).reply()
        await (await ann.run("ask", channel, question="and a block?")).reply()
        assert stage.asker.calls[-1][2] is None


async def test_the_bot_does_not_listen_to_what_is_not_for_it(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await ann.say("just talking", channel, mention=False)
        await ann.answer_to(await ann.say("real question", channel))
        assert [call[0] for call in stage.asker.calls] == ["real question"]


async def test_a_safe_error_is_told_in_the_members_language(stage: Stage, person: Person) -> None:
    stage.asker.failure = BadInput("error.question.empty")
    async with stage.bot():
        reply = await (await person.run("ask", stage.place("guild", person), question="!!!")).reply()
        assert reply.text == stage.asker.failure.text("zh" if person.user.locale == "zh-CN" else "en")


async def test_gaps_are_listed(stage: Stage, person: Person) -> None:
    from datetime import UTC, datetime

    asked = StoredQuestion("01", "how do I use TMA?", "en", "refused", None, "discord:1", datetime.now(UTC))
    stage.asker.gaps_found.append(Gap((asked,)))
    async with stage.bot():
        reply = await (await person.run("gaps", stage.place("guild", person))).reply()
        assert "how do I use TMA?" in reply.text


@pytest.mark.parametrize("question", ["x" * 1000, "🙂🙂🙂", "\u202eright to left", "```\ncode\n```", "a|b|c"])
async def test_any_question_gets_a_reply(stage: Stage, ann: Person, question: str) -> None:
    async with stage.bot():
        reply = await (await ann.run("ask", stage.place("guild", ann), question=question)).reply()
        assert "rather not guess" in reply.text
