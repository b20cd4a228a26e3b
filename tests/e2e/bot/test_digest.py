"""A server's weekly digest: every Monday, once, in its language; the problem of the week that it opens and closes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.markup import one_line
from knowledge.ask.gaps import Gap
from knowledge.ask.question_log import StoredQuestion
from knowledge.members import set_guild_language, set_guild_settings
from knowledge.store import Scope
from knowledge.store.tables import Question, VerdictRow
from knowledge.submit import HandIn
from tests.discord import Guild, LocalDiscord, Person
from tests.e2e.bot.moved_clock import MONDAY, MovedClock, everything_posted, said_in, with_clock
from tests.e2e.bot.stage import KERNEL, Stage, answered

GAP = Gap((StoredQuestion("01", "how do I use TMA?", "en", "refused", None, "discord:1", MONDAY),))


@pytest.fixture
def clock(stage: Stage) -> MovedClock:
    return with_clock(stage)


async def subscribed(stage: Stage, place: LocalDiscord, lang: str = "en") -> Guild:
    guild = place.world.add_guild()
    stage.asker.gaps_found.append(GAP)
    await set_guild_settings(stage.store, str(guild.id), gaps_channel=str(guild.general.id))
    await set_guild_language(stage.store, str(guild.id), lang)
    return guild


@pytest.mark.parametrize(("lang", "title"), [("en", "This week"), ("zh", "本周")])
async def test_it_comes_at_once_and_then_on_mondays(
    stage: Stage, place: LocalDiscord, clock: MovedClock, lang: str, title: str
) -> None:
    guild = await subscribed(stage, place, lang)
    clock.advance(days=2)
    for days, count in ((0, 1), (4, 1), (1, 2), (3, 2)):
        clock.advance(days=days)
        async with stage.bot():
            await everything_posted(stage)
        digests = said_in(guild.general)
        assert len(digests) == count
        assert all(title in text and "how do I use TMA?" in text for text in digests)


async def test_the_problem_of_the_week_is_opened_and_closed_with_names_of_those_who_agreed(
    stage: Stage, place: LocalDiscord, clock: MovedClock, ann: Person
) -> None:
    guild, bob = await subscribed(stage, place), place.person("bob")
    guild.members.add(ann.user.id)
    scope, group = Scope.guild(str(guild.id)), stage.services.group
    async with stage.bot():
        await everything_posted(stage)
        problem = await group.problem_to_open(str(guild.id), clock())
        assert problem is not None
        await group.named.set(scope, f"discord:{ann.user.id}", named=True)
        clock.advance(days=1)
        for person in (ann, bob):
            await accepted(stage, clock, scope, person, problem.slug)
        clock.advance(days=6)
        await everything_posted(stage)
    opened, closed = said_in(guild.general)
    title = one_line(problem.title.en)
    assert f"{title}. Its board is open" in opened
    assert f"“{title}”, was solved by: 2" in closed
    assert f"<@{ann.user.id}>" in closed
    assert str(bob.user.id) not in closed
    assert "members who solved something: 2" in closed
    assert place.pings == []


async def accepted(stage: Stage, clock: MovedClock, scope: Scope, person: Person, problem: str) -> None:
    """Handed in and accepted at the clock's time."""
    one = await stage.services.submissions.hand_in(scope, HandIn(f"discord:{person.user.id}", KERNEL, problem))
    async for _step in stage.services.submissions.watch(scope, one):
        pass
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(VerdictRow).where(VerdictRow.submission_id == one).values(at=clock()))


