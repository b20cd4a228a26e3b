"""What is said by pages and members pings nobody when the bot repeats it."""

from __future__ import annotations

from knowledge.errors import BadInput
from tests.discord import LocalDiscord, Person
from tests.e2e.bot.stage import Stage, answered


async def test_an_answer_of_ours_never_pings(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    stage.asker.answers["q"] = answered("@everyone <@123> <@&5>", title="@here")
    stage.asker.failure = None
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("ask", channel, question="q")).reply()
        await ann.answer_to(await ann.say("q", channel))
        stage.asker.failure = BadInput("@everyone is wrong")
        await (await ann.run("ask", channel, question="q")).reply()
        assert place.pings == []
