"""Leaderboards: who stands on them, for which card and language, apart for each server; withdrawing."""

from __future__ import annotations

from tests.discord import LocalDiscord, Person, Upload
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage
from tests.e2e.bot.test_submit import handed_in, is_final
from tests.unit.knowledge.prediction.test_prediction import WHOLE
from worker.protocol import Card

pytestmark = ONE_LIFE


async def test_the_board_ranks_and_entries_can_be_withdrawn(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("dm", person)
        exchange = await person.run("submit", channel, problem="vector_add", file=Upload("a.cu", KERNEL.encode()))
        await (await exchange.reply()).until(is_final)
        board = await (await person.run("leaderboard", channel, problem="vector_add")).reply()
        assert f"🥇 <@{person.user.id}> · **0.500**" in board.text
        cards = await (await person.complete("leaderboard", channel, "card", problem="vector_add", card="")).choices()
        assert cards == [("canned", "canned")]
        entries = await (
            await person.complete("leaderboard", channel, "withdraw", problem="vector_add", withdraw="")
        ).choices()
        asks = await (await person.run("leaderboard", channel, problem="vector_add", withdraw=entries[0][1])).reply()
        await (await person.press(asks, next(iter(asks.buttons)))).reply()
        board = await (await person.run("leaderboard", channel, problem="vector_add")).reply()
        assert "🥇" not in board.text


async def test_predicted_times_have_a_board_of_their_own(stage: Stage, ann: Person) -> None:
    stage.executor.parts = {"counted": (WHOLE,)}
    async with stage.bot():
        channel, problem = stage.place("guild", ann), "vector_add"
        exchange = await ann.run("submit", channel, problem=problem, file=Upload("a.cu", KERNEL.encode()))
        await (await exchange.reply()).until(is_final)
        board = await (await ann.run("leaderboard", channel, problem=problem, predicted=True, card="l4")).reply()
        assert "Predicted for one NVIDIA L4" in board.text
        assert f"🥇 <@{ann.user.id}>" in board.text
        other = {"predicted": True, "language": "triton"}
        board = await (await ann.run("leaderboard", channel, problem=problem, **other)).reply()
        assert "No kernel of this problem has a prediction yet." in board.text


async def test_boards_of_two_servers_are_apart(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        await handed_in(stage, ann)
        board = await (await ann.run("leaderboard", place.world.add_guild().general, problem="vector_add")).reply()
        assert "Nobody" in board.text


async def test_boards_of_several_cards_are_chosen_from(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", person)
        for name in ("NVIDIA H200", "NVIDIA L4"):
            stage.executor.parts = {"card": Card(name, "sm_90a", "580")}
            exchange = await person.run("submit", channel, problem="vector_add", file=Upload("a.cu", KERNEL.encode()))
            await (await exchange.reply()).until(is_final)
        board = await (await person.run("leaderboard", channel, problem="vector_add", card="NVIDIA L4")).reply()
        assert "NVIDIA L4" in board.text
        assert "NVIDIA H200" not in board.text
        await (await person.choose(board, "NVIDIA H200")).acknowledged()
        assert "NVIDIA H200" in board.text