async def test_it_counts_what_was_answered_and_shows_what_was_shared(
    stage: Stage, place: LocalDiscord, clock: MovedClock, ann: Person
) -> None:
    guild = await subscribed(stage, place)
    scope, member = Scope.guild(str(guild.id)), f"discord:{ann.user.id}"
    questions = stage.services.questions
    shared = await questions.keep(scope, "what is a shared warp?", answered("32 lanes."), member, "x")
    await questions.keep(scope, "what is a secret warp?", answered("32 lanes."), member, "x")
    await questions.share(scope, shared, member, public=True)
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(Question).values(asked_at=clock()))
    clock.advance(hours=1)
    async with stage.bot():
        await everything_posted(stage)
    (text,) = said_in(guild.general)
    assert f"Questions answered since <t:{int((clock() - timedelta(days=7)).timestamp())}:f>: 2" in text
    assert "what is a shared warp?" in text
    assert "secret" not in text


async def test_a_closed_channel_keeps_no_other_back(stage: Stage, place: LocalDiscord, clock: MovedClock) -> None:
    closed, open_ = await subscribed(stage, place), await subscribed(stage, place)
    closed.general.bot_may_send = False
    async with stage.bot():
        await everything_posted(stage)
    assert (len(said_in(closed.general)), len(said_in(open_.general))) == (0, 1)


async def test_an_outage_of_discord_loses_nothing(stage: Stage, place: LocalDiscord, clock: MovedClock) -> None:
    guild = await subscribed(stage, place)
    outage = place.fault("POST /channels", hang_up=True, times=10_000)
    async with stage.bot() as bot:
        await bot.group_posts.look(clock())
        assert said_in(guild.general) == []
        outage.times = 0
        await everything_posted(stage)
    assert len(said_in(guild.general)) == 1


async def test_a_week_with_nothing_to_say_has_no_digest(stage: Stage, place: LocalDiscord, clock: MovedClock) -> None:
    """A plan has problems of its own, so that the digest opens none."""
    guild = await subscribed(stage, place)
    stage.asker.gaps_found.clear()
    await stage.services.group.start(Scope.guild(str(guild.id)), "path:tiling", 4, 0, str(guild.general.id))
    clock.advance(hours=1)
    async with stage.bot():
        await everything_posted(stage)
        assert len(said_in(guild.general)) == 1


async def test_one_digest_begins_where_the_last_one_ended(
    stage: Stage, place: LocalDiscord, clock: MovedClock, ann: Person
) -> None:
    """However much later in its week the bot looks: nothing is told twice, and nothing never."""
    guild = await subscribed(stage, place)
    scope, questions = Scope.guild(str(guild.id)), stage.services.questions
    async with stage.bot():
        await everything_posted(stage)
        asked = []
        for wait in ({"seconds": 0}, {"minutes": 20}, {"days": 7}):
            clock.advance(**wait)
            asked.append(f"what happens {len(asked)} weeks on?")
            one = await questions.keep(scope, asked[-1], answered("This."), f"discord:{ann.user.id}", "x")
            await questions.share(scope, one, f"discord:{ann.user.id}", public=True)
            async with stage.store.session(Scope.all()) as session:
                await session.execute(update(Question).where(Question.id == one).values(asked_at=clock()))
        await everything_posted(stage)
        clock.advance(days=7, hours=1)
        await everything_posted(stage)
    told = [[question in text for text in said_in(guild.general)] for question in asked]
    assert told == [[False, True, False], [False, True, False], [False, False, True]]


async def test_who_has_left_is_not_named_on_the_board_of_the_week(
    stage: Stage, place: LocalDiscord, clock: MovedClock, ann: Person
) -> None:
    guild = await subscribed(stage, place)
    scope, group = Scope.guild(str(guild.id)), stage.services.group
    async with stage.bot():
        await everything_posted(stage)
        problem = await group.problem_to_open(str(guild.id), clock())
        assert problem is not None
        await group.named.set(scope, f"discord:{ann.user.id}", named=True)
        clock.advance(days=1)
        await accepted(stage, clock, scope, ann, problem.slug)
        clock.advance(days=6)
        await everything_posted(stage)
    closed = said_in(guild.general)[1]
    assert "was solved by: 1" in closed
    assert str(ann.user.id) not in closed
