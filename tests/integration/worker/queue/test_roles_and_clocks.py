"""A broker that cannot write for a while, and one whose clock was set: no worker ends, no job waits for it."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import redis.asyncio as redis

from knowledge.counting import open_counts
from tests.faults.servers import Redis
from tests.integration.worker.queue.jobs import SHORT_LEASE_S, job, next_verdict, streams, verdict, worker
from worker.protocol import PROTOCOL
from worker.queue import QueueUnavailable

pytestmark = pytest.mark.needs("redis")


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Redis]:
    broker = Redis(tmp_path / "broker")
    await broker.start()
    yield broker
    await broker.kill()


async def test_a_worker_waits_for_a_replica_to_be_promoted_and_a_server_is_told(broker: Redis) -> None:
    async with streams(broker.url, "t") as queue:
        await queue.put(job("s1"))
        await broker.command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(QueueUnavailable):
            await queue.put(job("s2"))
        taking = asyncio.ensure_future(queue.take(worker()))
        beating = asyncio.ensure_future(queue.beat(worker()))
        await asyncio.wait({taking, beating}, timeout=1)
        assert not taking.done()
        assert not beating.done(), "a heartbeat that fails ends the worker"
        await broker.command("REPLICAOF", "NO", "ONE")
        async with asyncio.timeout(20):
            lease = await taking
            await beating
        assert (lease.job.submission, lease.job.fence) == ("s1", 1)
        assert await lease.finish(verdict(lease.job))


AN_HOUR_MS = 3_600_000


async def an_hour_ahead(client: redis.Redis, *streams_of: str) -> None:
    """As after an hour by which the broker's clock was set back: what is pending was delivered in the future.

    The stream is taken out as the broker stores it, and put back with other times of delivery.
    """
    seconds, _ = await client.time()
    now = int(seconds) * 1000
    for key in streams_of:
        stored = bytearray(await client.dump(key))
        for at in range(len(stored) - 18):
            (number,) = struct.unpack_from("<q", stored, at)
            if now - 60_000 < number < now + 2_000:
                struct.pack_into("<q", stored, at, number + AN_HOUR_MS)
        struct.pack_into("<Q", stored, len(stored) - 8, crc64(stored[:-8]))
        await client.restore(key, 0, bytes(stored), replace=True)
    base = streams_of[0].rpartition(":")[0]
    await client.set(f"{base}:seen", now + AN_HOUR_MS)


def crc64(data: bytes) -> int:
    """The checksum of what Redis stores (Jones)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x95AC9329AC4BC9B5 if crc & 1 else 0)
    return crc


async def test_what_a_dead_worker_or_server_held_runs_out_though_the_brokers_clock_was_set_back(
    broker: Redis,
) -> None:
    client = redis.Redis.from_url(broker.url)
    async with streams(broker.url, "t") as living:
        async with streams(broker.url, "t") as dying:
            await dying.put(job("told"))
            told = await dying.take(worker())
            await told.finish(verdict(told.job))
            await next_verdict(dying)  # read, and never settled
            await dying.put(job("held"))
            held = await dying.take(worker())
            held.stop_renewing()  # type: ignore[attr-defined]  # as a worker that is killed
        await an_hour_ahead(client, *(f"{{t}}:{PROTOCOL}:{name}" for name in ("leases", "verdicts")))
        async with asyncio.timeout(4 * SHORT_LEASE_S + 5):
            again = await living.take(worker())
            assert (again.job.submission, again.job.fence) == ("held", 2)
            assert (await next_verdict(living)).fence == 1
    await client.aclose()


async def test_nobody_waits_for_an_hour_to_ask_again_since_the_brokers_clock_was_set_back(broker: Redis) -> None:
    counts, client = open_counts(broker.url, "t"), redis.Redis.from_url(broker.url)
    await counts.take("ann", 3, 1.0)
    seconds, _ = await client.time()
    await client.set("t:often:ann", int(seconds) + 3600)
    taken = await counts.take("ann", 3, 1.0)
    assert 0 < taken.wait_s <= 3.0
    await counts.close()
    await client.aclose()
