"""A face that restarts finds what it has still to say."""

from __future__ import annotations

from knowledge.store import Scope
from knowledge.submit import Owed, Replies
from tests.integration.knowledge.submit.house import HERE, House


async def test_what_was_not_replied_to_is_owed_by_its_face_alone(house: House) -> None:
    guild = Scope.guild("111")
    ours = await house.hand_in(reply_to={"face": "discord", "channel": "7"}, scope=guild)
    await house.hand_in(reply_to={"face": "web"})
    await house.hand_in()
    owed = await Replies(house.store).owed("discord")
    assert owed == (Owed(ours, guild, "ann", {"face": "discord", "channel": "7"}),)


async def test_a_reply_is_owed_until_it_is_given_whatever_the_state(house: House) -> None:
    replies = Replies(house.store)
    first, second = [await house.hand_in(reply_to={"face": "discord"}) for _ in range(2)]
    await house.submissions.cancel(HERE, "ann", first)
    assert [owed.submission for owed in await replies.owed("discord")] == [first, second]
    await replies.replied(first)
    await replies.replied(first)
    await replies.replied("nobody knows this one")
    assert [owed.submission for owed in await replies.owed("discord")] == [second]
