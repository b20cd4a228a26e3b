"""Discord is busy, broken, slow or forgetful on any route that the bot calls: nobody is left without their word."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from knowledge.ask.answer import Composed
from tests.discord import Channel, LocalDiscord, Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, ROUTES, Stage, answered

CODE = Upload("a.cu", KERNEL.encode())


BUSY = {"status": 429, "retry_after_s": 0.05, "times": 2}
BROKEN = {"status": 502}
FORGETFUL = {"status": 502, "answer_lost": True}
"""It is done, and the bot does not hear of it."""


@pytest.mark.parametrize("trouble", [BUSY, BROKEN, FORGETFUL], ids=["busy", "broken", "forgetful"])
@pytest.mark.parametrize("route", ROUTES)
async def test_everything_is_answered_though_a_route_is_in_trouble(
    stage: Stage, place: LocalDiscord, ann: Person, route: str, trouble: dict[str, Any]
) -> None:
    fault = place.fault(pattern(route), **trouble)
    async with stage.bot():
        await tour(stage, ann)
    assert fault.met >= 1


async def test_everything_is_answered_though_all_routes_are_slow(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    fault = place.fault("", delay_s=0.2, times=10_000)
    async with stage.bot():
        await tour(stage, ann)
    assert fault.met >= len(ROUTES)


async def test_a_limit_on_all_routes_at_once_is_waited_out(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    fault = place.fault("POST /channels/", 429, retry_after_s=0.1, is_global=True)
    async with stage.bot():
        await tour(stage, ann)
    assert fault.met == 1


async def test_the_tour_calls_every_route(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        await tour(stage, ann)
    assert set(place.rest.calls) == set(ROUTES)


def pattern(route: str) -> str:
    """`POST /channels/{channel}/messages` as it is asked."""
    return "^" + re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(route)) + "$"


async def tour(stage: Stage, person: Person) -> None:
    """What takes the bot along every route that it knows; each step ends with the word that the member gets."""
    stage.asker.answers = {"warp?": answered("32 threads."), "slow?": answered("Worth the wait.")}
    channel = stage.place("guild", person)
    assert "32 threads" in (await (await person.run("ask", channel, question="warp?")).reply()).text
    handed_in = await person.run("submit", channel, problem="vector_add", file=CODE)
    await (await handed_in.reply()).until(lambda text: "accepted" in text)
    stage.asker.grown = {"warp?": [answered("32 threads.", composed=(Composed("Thirty-two.", 1),))]}
    mentioned = await person.answer_to(await person.say("warp?", channel))
    assert "32 threads" in mentioned.text
    await stage.discord.message_in(channel, "Thirty-two")  # where an answer was lost, a second message grows
    stage.asker.grown = {}
    assert "Worth the wait" in (await answer_beside_what_was_taken_away(stage, person, channel)).text
    assert "accepted" in (await verdict_told_by_an_error_first(stage, person, channel)).text
    channel.bot_may_send = False
    await person.say("warp?", channel)
    assert "32 threads" in (await stage.discord.message_in(stage.place("dm", person), "32 threads")).text


async def answer_beside_what_was_taken_away(stage: Stage, person: Person, channel: Channel) -> Shown:
    """A moderator deletes the thinking message."""
    stage.asker.gate = asyncio.Event()
    exchange = await person.run("ask", channel, question="slow?")
    thinking = (await exchange.acknowledged()).original
    assert thinking is not None
    channel.messages.pop(int(thinking["id"]))
    stage.asker.gate.set()
    shown = await exchange.followup()
    assert shown.private
    return shown


async def verdict_told_by_an_error_first(stage: Stage, person: Person, channel: Channel) -> Shown:
    """A submission that is none of theirs, then their own list."""
    refused = await (await person.run("cancel", channel, submission="01ABC")).reply()
    assert "no such submission" in refused.text
    return await (await person.run("submissions", channel)).reply()
