"""Boards of predicted times: the same for everybody, for any card that is known, in one language or all together."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from knowledge.errors import NotFound
from knowledge.store import Scope
from knowledge.store.tables import VerdictRow
from knowledge.submit.kernel_facts import KernelLanguage
from knowledge.submit.predicted_boards import PredictedBoards
from tests.integration.knowledge.submit.setup import HERE, House
from tests.integration.knowledge.submit.test_leaderboards import H200, judged, names, scored
from tests.unit.knowledge.prediction.test_prediction import WHOLE, looping
from worker.canned import accepted
from worker.protocol import Backend, Counted, Form, Job, Kind, Verdict

TRITON = "import triton\n@triton.jit\ndef k(): pass\n"
SLOWER = replace(WHOLE, launches=(replace(WHOLE.launches[0], registers=128),))
"""Fewer warps are there at once."""


def counted(*shapes: Counted) -> Verdict:
    verdict = accepted(Job("", Form.KERNEL, "", problem="saxpy"))
    return replace(verdict, backend=Backend.EMULATOR, card=None, counted=shapes or (WHOLE,))


async def board(
    house: House, card: str = "h200", language: KernelLanguage | None = None, scope: Scope = HERE
) -> list[tuple[int, str]]:
    found = await PredictedBoards(house.store).board(scope, "saxpy", card, language=language)
    return [(one.rank, one.member_id) for one in found]


async def test_the_fastest_by_prediction_is_first_and_nobody_stands_twice(house: House) -> None:
    await judged(house, "ann", counted(SLOWER), minute=1)
    await judged(house, "bob", counted(), minute=2)
    await judged(house, "ann", counted(SLOWER), minute=3)
    assert await board(house) == await board(house, "NVIDIA A100 80GB SXM") == [(1, "bob"), (2, "ann")]
    assert await names(house) == []


async def test_a_board_shows_times_of_its_own_card_and_of_what_was_counted_last(house: House) -> None:
    async def times(card: str) -> list[float]:
        return [one.us for one in await PredictedBoards(house.store).board(HERE, "saxpy", card)]

    mine, _ = await judged(house, "ann", counted(SLOWER))
    on_h200, on_a100 = await times("h200"), await times("NVIDIA A100 80GB SXM")
    assert on_a100 != on_h200 == await times("h200")
    async with house.store.session(Scope.all()) as session:
        row = await session.get_one(VerdictRow, mine)
        row.counted = msgspec.json.encode((WHOLE,)).decode()
    assert await times("h200") < on_h200


async def test_what_says_little_is_wrong_or_was_not_counted_is_left_out(house: House) -> None:
    await judged(house, "ann", counted(looping(1000, 2000, 2100)))
    await judged(house, "bob", replace(counted(), verdict=Kind.WRONG_ANSWER))
    await judged(house, "cat", replace(counted(), counted=None))
    assert await board(house) == []


async def test_a_withdrawn_kernel_and_another_guild_are_left_out(house: House) -> None:
    mine, _ = await judged(house, "ann", counted())
    await house.boards.withdraw(HERE, "ann", mine)
    await judged(house, "bob", counted(), scope=Scope.guild("111"))
    assert await board(house, scope=Scope.guild("222")) == []
    assert await board(house, scope=Scope.guild("111")) == [(1, "bob")]


async def test_boards_are_for_one_language_or_all_together(house: House) -> None:
    await judged(house, "ann", replace(scored(0.5), counted=(WHOLE,)), minute=1)
    await judged(house, "bob", replace(scored(0.7), counted=(SLOWER,)), minute=2, source=TRITON)
    measured = [
        [one.member_id for one in await house.boards.board(HERE, "saxpy", H200.name, language=language)]
        for language in (None, "cuda", "triton")
    ]
    assert measured == [["bob", "ann"], ["ann"], ["bob"]]
    assert await board(house) == [(1, "ann"), (2, "bob")]
    assert await board(house, language="triton") == [(1, "bob")]


async def test_a_card_of_which_too_little_is_known_is_refused_with_some_that_will_do(house: House) -> None:
    with pytest.raises(NotFound) as refusal:
        await board(house, "mi300x")
    assert "NVIDIA H200" in refusal.value.text("en")
