"""Threads of a forum that moderators wish to keep: who is asked what, what is kept, and how it is taken back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sqlalchemy import select

from knowledge.catalogue import Item
from knowledge.kept_threads import Thread
from knowledge.store import Scope
from knowledge.store.tables import KeptMessage, KeptThread, Snapshot
from tests.discord import Channel, Guild, LocalDiscord, Person, Shown
from tests.e2e.bot.moved_clock import MovedClock, everything_posted, with_clock
from tests.e2e.bot.stage import Stage

QUESTION = "Why does my kernel hang at __syncthreads()? <@1> @everyone [x](https://evil.example)"
ANSWER = "Half of the warp never reaches it: the barrier stands in a branch."
ASIDE = "Same here, thanks!"
EN = ("Keep for the library", "Ask the authors", "Yes, keep them", "No", "Take it back")
ZH = ("收入资料库", "征求作者同意", "同意收录", "不同意", "撤回同意")


@dataclass(frozen=True)
class Help:
    """A forum with an answered thread: who asked speaks English, who answered Chinese."""

    guild: Guild
    thread: Channel
    amy: Person
    asker: Person
    expert: Person
    question: Shown
    answer: Shown
    aside: Shown

    @property
    def scope(self) -> Scope:
        return Scope.guild(str(self.guild.id))


@pytest.fixture
def clock(stage: Stage) -> MovedClock:
    return with_clock(stage)


async def answered_thread(place: LocalDiscord, locale: str = "en-US") -> Help:
    guild = place.world.add_guild("forum", locale)
    forum = place.world.add_forum(guild)
    amy, asker, expert = (place.person(name, locale) for name in ("amy", "ann", "bo"))
    guild.moderators.add(amy.user.id)
    thread, question = await asker.begin_thread("Kernel hangs", QUESTION, forum)
    answer = await expert.say(ANSWER, thread, mention=False)
    aside = await asker.say(ASIDE, thread, mention=False)
    return Help(guild, thread, amy, asker, expert, question, answer, aside)


async def asked(help_: Help, *messages: Shown, words: tuple[str, ...] = EN, authors: int = 2) -> None:
    """Picked by the moderator, who then has the authors asked."""
    for message in messages:
        picked = await (await help_.amy.check(words[0], message)).reply()
        assert words[1] in picked.buttons, picked.text
    assert not picked.buttons[words[1]]["disabled"], picked.text
    await (await help_.amy.press(picked, words[1])).reply()
    await help_.amy.discord.world.until(lambda: len(posted(help_)) >= authors, what="the requests")


def posted(help_: Help) -> list[Shown]:
    """What the bot wrote in the thread unasked."""
    world = help_.asker.discord.world
    ours = (one for one in help_.thread.messages.values() if one["author"].get("bot"))
    return [Shown(world, one, help_.thread) for one in ours if "interaction_metadata" not in one]


def requests(help_: Help) -> dict[int, Shown]:
    """What the bot asks or asked in the thread, by whom, as their buttons say."""
    return {
        int(button["custom_id"].rpartition(":")[2]): shown
        for shown in posted(help_)
        for button in shown.buttons.values()
    }


async def press(help_: Help, person: Person, label: str) -> str:
    """What the request has become."""
    request = requests(help_)[person.user.id]
    before = request.text
    await person.press(request, label)
    return (await request.until(lambda text: text != before)).text


async def drafts(stage: Stage, help_: Help, state: str = "pending") -> list[Item]:
    return [one for one in await stage.services.catalogue.listed(help_.scope, state=state) if one.origin == "forum"]


async def kept(stage: Stage, help_: Help) -> list[Thread]:
    return list(await stage.services.kept_threads.kept(help_.scope))


async def rows(stage: Stage) -> list[str]:
    async with stage.store.reading(Scope.all()) as session:
        return [
            *(await session.scalars(select(KeptMessage.text))),
            *(await session.scalars(select(KeptThread.title))),
        ]


@pytest.mark.parametrize(("locale", "words"), [("en-US", EN), ("zh-CN", ZH)])
async def test_what_all_authors_agree_to_waits_as_a_draft_of_the_server(
    stage: Stage, place: LocalDiscord, clock: MovedClock, locale: str, words: tuple[str, ...]
) -> None:
    """With a new life of the bot between the question and each answer; each author sees exactly their messages."""
    help_ = await answered_thread(place, locale)
    async with stage.bot():
        await asked(help_, help_.question, help_.answer, help_.aside, words=words)
    first = requests(help_)
    assert len(first) == 2
    theirs = {help_.asker.user.id: ("kernel hang", ASIDE), help_.expert.user.id: ("never reaches it",)}
    for user, texts in theirs.items():
        assert all(text in first[user].text for text in texts)
        assert not any(text in first[user].text for other in theirs.values() for text in other if text not in texts)
        assert ("一条也不会收录" if locale == "zh-CN" else "nothing of yours is kept") in first[user].text
    assert {int(one) for one in place.pings} == set(theirs)
    for person in (help_.asker, help_.expert):
        assert await rows(stage)
        assert await drafts(stage, help_) == []
        async with stage.bot():
            await everything_posted(stage)
            assert len(posted(help_)) == 2
            await press(help_, person, words[2])
    (draft,) = await drafts(stage, help_)
    assert (draft.guild_id, draft.title("en")) == (str(help_.guild.id), "Kernel hangs")
    assert await stage.services.catalogue.listed(Scope.guild("1"), state="pending") == ()
    (thread,) = await kept(stage, help_)
    assert [one.text for one in thread.messages] == [QUESTION, ANSWER, ASIDE]
    async with stage.bot():
        review = await (
            await help_.amy.run("resource review" if locale == "en-US" else "资料 审核", help_.guild.general)
        ).reply()
        await (await help_.amy.press(review, next(iter(review.buttons)))).reply()
    assert len(await drafts(stage, help_, "approved")) == 1


async def test_a_refusal_keeps_nothing_of_that_author_and_one_of_the_asker_nothing_at_all(
    stage: Stage, place: LocalDiscord, clock: MovedClock
) -> None:
    async with stage.bot():
        for refuses in ("expert", "asker"):
            help_ = await answered_thread(place)
            await asked(help_, help_.question, help_.answer, help_.aside)
            other = help_.expert if refuses == "asker" else help_.asker
            assert "Nothing of yours is kept" in await press(help_, getattr(help_, refuses), "No")
            if refuses == "asker":
                assert await stage.services.kept_threads.kept(help_.scope) == []
                late = await (await other.press(requests(help_)[other.user.id], "Yes, keep them")).followup()
                assert "Nothing of this thread is kept" in late.text
                assert await drafts(stage, help_) == []
            else:
                await press(help_, other, "Yes, keep them")
                (thread,) = await kept(stage, help_)
                assert [one.text for one in thread.messages] == [QUESTION, ASIDE]
                assert len(await drafts(stage, help_)) == 1
    assert ANSWER not in await rows(stage)


async def test_who_says_nothing_for_a_week_has_refused(stage: Stage, place: LocalDiscord, clock: MovedClock) -> None:
    help_, silent = await answered_thread(place), await answered_thread(place)
    async with stage.bot():
        await asked(help_, help_.question, help_.answer, help_.aside)
        await asked(silent, silent.question, silent.answer)
        await press(help_, help_.asker, "Yes, keep them")
        await press(silent, silent.expert, "Yes, keep them")
        clock.advance(days=6, hours=23)
        await everything_posted(stage)
        assert await drafts(stage, help_) == []
    clock.advance(hours=2)
    async with stage.bot():
        await everything_posted(stage)
        late = await (await help_.expert.press(requests(help_)[help_.expert.user.id], "Yes, keep them")).followup()
        assert "too late" in late.text
    (thread,) = await kept(stage, help_)
    assert [one.text for one in thread.messages] == [QUESTION, ASIDE]
    assert await kept(stage, silent) == []
    assert sorted(await rows(stage)) == sorted([QUESTION, ASIDE, "Kernel hangs"])


async def test_only_moderators_pick_and_only_its_author_answers_a_request(
    stage: Stage, place: LocalDiscord, clock: MovedClock
) -> None:
    help_ = await answered_thread(place)
    async with stage.bot():
        plain = await help_.expert.say("hello", help_.guild.general, mention=False)
        refused = await (await help_.amy.check("Keep for the library", plain)).reply()
        assert "a thread in a forum channel" in refused.text
        alone = await (await help_.amy.check("Keep for the library", help_.answer)).reply()
        assert "its question" in alone.text
        assert alone.buttons["Ask the authors"]["disabled"]
        help_.guild.moderators.clear()
        not_theirs = await (await help_.amy.press(alone, "Drop it")).reply()
        assert "Only moderators" in not_theirs.text
        help_.guild.moderators.add(help_.amy.user.id)
        await asked(help_, help_.question)
        request = requests(help_)[help_.expert.user.id]
        for person in (help_.asker, help_.amy):
            assert "Yes" not in (await (await person.press(request, "Yes, keep them")).reply()).text
        assert await drafts(stage, help_) == []
        again = await (await help_.amy.check("Keep for the library", help_.aside)).reply()
        assert "have been asked already" in again.text


async def test_what_was_changed_or_deleted_since_it_was_picked_is_left_out(
    stage: Stage, place: LocalDiscord, clock: MovedClock
) -> None:
    help_ = await answered_thread(place)
    async with stage.bot():
        await asked(help_, help_.question, help_.answer, help_.aside)
        help_.aside.message["edited_timestamp"] = "2027-03-01T10:00:00+00:00"
        said = await press(help_, help_.asker, "Yes, keep them")
        assert "Left out, because you changed or deleted them since: 1" in said
        await press(help_, help_.expert, "Yes, keep them")
    (thread,) = await kept(stage, help_)
    assert [one.text for one in thread.messages] == [QUESTION, ANSWER]


@pytest.mark.parametrize("way", ["button", "command", "privacy"])
async def test_consent_that_is_taken_back_takes_the_reading_away(
    stage: Stage, place: LocalDiscord, clock: MovedClock, way: str
) -> None:
    help_ = await answered_thread(place)
    async with stage.bot():
        await asked(help_, help_.question, help_.answer)
        for person in (help_.asker, help_.expert):
            await press(help_, person, "Yes, keep them")
        (draft,) = await drafts(stage, help_)
        async with stage.store.session(help_.scope) as session:
            session.add(
                Snapshot(
                    guild_id=str(help_.guild.id), resource_id=draft.id, url="u", title="t", lang="en",
                    kind="markdown", text=ANSWER, content_hash="h", source_hash="h",
                )
            )  # fmt: skip
        if way == "button":
            await press(help_, help_.asker, "Take it back")
        elif way == "command":
            said = await (await help_.asker.run("resource withdraw", help_.guild.general)).reply()
            assert "Messages taken back: 1" in said.text
        else:
            shown = await (await help_.asker.run("privacy", help_.guild.general)).reply()
            sure = await (await help_.asker.press(shown, "Delete everything")).reply()
            await (await help_.asker.press(sure, next(iter(sure.buttons)))).reply()
        assert await kept(stage, help_) == []
    assert await drafts(stage, help_) == []
    assert await rows(stage) == []
    async with stage.store.reading(Scope.all()) as session:
        assert list(await session.scalars(select(Snapshot.text))) == []


async def test_a_request_that_was_owed_at_the_end_of_a_process_is_posted_once_by_the_next(
    stage: Stage, place: LocalDiscord, clock: MovedClock
) -> None:
    help_ = await answered_thread(place)
    outage = place.fault(f"POST /channels/{help_.thread.id}/messages", 502, times=10_000)
    async with stage.bot():
        await asked(help_, help_.question, help_.answer, authors=0)
    assert requests(help_) == {}
    outage.times = 0
    clock.advance(minutes=11)
    for _ in range(2):
        async with stage.bot():
            await everything_posted(stage)
    assert len(posted(help_)) == 2
