"""Questions, feedback and gaps in both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from knowledge.ask.answer import Answer, Citation, Composed, Excerpt
from knowledge.ask.gaps import answered_by_now, missed, weekly_gaps
from knowledge.ask.question_log import QuestionLog
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.outbox import Outbox, Owed
from knowledge.readings import Reading
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.text.sentences import Span
from knowledge.traces import NoTraces
from tests.integration.knowledge.ask.pages import SmallLibrary

GUILD = Scope.guild("g1")
REFUSED = Answer(status="refused", lang="en", asked="understood")
ANSWERED = Answer(status="answered", lang="en", asked="understood")


@pytest.fixture
def log(store: Store) -> QuestionLog:
    return QuestionLog(store, NoTraces())


async def test_a_conversation_belongs_to_one_member_in_one_thread(log: QuestionLog) -> None:
    first = await log.keep(GUILD, "first", ANSWERED, "ann", "t1")
    await log.keep(GUILD, "other thread", ANSWERED, "ann", "t2")
    await log.keep(GUILD, "other member", ANSWERED, "ben", "t1")
    assert await log.last_in(GUILD, "t1", "ann") == (first, "understood")
    assert await log.last_in(GUILD, "t1", "cyd") is None


async def test_a_follow_up_and_the_lists_do_not_wait_behind_a_writer(log: QuestionLog, store: Store) -> None:
    first = await log.keep(GUILD, "first", ANSWERED, "ann", "t1")
    async with asyncio.timeout(3), store.session(GUILD):
        assert await log.last_in(GUILD, "t1", "ann") == (first, "understood")
        assert await log.review_list(GUILD) == ()
        assert await log.unanswered(GUILD, now() - timedelta(days=7)) == ()
        assert await log.waiting(GUILD) == ()
        assert await log.undelivered(GUILD, "ann") == ()


async def test_an_opinion_is_kept_once_and_can_change(log: QuestionLog) -> None:
    asked = await log.keep(GUILD, "q", ANSWERED, "ann")
    await log.rate(GUILD, asked, "ben", helpful=False, reason="wrong")
    (listed,) = await log.review_list(GUILD)
    assert (listed.id, listed.reason) == (asked, "wrong")
    await log.rate(GUILD, asked, "ben", helpful=True)
    assert await log.review_list(GUILD) == ()


async def test_what_was_reviewed_leaves_the_list(log: QuestionLog) -> None:
    asked = await log.keep(GUILD, "q", ANSWERED, "ann")
    await log.rate(GUILD, asked, "ann", helpful=False)
    await log.reviewed(GUILD, asked)
    assert await log.review_list(GUILD) == ()


async def test_another_guild_neither_sees_nor_rates_a_question(log: QuestionLog) -> None:
    asked = await log.keep(GUILD, "q", REFUSED, "ann")
    with pytest.raises(NotFound):
        await log.rate(Scope.guild("g2"), asked, "eve", helpful=True)
    assert await log.unanswered(Scope.guild("g2"), now() - timedelta(days=7)) == ()


async def test_who_asked_says_from_anywhere_what_they_think(log: QuestionLog) -> None:
    """The answer may have come to them by direct message."""
    asked = await log.keep(GUILD, "q", ANSWERED, "ann")
    await log.rate(Scope(), asked, "ann", helpful=False, reason="wrong")
    (listed,) = await log.review_list(GUILD)
    assert listed.reason == "wrong"
    with pytest.raises(NotFound):
        await log.rate(Scope(), asked, "ben", helpful=True)


async def test_a_reason_has_an_end(log: QuestionLog) -> None:
    asked = await log.keep(GUILD, "q", ANSWERED, "ann")
    with pytest.raises(BadInput, match="300"):
        await log.rate(GUILD, asked, "ann", helpful=False, reason="x" * 301)


async def test_an_answer_comes_back_as_it_was_given_to_its_asker_alone_until_it_is_shared(log: QuestionLog) -> None:
    citation = Citation(1, "r", 7, "https://example.org", "Title", "Section", "", "en", now())
    reading = Reading("note:n", "Note", None, "zh", "beginner", 8, "note", ("coalescing",), "near")
    excerpt = Excerpt("as it\nstands", 12, (Span(0, 2), Span(6, 12)), 1, "code", "cuda")
    answer = Answer(
        "perhaps", "zh", "understood", (excerpt,), (citation,), (reading,), (Composed("Said.", 1),), 0.25, "g-1",
        {"search": 1.5},
    )  # fmt: skip
    asked = await log.keep(GUILD, "q", answer, "ann")
    assert (await log.get(GUILD, asked, "ann")).answer == answer
    for scope, viewer in ((GUILD, "ben"), (Scope.guild("g2"), "ann"), (GUILD, "")):
        with pytest.raises(NotFound):
            await log.get(scope, asked, viewer)
    with pytest.raises(NotFound):
        await log.share(GUILD, asked, "ben", public=True)
    await log.share(GUILD, asked, "ann", public=True)
    assert (await log.get(GUILD, asked, "ben")).own is False
    with pytest.raises(NotFound):
        await log.get(Scope.guild("g2"), asked, "ben")


async def test_only_the_asker_saves_a_question(log: QuestionLog) -> None:
    asked = await log.keep(GUILD, "q", REFUSED, "ann")
    with pytest.raises(NotAllowed):
        await log.save(GUILD, asked, "ben")
    await log.save(GUILD, asked, "ann")
    (waiting,) = await log.waiting(Scope.all())
    assert waiting.member_id == "ann"


async def test_gaps_group_questions_that_mean_the_same(log: QuestionLog, library: SmallLibrary) -> None:
    texts = ["How does NVLink work?", "How does nvlink work exactly?", "What is a systolic array?"]
    for member, text in zip(("ann", "ben", "ann"), texts, strict=True):
        await log.keep(GUILD, text, REFUSED, member)
    await log.keep(GUILD, "What is a warp?", ANSWERED, "ann")
    await log.keep(GUILD, "What does a used 3090 sell for?", replace(REFUSED, intent="current_or_future"), "ann")
    flow = library.flow
    first, second = await weekly_gaps(log, flow.searcher, GUILD, now() - timedelta(days=7))
    assert [question.text for question in first.questions] == texts[:2]
    assert first.members == 2
    assert second.text == texts[2]


async def test_the_asker_is_told_once_the_library_can_answer(
    log: QuestionLog, store: Store, library: SmallLibrary
) -> None:
    known = await log.keep(GUILD, "What is a CUDA stream?", REFUSED, "ann")
    unknown = await log.keep(GUILD, "How long should I boil an egg?", REFUSED, "ann")
    for asked in (known, unknown):
        await log.save(GUILD, asked, "ann")
    (news,) = await answered_by_now(log, library.flow.asker, Scope.all())
    assert news.question.id == known
    await Outbox(store).delivered(Owed.ANSWER, known)
    assert await answered_by_now(log, library.flow.asker, Scope.all()) == ()


async def test_what_could_not_be_delivered_is_kept_for_its_asker(
    log: QuestionLog, store: Store, library: SmallLibrary
) -> None:
    """It is not tried again by itself, and stays in the server whose library answers it."""
    at_home = await log.keep(GUILD, "What is a CUDA stream?", REFUSED, "ann")
    alone = await log.keep(Scope(), "What is a CUDA stream?", REFUSED, "ann")
    for scope, asked in ((GUILD, at_home), (Scope(), alone)):
        await log.save(scope, asked, "ann")
        await Outbox(store).undelivered(Owed.ANSWER, asked)
    asker = library.flow.asker

    async def told_in(scope: Scope, member: str = "ann") -> list[str]:
        return [one.question.id for one in await missed(log, asker, scope, member)]

    assert await answered_by_now(log, asker, Scope.all()) == ()
    assert await told_in(GUILD) == [at_home, alone]
    assert await told_in(Scope.guild("g2")) == await told_in(Scope()) == [alone]
    assert await told_in(GUILD, "ben") == []
    await Outbox(store).delivered(Owed.ANSWER, at_home)
    assert await told_in(GUILD) == [alone]
