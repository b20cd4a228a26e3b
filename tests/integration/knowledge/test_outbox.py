"""What is still to be told to somebody, in both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from knowledge.members import set_language
from knowledge.outbox import Outbox, OutboxItem, Owed
from knowledge.privacy import export, forget
from knowledge.store import Scope, Store
from knowledge.store.base import now


@pytest.fixture
def outbox(store: Store) -> Outbox:
    return Outbox(store)


def reply(about: str, minutes: float = 5, face: str = "discord") -> OutboxItem:
    address = {"token": f"t{about}", "lang": "zh"}
    return OutboxItem(Owed.REPLY, about, face, address=address, until=now() + timedelta(minutes=minutes))


async def test_what_was_announced_is_owed_until_it_is_there(outbox: Outbox) -> None:
    first, second = reply("1"), reply("2")
    await outbox.write(opened=[first])
    await outbox.write(opened=[second])
    assert await outbox.open("discord", Owed.REPLY) == (first, second)
    await outbox.write(delivered=[first])
    assert await outbox.open("discord", Owed.REPLY) == (second,)
    await outbox.delivered(Owed.REPLY, "2", "nobody knows this one")
    assert await outbox.open("discord", Owed.REPLY) == ()


async def test_each_face_owes_its_own_and_each_kind_apart(outbox: Outbox) -> None:
    await outbox.write(opened=[reply("1", face="web"), OutboxItem(Owed.VERDICT, "1", "web", scope=Scope("7"))])
    assert await outbox.open("discord", Owed.REPLY) == ()
    assert [item.kind for item in await outbox.open("web", Owed.REPLY)] == [Owed.REPLY]
    assert [item.scope for item in await outbox.open("web", Owed.VERDICT)] == [Scope("7")]


async def test_what_nobody_waits_for_any_more_is_dropped(outbox: Outbox) -> None:
    await outbox.write(opened=[reply("1", minutes=-1), reply("2")])
    assert [item.about for item in await outbox.open("discord", Owed.REPLY)] == ["2"]
    assert [item.about for item in await outbox.open("discord", Owed.REPLY)] == ["2"]


async def test_one_announced_twice_is_owed_once(outbox: Outbox) -> None:
    for _ in range(2):
        await outbox.write(opened=[reply("1")])
    assert len(await outbox.open("discord", Owed.REPLY)) == 1


async def test_what_is_owed_to_a_member_is_exported_and_forgotten_with_them(outbox: Outbox, store: Store) -> None:
    await set_language(store, "discord:7", "zh")
    await outbox.write(opened=[OutboxItem(Owed.VERDICT, "01", "discord", "discord:7", address={"channel": 5})])
    assert (await export(store, "discord:7"))["outbox"][0]["address"] == {"channel": 5}
    assert (await forget(store, "discord:7"))["outbox"] == 1
    assert await outbox.open("discord", Owed.VERDICT) == ()
