"""Streaks of a guild and of a member, over both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from sqlalchemy import update

from knowledge.practice.streaks import WEEK, Streak, solved_lately, streak_of
from knowledge.store import Scope, Store
from knowledge.store.tables import Member, ReadingEvent, Submission, VerdictRow
from knowledge.submit.verdicts import commit
from worker.canned import accepted
from worker.protocol import Backend, Form, Job, Kind, Verdict

ADA, BOB = "discord:1", "discord:2"
TODAY = date(2026, 11, 25)
"""A Wednesday."""
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


async def solved(
    store: Store, member: str, problem: str, days_ago: int = 0, guild: str | None = "7", kind: Kind = Kind.ACCEPTED
) -> None:
    """As the collector commits it, so many days ago."""
    at = NOON - timedelta(days=days_ago)
    async with store.session(Scope.all()) as session:
        if await session.get(Member, member) is None:
            session.add(Member(id=member))
            await session.flush()
        row = Submission(member_id=member, form="kernel", problem=problem, source="…", backend="auto", guild_id=guild)
        session.add(row)
        await session.flush()
        verdict = accepted(Job(row.id, Form.KERNEL, "…", problem))
        if kind is not Kind.ACCEPTED:
            verdict = Verdict(row.id, Form.KERNEL, problem, Backend.EMULATOR, kind)
        await commit(session, row, 1, verdict, lambda _id, _lang: ())
        await session.flush()
        await session.execute(update(VerdictRow).where(VerdictRow.submission_id == row.id).values(at=at))
        newest = ReadingEvent.at > NOON - timedelta(days=1000)
        same = (ReadingEvent.member_id == member, ReadingEvent.item == f"problem:{problem}", newest)
        if kind is Kind.ACCEPTED and days_ago:
            await session.execute(update(ReadingEvent).where(*same).values(at=at))


async def test_a_guild_and_a_member_each_have_their_weeks_in_a_row(store: Store) -> None:
    await solved(store, ADA, "vector_add", 14)
    await solved(store, ADA, "sigmoid", 7)
    await solved(store, BOB, "vector_add", 1)
    await solved(store, BOB, "sigmoid", 2)
    guild = Scope.guild("7")
    assert await streak_of(store, guild, ADA, TODAY) == Streak(2, 3, 2, 1)
    assert await streak_of(store, guild, BOB, TODAY) == Streak(1, 3, 2, 1)
    assert (await solved_lately(store, "7", NOON - WEEK, NOON)).weeks == 3
    assert (await solved_lately(store, "7", NOON - WEEK, NOON)).members == 1


async def test_a_problem_solved_twice_counts_once(store: Store) -> None:
    await solved(store, ADA, "vector_add", 21)
    await solved(store, ADA, "vector_add", 1)
    found = await streak_of(store, Scope.guild("7"), ADA, TODAY)
    assert (found.guild_weeks, found.solved_this_week) == (0, 0)
    assert (await solved_lately(store, "7", NOON - WEEK, NOON)).solved == 0


async def test_what_was_not_accepted_keeps_no_streak(store: Store) -> None:
    await solved(store, ADA, "vector_add", kind=Kind.WRONG_ANSWER)
    assert await streak_of(store, Scope.guild("7"), ADA, TODAY) == Streak(0)


async def test_guilds_know_nothing_of_each_other_and_direct_messages_have_no_group(store: Store) -> None:
    await solved(store, ADA, "vector_add", guild="7")
    await solved(store, BOB, "vector_add", guild=None)
    assert (await streak_of(store, Scope.guild("8"), ADA, TODAY)).guild_weeks == 0
    assert (await solved_lately(store, "8", NOON - WEEK, NOON)).solved == 0
    alone = await streak_of(store, Scope(), "discord:3", TODAY)
    assert alone == Streak(0)
    assert alone.lines == ()


async def test_nobody_is_named(store: Store) -> None:
    await solved(store, ADA, "vector_add", 1)
    found = await streak_of(store, Scope.guild("7"), BOB, TODAY)
    said = " ".join(line.text(lang) for lang in ("en", "zh") for line in found.lines)
    assert "1 in this server, 0 of your own" in said
    assert "本服务器 1 周" in said
    assert ADA not in said
