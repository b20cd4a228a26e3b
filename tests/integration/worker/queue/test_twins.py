"""The two queues are one: whatever is done to both, both answer alike."""

from __future__ import annotations

import random

import pytest

from tests.integration.worker.queue.jobs import any_queue, job, next_verdict, verdict, worker
from worker.protocol import Backend
from worker.queue import MAX_ATTEMPTS, JobQueue, Lease

STATE = worker("w", Backend.GPU, Backend.EMULATOR, Backend.COMPILE, serves="h200")


class Twins:
    """Two queues, the same deed done to both; `deed` fails when they differ."""

    def __init__(self, *queues: JobQueue) -> None:
        self._queues = queues
        self._leases: list[dict[str, Lease]] = [{} for _ in queues]
        self.known: list[str] = []

    async def put(self, rng: random.Random) -> None:
        name = f"s{len(self.known)}"
        self.known.append(name)
        by = rng.choice("aaabcd")
        group = rng.choice(["", "", "g", "h"])
        backend = rng.choice(list(Backend))
        cards = rng.choice([(), (), (), ("h200",), ("h200", "l4")])
        for queue in self._queues:
            await queue.put(job(name, by, backend, group, cards))

    async def take(self, _rng: random.Random) -> None:
        if not await self._queues[0].waiting():
            return
        taken = []
        for queue, leases in zip(self._queues, self._leases, strict=True):
            lease = await queue.take(STATE)
            leases[lease.job.submission] = lease
            taken.append(lease.job)
        assert taken[0] == taken[1]

    async def release(self, rng: random.Random) -> None:
        if self._leases[0]:
            name = rng.choice(sorted(self._leases[0]))
            counts = rng.random() < 0.3 and self._leases[0][name].job.fence < MAX_ATTEMPTS
            for leases in self._leases:
                lease = leases.pop(name)
                await (lease.abandon() if counts else lease.release())

    async def finish(self, rng: random.Random) -> None:
        if not self._leases[0]:
            return
        name = rng.choice(sorted(self._leases[0]))
        settles = rng.random() < 0.7 or self._leases[0][name].job.fence >= MAX_ATTEMPTS - 1  # more would be given up
        for queue, leases in zip(self._queues, self._leases, strict=True):
            lease = leases.pop(name)
            assert await lease.finish(verdict(lease.job))
            report = await next_verdict(queue)
            assert report.body == verdict(lease.job)
            await (queue.settle(report) if settles else queue.again(report, lease.job))

    async def cancel(self, rng: random.Random) -> None:
        if self.known:
            name = rng.choice(self.known)
            answers = [await queue.cancel(name) for queue in self._queues]
            assert answers[0] == answers[1]
            for leases in self._leases:
                if lease := leases.pop(name, None):
                    assert not await lease.held()

    async def agree(self) -> None:
        first, second = [
            (
                await queue.waiting(),
                await queue.unknown(self.known),
                [await queue.position(name) for name in self.known],
            )
            for queue in self._queues
        ]
        assert first == second


@pytest.mark.slow
@pytest.mark.needs("redis")
@pytest.mark.parametrize("seed", range(3))
async def test_both_queues_answer_alike_to_any_sequence_of_deeds(seed: int) -> None:
    rng = random.Random(seed)
    async with any_queue("memory") as memory, any_queue("streams") as streams:
        twins = Twins(memory, streams)
        deeds = [twins.put, twins.put, twins.put, twins.take, twins.take, twins.release, twins.finish, twins.cancel]
        for _ in range(120):
            await rng.choice(deeds)(rng)
            await twins.agree()
    assert len(twins.known) > 20
