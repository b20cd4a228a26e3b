"""Workers and brokers that die or freeze: no job is lost, none ends twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import redis.asyncio as redis

from tests.integration.worker.queue.jobs import (
    REDIS,
    SHORT_LEASE_S,
    job,
    next_verdict,
    own_prefix,
    streams,
    until,
    verdict,
    worker,
)
from tests.integration.worker.queue.processes import Broker, gated_worker, own_broker
from worker.protocol import PROTOCOL, Backend, Job, Kind, Verdict
from worker.queue import MAX_ATTEMPTS, Lease, QueueUnavailable, WrongProtocol
from worker.queue.streams import StreamsQueue

pytestmark = pytest.mark.needs("redis")


@pytest.fixture
async def prefix() -> AsyncIterator[str]:
    async with own_prefix() as prefix:
        yield prefix


@pytest.fixture
async def queue(prefix: str) -> AsyncIterator[StreamsQueue]:
    async with streams(prefix=prefix) as queue:
        yield queue


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Broker]:
    async with own_broker(tmp_path) as broker:
        yield broker


async def take(queue: StreamsQueue) -> Lease:
    async with asyncio.timeout(30):
        return await queue.take(worker())


async def test_a_killed_workers_job_goes_to_another(queue: StreamsQueue, prefix: str) -> None:
    await queue.put(job("s1"))
    async with gated_worker(REDIS, prefix) as doomed:
        assert await doomed.hears("judging") == "judging s1 1"
        doomed.send(signal.SIGKILL)
        lease = await take(queue)
    assert (lease.job.submission, lease.job.fence) == ("s1", 2)


@pytest.mark.slow
async def test_a_live_workers_long_job_is_not_given_to_another(queue: StreamsQueue, prefix: str) -> None:
    """The other worker looks for orphans all the while that three leases pass."""
    await queue.put(job("s1"))
    async with gated_worker(REDIS, prefix) as slow:
        await slow.hears("judging")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3 * SHORT_LEASE_S):
                await queue.take(worker())
        await slow.say("compiled")
        assert (await next_verdict(queue)).fence == 1


async def test_a_worker_that_froze_past_its_lease_cannot_publish(queue: StreamsQueue, prefix: str) -> None:
    await queue.put(job("s1"))
    async with gated_worker(REDIS, prefix) as frozen:
        await frozen.hears("judging")
        frozen.send(signal.SIGSTOP)
        lease = await take(queue)
        await frozen.say("check\nheld")  # it was about to use the card and to call the submission held
        frozen.send(signal.SIGCONT)
        assert "lease" in await frozen.hears("log")  # lost while it judged, or noticed when it published
        assert await lease.finish(verdict(lease.job))
        report = await next_verdict(queue)
        assert isinstance(report.body, Verdict)
        assert (report.body.verdict, report.fence) == (Kind.COMPILED, 2)
        await queue.settle(report)
        await queue.put(job("s2"))
        assert await frozen.hears("judging") == "judging s2 1"


async def test_a_stopping_worker_hands_its_job_back_at_once(prefix: str) -> None:
    async with streams(prefix=prefix, lease_s=60) as queue, gated_worker(REDIS, prefix, lease_s=60) as stopping:
        await queue.put(job("s1"))
        await stopping.hears("judging")
        stopping.send(signal.SIGTERM)
        await stopping.hears("stopped")
        lease = await take(queue)
        assert lease.job.fence == 1


async def test_a_stopping_worker_ends_its_job_if_it_can(queue: StreamsQueue, prefix: str) -> None:
    async with gated_worker(REDIS, prefix, drain_s=30) as stopping:
        await queue.put(job("s1"))
        await stopping.hears("judging")
        stopping.send(signal.SIGTERM)
        await queue.put(job("s2"))
        await stopping.say("compiled")
        await stopping.hears("stopped")
    report = await next_verdict(queue)
    assert isinstance(report.body, Verdict)
    assert (report.body.submission, report.fence) == ("s1", 1)
    assert await queue.position("s2") == 0


async def test_a_worker_of_another_protocol_is_told_so_and_takes_nothing(
    queue: StreamsQueue, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue.put(job("s1"))
    listening = asyncio.ensure_future(next_verdict(queue))  # whoever listens to reports is a server
    client = redis.Redis.from_url(REDIS)

    async def is_heard_of() -> bool:
        return bool(await client.zcard(f"{{{prefix}}}:protocols"))

    await until(is_heard_of)
    await client.aclose()
    async with streams(prefix=prefix) as theirs:
        monkeypatch.setattr("worker.queue.streams.PROTOCOL", PROTOCOL - 1)
        with pytest.raises(WrongProtocol, match=f"speaks protocol {PROTOCOL}, this worker"):
            await take(theirs)
        monkeypatch.undo()
    assert await queue.position("s1") == 0
    lease = await take(queue)
    await lease.finish(verdict(lease.job))
    assert (await listening).fence == 1


@pytest.mark.slow
async def test_a_job_that_takes_every_worker_with_it_is_given_up(queue: StreamsQueue, prefix: str) -> None:
    await queue.put(job("s1"))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        async with gated_worker(REDIS, prefix) as doomed:
            assert await doomed.hears("judging") == f"judging s1 {attempt}"
            doomed.send(signal.SIGKILL)
    async with gated_worker(REDIS, prefix) as survivor:
        await survivor.hears("log s1 took 3 workers with it")
        report = await next_verdict(queue)
        assert isinstance(report.body, Verdict)
        assert report.body.verdict is Kind.INFRASTRUCTURE_ERROR
        await queue.put(job("s2"))
        await survivor.hears("judging s2")


async def test_a_broker_that_forgot_its_groups_gets_them_again(queue: StreamsQueue, prefix: str) -> None:
    await queue.put(job("s1"))
    held = await take(queue)
    client = redis.Redis.from_url(REDIS)
    for stream, group in (("leases", "workers"), ("verdicts", "servers")):
        await client.xgroup_destroy(f"{{{prefix}}}:{PROTOCOL}:{stream}", group)
    await client.aclose()
    again = await take(queue)
    assert (again.job.submission, again.job.fence) == ("s1", 2)
    assert not await held.finish(verdict(held.job))
    assert await again.finish(verdict(again.job))
    assert (await next_verdict(queue)).fence == 2


async def test_a_killed_broker_with_its_data_loses_nothing(broker: Broker) -> None:
    async with streams(broker.url, "t") as queue, gated_worker(broker.url, "t") as elsewhere:
        await queue.put(job("running"))
        await elsewhere.hears("judging")
        await queue.put(job("waiting"))
        await broker.kill()
        await elsewhere.say("compiled")
        await broker.start()
        submissions = set()
        for _ in range(2):
            report = await next_verdict(queue)
            assert isinstance(report.body, Verdict)
            submissions.add(report.body.submission)
            await queue.settle(report)
            if len(submissions) == 1:
                await elsewhere.hears("judging")
                await elsewhere.say("compiled")
        assert submissions == {"running", "waiting"}
        assert await queue.unknown(["running", "waiting"]) == ("running", "waiting")


async def test_a_broker_that_lost_everything_is_served_on(broker: Broker) -> None:
    async with streams(broker.url, "t") as queue, gated_worker(broker.url, "t") as elsewhere:
        await queue.put(job("s1"))
        await elsewhere.hears("judging")
        await broker.kill()
        broker.lose_everything()
        await broker.start()
        assert await queue.unknown(["s1"]) == ("s1",)
        await elsewhere.hears("log lost the lease of s1")
        await queue.put(Job("s1", job("s1").form, "", queued_by="ann", fence=1))
        assert await elsewhere.hears("judging") == "judging s1 2"
        await elsewhere.say("compiled")
        assert (await next_verdict(queue)).fence == 2


@pytest.mark.slow
async def test_a_server_is_told_when_the_broker_is_gone(broker: Broker) -> None:
    async with streams(broker.url, "t") as queue:
        await queue.put(job("s1"))
        await broker.kill()
        with pytest.raises(QueueUnavailable):
            await queue.put(job("s2"))


@pytest.mark.slow
async def test_a_worker_can_be_stopped_while_the_broker_is_away(broker: Broker) -> None:
    async with streams(broker.url, "t") as queue, gated_worker(broker.url, "t") as stopping:
        await queue.put(job("s1"))
        await stopping.hears("judging")
        await broker.kill()
        await stopping.hears("log the job broker does not answer")
        stopping.send(signal.SIGTERM)
        await stopping.hears("stopped")
        await broker.start()
        assert (await take(queue)).job.submission == "s1"


async def test_what_two_workers_take_is_never_the_same(prefix: str) -> None:
    taken: list[str] = []

    async def work(queue: StreamsQueue) -> None:
        while True:
            lease = await queue.take(worker())
            taken.append(lease.job.submission)
            await lease.finish(verdict(lease.job))

    async with streams(prefix=prefix) as one, streams(prefix=prefix) as two:
        for number in range(200):
            await one.put(job(f"s{number}", by=f"m{number % 7}"))
        workers = [asyncio.ensure_future(work(queue)) for queue in (one, one, two, two)]

        async def all_taken() -> bool:
            return len(taken) >= 200

        await until(all_taken)
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        assert sorted(taken) == sorted(f"s{number}" for number in range(200))


async def test_a_malformed_verdict_counts_as_trouble_of_ours(queue: StreamsQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    await lease.finish(Verdict("another", lease.job.form, None, Backend.GPU, Kind.ACCEPTED, score=1.0))
    report = await next_verdict(queue)
    assert isinstance(report.body, Verdict)
    assert (report.body.submission, report.body.verdict) == ("s1", Kind.INFRASTRUCTURE_ERROR)


async def test_a_job_that_cannot_be_read_stops_no_worker(queue: StreamsQueue, prefix: str) -> None:
    await queue.put(job("bad"))
    await queue.put(job("good"))
    client = redis.Redis.from_url(REDIS)
    await client.hset(
        f"{{{prefix}}}:{PROTOCOL}:jobs", "bad", '{"submission": "bad", "new_field": 1, "backend": "auto"}'
    )
    await client.aclose()
    assert (await take(queue)).job.submission == "good"
    report = await next_verdict(queue)
    assert isinstance(report.body, Verdict)
    assert (report.body.submission, report.body.verdict) == ("bad", Kind.INFRASTRUCTURE_ERROR)


async def test_a_password_that_is_refused_is_told_and_not_waited_for(broker: Broker) -> None:
    client = redis.Redis.from_url(broker.url)
    await client.config_set("requirepass", "secret")
    await client.aclose()
    async with streams(broker.url, "t") as queue:
        with pytest.raises(QueueUnavailable, match="password"):
            await take(queue)
