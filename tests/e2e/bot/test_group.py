"""A server's plan on Discord: four weeks in either language, over restarts, ended processes and two at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.group_posts import GroupPosts
from knowledge.store import Scope
from knowledge.store.tables import PostRow, VerdictRow
from knowledge.submit import HandIn
from tests.discord import Guild, LocalDiscord, Person
from tests.e2e.bot.moved_clock import MovedClock, everything_posted, said_in, threads_of, with_clock
from tests.e2e.bot.stage import KERNEL, Stage

WEEKS = 4


@dataclass(frozen=True)
class Server:
    """One that speaks a language, with somebody who organises, agrees to be named, and somebody who does not."""

    guild: Guild
    organiser: Person
    quiet: Person
    opens: str
    closes: str
    reminds: str

    @property
    def scope(self) -> Scope:
        return Scope.guild(str(self.guild.id))


def servers(place: LocalDiscord) -> tuple[Server, Server]:
    said = {
        "en-US": ("Week {} of 4 · The way to", "Week {} is over", "Week {} ends"),
        "zh-CN": ("第 {} 周，共 4 周 · ", "第 {} 周结束了", "第 {} 周将在"),
    }
    made = []
    for locale, words in said.items():
        guild = place.world.add_guild(locale, locale)
        organiser, quiet = place.person("ann", locale), place.person("bob", locale)
        guild.moderators.add(organiser.user.id)
        guild.members |= {organiser.user.id, quiet.user.id}
        made.append(Server(guild, organiser, quiet, *words))
    return made[0], made[1]


async def solved(stage: Stage, clock: MovedClock, server: Server, number: int) -> str:
    """Both hand in the week's problem, and it is accepted at the clock's time; its title is returned."""
    plan = await stage.services.group.plan(server.scope)
    assert plan is not None
    problem = plan.week(number).problem
    assert problem is not None
    for person in (server.organiser, server.quiet):
        handed_in = HandIn(f"discord:{person.user.id}", KERNEL, problem)
        submission = await stage.services.submissions.hand_in(server.scope, handed_in)
        async for _step in stage.services.submissions.watch(server.scope, submission):
            pass
        async with stage.store.session(Scope.all()) as session:
            moved = update(VerdictRow).where(VerdictRow.submission_id == submission).values(at=clock())
            await session.execute(moved)
    return problem


async def begun(stage: Stage, server: Server) -> None:
    started = await server.organiser.run(
        "group start", server.guild.general, goal="path:tiling", weeks=WEEKS, weekday="monday"
    )
    assert str(server.guild.general.id) in (await started.reply()).text
    named = await server.organiser.run("group named", server.guild.general, named=True)
    await named.reply()


async def test_four_weeks_are_opened_reminded_of_and_closed_once_each(stage: Stage, place: LocalDiscord) -> None:
    """In two languages at once, with a new life of the bot at every step; everything in its order."""
    clock, both = with_clock(stage), servers(place)
    async with stage.bot():
        for server in both:
            await begun(stage, server)
    for number in range(1, WEEKS + 1):
        async with stage.bot():
            await everything_posted(stage)
            for server in both:
                await solved(stage, clock, server, number)
        clock.advance(days=4, hours=1)
        async with stage.bot():
            await everything_posted(stage)
        clock.advance(days=2, hours=23)
    for _ in range(3):
        async with stage.bot():
            await everything_posted(stage)
        clock.advance(days=3)
    for server in both:
        posted = said_in(server.guild.general)
        expected = [server.opens.format(1)]
        for number in range(1, WEEKS + 1):
            expected += [server.closes.format(number), server.opens.format(number + 1)]
        assert len(posted) == 2 * WEEKS, posted
        for text, beginning in zip(posted, expected[:-1], strict=True):
            assert beginning in text
        reminders = [said_in(thread) for thread in threads_of(server.guild)]
        assert [len(said) for said in reminders] == [1] * WEEKS
        assert all(server.reminds.format(n) in said[0] for n, said in enumerate(reminders, start=1))
        closing = [text for text in posted if server.closes.partition("{}")[2] in text]
        mark = f"<@{server.organiser.user.id}>"
        assert all(mark in text and str(server.quiet.user.id) not in text for text in closing)
        assert "▰▰▰▰" in closing[-1]
    assert place.pings == []


async def test_what_an_ended_process_had_claimed_is_posted_by_the_next_one(stage: Stage, place: LocalDiscord) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
        plan = await stage.services.group.plan(server.scope)
        assert plan is not None
    clock.advance(days=7)
    key = f"plan:{plan.id}:open:2"
    assert await stage.services.group.posts.claim(key, plan.guild_id, clock()) is not None
    async with stage.bot() as bot:
        await bot.group_posts.look(clock())
        assert not [text for text in said_in(server.guild.general) if server.opens.format(2) in text]
        clock.advance(minutes=11)
        await everything_posted(stage)
        assert len([text for text in said_in(server.guild.general) if server.opens.format(2) in text]) == 1


async def test_what_was_posted_just_before_the_end_is_found_and_not_posted_again(
    stage: Stage, place: LocalDiscord
) -> None:
    """With its thread opened by who comes next."""
    clock, (server, _) = with_clock(stage), servers(place)
    outage = place.fault("POST /channels/[0-9]+/messages/[0-9]+/threads", hang_up=True, times=10_000)
    async with stage.bot():
        await begun(stage, server)
        await stage.until(lambda: met(outage.met), True)
    assert (len(said_in(server.guild.general)), threads_of(server.guild)) == (1, [])
    outage.times = 0
    place.rest.messages.forget_nonces()
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(PostRow).values(claimed_until=clock() - timedelta(minutes=1)))
    async with stage.bot():
        await everything_posted(stage)
    assert (len(said_in(server.guild.general)), len(threads_of(server.guild))) == (1, 1)


async def test_a_reminder_that_was_sent_just_before_the_end_is_found_in_its_thread(
    stage: Stage, place: LocalDiscord
) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
    clock.advance(days=4, hours=1)
    async with stage.bot():
        await everything_posted(stage)
    place.rest.messages.forget_nonces()
    async with stage.store.session(Scope.all()) as session:
        ended = update(PostRow).where(PostRow.key.contains(":remind:"))
        await session.execute(ended.values(state="claimed", claimed_until=clock() - timedelta(minutes=1)))
    async with stage.bot():
        await everything_posted(stage)
    assert [len(said_in(thread)) for thread in threads_of(server.guild)] == [1]


async def met(count: int) -> bool:
    return count > 0


async def test_two_processes_at_once_and_a_forgetful_discord_post_once(stage: Stage, place: LocalDiscord) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    async with stage.bot() as bot:
        await begun(stage, server)
        await everything_posted(stage)
        clock.advance(days=7)
        place.fault("POST /channels/[0-9]+/messages$", 502, answer_lost=True)
        other = GroupPosts(bot, stage.services, bot.languages, bot.forum_requests)
        await asyncio.gather(*(one.look(clock()) for one in (bot.group_posts, other, bot.group_posts)))
        await everything_posted(stage)
        assert len(said_in(server.guild.general)) == 3


async def test_where_no_thread_can_be_opened_the_channel_hears_the_reminder(
    stage: Stage, place: LocalDiscord
) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    server.guild.general.bot_may_open_threads = False
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
        clock.advance(days=5)
        await everything_posted(stage)
    assert server.reminds.format(1) in said_in(server.guild.general)[-1]


async def test_the_buttons_of_a_post_name_whoever_wishes_and_show_where_the_server_stands(
    stage: Stage, place: LocalDiscord
) -> None:
    clock, (_, server) = with_clock(stage), servers(place)
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
        post = await place.message_in(server.guild.general, server.opens.format(1))
        assert (await (await server.quiet.press(post, "我也署名")).reply()).private
        await solved(stage, clock, server, 1)
        clock.advance(hours=1)
        shown = await (await server.quiet.press(post, "进展如何")).reply()
        assert shown.private
        assert f"<@{server.quiet.user.id}>" in shown.text
        no_longer = await server.quiet.run("group named", server.guild.general, named=False)
        await no_longer.reply()
        shown = await (await server.organiser.run("group show", server.guild.general)).reply()
        assert f"<@{server.organiser.user.id}>" in shown.text
        assert f"<@{server.quiet.user.id}>" not in shown.text


async def test_only_who_moderates_begins_and_ends_a_plan(stage: Stage, place: LocalDiscord) -> None:
    with_clock(stage)
    server, _ = servers(place)
    async with stage.bot():
        for command, options in (
            ("group start", {"goal": "path:tiling", "weeks": 1, "weekday": "monday"}),
            ("group stop", {}),
        ):
            refused = await (await server.quiet.run(command, server.guild.general, **options)).reply()
            assert "Only members who may manage" in refused.text
        await begun(stage, server)
        stopped = await (await server.organiser.run("group stop", server.guild.general)).reply()
        assert "is stopped" in stopped.text
        shown = await (await server.organiser.run("group show", server.guild.general)).reply()
        assert "has no plan" in shown.text


async def test_who_has_left_the_server_is_counted_and_no_longer_named(stage: Stage, place: LocalDiscord) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
        await solved(stage, clock, server, 1)
        server.guild.members.remove(server.organiser.user.id)
        clock.advance(days=7)
        await everything_posted(stage)
        closing = said_in(server.guild.general)[1]
        assert f"<@{server.organiser.user.id}>" not in closing
        assert "not named: 2 solved it" in closing
        shown = await (await server.quiet.run("group show", server.guild.general)).reply()
        assert f"<@{server.organiser.user.id}>" not in shown.text


@pytest.mark.parametrize("refusal", ["nothing", "forbidden"])
async def test_a_post_is_not_lost_where_the_bot_may_not_read_what_was_said(
    stage: Stage, place: LocalDiscord, refusal: str
) -> None:
    """And `/status` says what comes of it."""
    clock, (server, chinese) = with_clock(stage), servers(place)
    async with stage.bot():
        await begun(stage, server)
        await everything_posted(stage)
        plan = await stage.services.group.plan(server.scope)
        assert plan is not None
        clock.advance(days=7)
        await stage.services.group.posts.claim(f"plan:{plan.id}:close:1", plan.guild_id, clock())
    server.guild.general.bot_may_read_history = refusal != "nothing"
    if refusal == "forbidden":
        place.fault("GET /channels/[0-9]+/messages", 403, code=50001, times=10_000)
    clock.advance(minutes=11)
    async with stage.bot():
        await everything_posted(stage)

        async def closing() -> list[bool]:
            return [server.closes.format(1) in text for text in said_in(server.guild.general)]

        await stage.until(closing, [False, True, False])
        if refusal == "nothing":
            status = await (await server.quiet.run("status", server.guild.general)).reply()
            assert f"In <#{server.guild.general.id}> I lack: Read Message History." in status.text
            assert "it may come twice" in status.text
            chinese.guild.general.bot_may_read_history = False
            status = await (await chinese.quiet.run("status", chinese.guild.general)).reply()
            assert "缺少权限：阅读消息历史记录" in status.text


async def test_a_claim_holds_from_when_it_is_made_however_long_the_look_takes(
    stage: Stage, place: LocalDiscord
) -> None:
    clock, (server, _) = with_clock(stage), servers(place)
    async with stage.bot() as bot:
        await begun(stage, server)
        await everything_posted(stage)
        clock.advance(days=7)
        began = clock()
        clock.advance(minutes=30)  # that the guilds before this one took
        place.fault("POST /channels/[0-9]+/messages$", 502, times=10_000)
        looking = asyncio.create_task(bot.group_posts.look(began))
        plan = await stage.services.group.plan(server.scope)
        assert plan is not None
        key = f"plan:{plan.id}:close:1"
        await stage.until(lambda: _is_claimed(stage, key), True)
        assert await stage.services.group.posts.claim(key, plan.guild_id, clock()) is None
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _is_claimed(stage: Stage, key: str) -> bool:
    return await stage.services.group.posts.find(key) is not None
