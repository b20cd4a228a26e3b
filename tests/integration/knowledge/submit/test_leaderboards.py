"""Leaderboards: whose entry stands where, and what may stand there at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from knowledge.errors import NotFound
from knowledge.store import Scope
from knowledge.store.tables import Submission
from knowledge.submit.verdicts import commit
from tests.integration.knowledge.submit.setup import HERE, House
from worker.canned import accepted
from worker.protocol import Backend, Card, Form, Job, Kind, Verdict

H200 = Card("NVIDIA H200", "sm_90a", "580.1")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def scored(score: float, card: Card = H200) -> Verdict:
    verdict = accepted(Job("", Form.KERNEL, "", problem="saxpy"))
    return replace(verdict, score=score, card=card)


async def judged(
    house: House,
    member: str,
    verdict: Verdict,
    minute: int = 0,
    scope: Scope = HERE,
    problem: str | None = "saxpy",
    source: str = "__global__ void k() {}",
) -> tuple[str, Verdict]:
    """A submission handed in at that minute past noon, with its committed verdict."""
    submission = await house.hand_in(source, member=member, problem=problem, scope=scope)
    async with house.store.session(scope) as session:
        row = await session.get_one(Submission, submission)
        row.created_at = NOON + timedelta(minutes=minute)
        await session.flush()
        await commit(session, row, 1, verdict, lambda _finding, _lang: ())
    committed = await house.submissions.verdict(scope, submission)
    assert committed is not None
    return submission, committed


async def names(house: House, scope: Scope = HERE, card: Card = H200) -> list[tuple[int, str, float]]:
    board = await house.boards.board(scope, "saxpy", card.name)
    return [(standing.rank, standing.member_id, standing.entry.score) for standing in board]


async def test_a_member_stands_once_with_the_best_entry(house: House) -> None:
    await judged(house, "ann", scored(0.5))
    await judged(house, "bob", scored(0.7))
    await judged(house, "ann", scored(0.9))
    await judged(house, "ann", scored(0.6))
    assert await names(house) == [(1, "ann", 0.9), (2, "bob", 0.7)]


async def test_of_equal_scores_the_earlier_hand_in_is_first(house: House) -> None:
    await judged(house, "late", scored(0.5), minute=5)
    await judged(house, "early", scored(0.5), minute=1)
    await judged(house, "early", scored(0.5), minute=9)
    assert await names(house) == [(1, "early", 0.5), (2, "late", 0.5)]


async def test_the_verdict_says_the_rank_it_reached(house: House) -> None:
    _, first = await judged(house, "ann", scored(0.5))
    _, better = await judged(house, "bob", scored(0.6))
    _, worse = await judged(house, "cat", scored(0.4))
    assert [first.rank, better.rank, worse.rank] == [1, 1, 3]


@pytest.mark.parametrize(
    "verdict",
    [
        replace(scored(0.9), backend=Backend.EMULATOR),
        replace(scored(0.9), verdict=Kind.HELD),
        replace(scored(0.9), verdict=Kind.WRONG_ANSWER),
        replace(scored(0.9), card=None),
        replace(scored(0.9), score=None),
    ],
    ids=["emulator", "held", "wrong", "no card", "no score"],
)
async def test_only_what_a_gpu_accepted_and_timed_is_ranked(house: House, verdict: Verdict) -> None:
    _, committed = await judged(house, "ann", verdict)
    assert (committed.score, committed.rank) == (None, None)
    assert await names(house) == []


async def test_a_program_is_never_ranked(house: House) -> None:
    _, committed = await judged(house, "ann", scored(0.9), problem=None)
    assert (committed.score, committed.rank) == (None, None)


async def test_cards_have_boards_of_their_own(house: House) -> None:
    a100 = Card("NVIDIA A100", "sm_80", "580.1")
    await judged(house, "ann", scored(0.5))
    await judged(house, "bob", scored(0.4, a100))
    assert await house.boards.cards(HERE, "saxpy") == ("NVIDIA A100", "NVIDIA H200")
    assert await names(house, card=a100) == [(1, "bob", 0.4)]


async def test_a_withdrawn_entry_makes_room_and_stays_in_ones_own_history(house: House) -> None:
    best, _ = await judged(house, "ann", scored(0.9), minute=1)
    await judged(house, "ann", scored(0.5), minute=2)
    await judged(house, "bob", scored(0.7))
    await house.boards.withdraw(HERE, "ann", best)
    assert await names(house) == [(1, "bob", 0.7), (2, "ann", 0.5)]
    history = await house.boards.history(HERE, "ann", "saxpy", H200.name)
    assert [(entry.score, entry.withdrawn) for entry in history] == [(0.9, True), (0.5, False)]


async def test_nobody_withdraws_the_entry_of_another(house: House) -> None:
    entry, _ = await judged(house, "ann", scored(0.9))
    with pytest.raises(NotFound):
        await house.boards.withdraw(HERE, "bob", entry)
    with pytest.raises(NotFound):
        await house.boards.withdraw(Scope.guild("111"), "ann", entry)
    assert await names(house) == [(1, "ann", 0.9)]


async def test_a_guild_ranks_its_own_members_among_themselves(house: House) -> None:
    guild = Scope.guild("111")
    await judged(house, "ann", scored(0.9))
    _, verdict = await judged(house, "bob", scored(0.5), scope=guild)
    assert verdict.rank == 1
    assert await names(house, guild) == [(1, "bob", 0.5)]
    assert await names(house) == [(1, "ann", 0.9)]


async def test_a_board_is_as_long_as_it_was_asked_for(house: House) -> None:
    for number in range(4):
        await judged(house, f"m{number}", scored(number / 10))
    board = await house.boards.board(HERE, "saxpy", H200.name, limit=2)
    assert [standing.member_id for standing in board] == ["m3", "m2"]
