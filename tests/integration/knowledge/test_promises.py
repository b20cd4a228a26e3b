"""Replies that were announced, in both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from knowledge.promises import Promise, PromiseLog
from knowledge.store import Store
from knowledge.store.base import now


@pytest.fixture
def log(store: Store) -> PromiseLog:
    return PromiseLog(store)


def promise(id_: str, minutes: float = 5, face: str = "discord") -> Promise:
    return Promise(id_, face, {"token": f"t{id_}", "lang": "zh"}, now() + timedelta(minutes=minutes))


async def test_what_was_announced_is_owed_until_it_is_there(log: PromiseLog) -> None:
    later, first = promise("1", minutes=9), promise("2", minutes=3)
    await log.write(given=[later, first])
    assert await log.open("discord") == (first, later)
    await log.write(kept=["2"])
    assert await log.open("discord") == (later,)


async def test_each_face_owes_its_own(log: PromiseLog) -> None:
    await log.write(given=[promise("1", face="web")])
    assert await log.open("discord") == ()
    assert len(await log.open("web")) == 1


async def test_what_nobody_waits_for_any_more_is_dropped(log: PromiseLog) -> None:
    await log.write(given=[promise("1", minutes=-1)])
    assert await log.open("discord") == ()


async def test_one_announced_twice_is_owed_once(log: PromiseLog) -> None:
    for _ in range(2):
        await log.write(given=[promise("1")])
    assert len(await log.open("discord")) == 1
