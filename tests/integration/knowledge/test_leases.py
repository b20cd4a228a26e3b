"""One of several leads; the next one when it ends, and none of them twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from knowledge.leases import Leases
from knowledge.store import Store

SOON = timedelta(seconds=0.3)
NEVER = timedelta(days=1)


async def test_of_many_one_gets_a_lease_and_keeps_it_by_renewing(store: Store) -> None:
    leases = [Leases(store) for _ in range(6)]
    took = await asyncio.gather(*(one.take("timers") for one in leases))
    assert sum(took) == 1
    leader = leases[took.index(True)]
    assert await leader.take("timers")
    assert await leases[took.index(False)].take("another")


async def test_a_lease_that_was_given_up_or_has_run_out_is_the_next_ones(store: Store) -> None:
    first, second, third = (Leases(store) for _ in range(3))
    assert await first.take("timers", NEVER)
    await second.give_up("timers")
    assert not await second.take("timers")
    await first.give_up("timers")
    assert await second.take("timers", timedelta(0))
    assert await third.take("timers")
    assert not await second.take("timers")


async def test_work_is_led_by_one_and_taken_over_when_its_leader_ends(store: Store) -> None:
    led: list[str] = []
    begun = asyncio.Queue[str]()

    def leading(leases: Leases) -> asyncio.Task[None]:
        async def work() -> None:
            led.append(leases.holder)
            begun.put_nowait(leases.holder)
            await asyncio.Event().wait()

        return asyncio.create_task(leases.lead("timers", work, SOON))

    one, other = Leases(store, "one"), Leases(store, "other")
    async with asyncio.timeout(20):
        tasks = {one.holder: leading(one), other.holder: leading(other)}
        leader = await begun.get()
        for _ in range(3):  # renewals, with the other one asking in between
            await asyncio.sleep(SOON.total_seconds())
        assert led == [leader]
        await stop(tasks.pop(leader))
        assert await begun.get() != leader
        for task in tasks.values():
            await stop(task)
    assert await Leases(store).take("timers", NEVER)


async def test_a_leader_whose_lease_was_taken_stops_its_work(store: Store) -> None:
    stopped = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    frozen = Leases(store)
    task = asyncio.create_task(frozen.lead("timers", work, SOON))
    async with asyncio.timeout(20):
        other = Leases(store)
        while await other.take("timers"):  # until the first one has it
            await other.give_up("timers")
            await asyncio.sleep(0.01)
        await frozen.give_up("timers")  # as if it had run out while the process was frozen
        while not await other.take("timers", NEVER):
            await frozen.give_up("timers")
        await stopped.wait()
    await stop(task)


async def stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
