"""A face that restarts finds the verdicts that it has still to show."""

from __future__ import annotations

from knowledge.outbox import Outbox, OutboxItem, Owed
from knowledge.store import Scope
from tests.integration.knowledge.submit.setup import HERE, House


async def test_a_verdict_is_owed_by_the_face_that_took_the_submission_alone(house: House) -> None:
    guild = Scope.guild("111")
    ours = await house.hand_in(face="discord", address={"channel": "7"}, scope=guild)
    await house.hand_in(face="web")
    await house.hand_in()
    owed = await Outbox(house.store).open("discord", Owed.VERDICT)
    assert owed == (OutboxItem(Owed.VERDICT, ours, "discord", "ann", guild, {"channel": "7"}),)


async def test_a_verdict_is_owed_until_it_was_shown_whatever_the_state(house: House) -> None:
    outbox = Outbox(house.store)
    first, second = [await house.hand_in(face="discord") for _ in range(2)]
    await house.submissions.cancel(HERE, "ann", first)
    assert [item.about for item in await outbox.open("discord", Owed.VERDICT)] == [first, second]
    await outbox.delivered(Owed.VERDICT, first)
    assert [item.about for item in await outbox.open("discord", Owed.VERDICT)] == [second]
