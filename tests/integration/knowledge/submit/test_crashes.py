"""After any crash of server, worker or broker every submission ends in exactly one verdict."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from knowledge.store import Scope, Store, open_store
from knowledge.store.tables import Submission, VerdictRow
from tests.integration.knowledge.submit.setup import HERE, House, beside, build, working
from tests.integration.worker.queue.jobs import REDIS, next_verdict, own_prefix, streams, until
from tests.integration.worker.queue.processes import gated_worker, own_broker, told
from tests.stores import copied_database
from worker.canned import CannedExecutor, accepted
from worker.protocol import Finding, Job, Kind, Verdict
from worker.queue.streams import StreamsQueue

pytestmark = pytest.mark.needs("redis")

FINDING = Finding("missing-barrier", "error", {"en": "a", "zh": "b"})


def with_finding(job: Job) -> Verdict:
    return replace(accepted(job), findings=(FINDING,))


@pytest.fixture
async def address(template: str, tmp_path: Path) -> AsyncIterator[str]:
    """Of the database, for the processes that are killed over it."""
    async with copied_database(template, tmp_path) as url:
        yield url


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    async with open_store(address) as store:
        yield store


@pytest.fixture
async def prefix() -> AsyncIterator[str]:
    async with own_prefix() as prefix:
        yield prefix


@pytest.fixture
async def queue(prefix: str) -> AsyncIterator[StreamsQueue]:
    async with streams(prefix=prefix) as queue:
        yield queue


@pytest.fixture
def house(store: Store, queue: StreamsQueue) -> House:
    return build(store, queue)


async def verdicts(store: Store) -> list[tuple[str, str]]:
    async with store.reading(Scope.all()) as session:
        rows = await session.execute(select(VerdictRow.submission_id, VerdictRow.kind))
        return [(row.submission_id, row.kind) for row in rows]


@pytest.mark.parametrize("moment", ["commit", "settle"])
async def test_a_server_killed_at_the_verdict(house: House, address: str, prefix: str, moment: str) -> None:
    submission = await house.hand_in()
    async with working(house.queue, CannedExecutor(with_finding)):
        async with told("tests.integration.knowledge.submit.server", address, REDIS, prefix, moment) as server:
            assert await server.process.wait() == -signal.SIGKILL
        before = await verdicts(house.store)
        assert before == ([] if moment == "commit" else [(submission, "compiled")])
        async with beside(house.collector.run()):
            assert (await house.outcome(submission)).verdict is Kind.COMPILED

            async def settled() -> bool:
                return await house.queue.unknown([submission]) == (submission,)

            await until(settled)
    assert await verdicts(house.store) == [(submission, "compiled")]


async def test_a_server_killed_between_row_and_job(house: House, address: str, prefix: str) -> None:
    async with told("tests.integration.knowledge.submit.server", address, REDIS, prefix, "put") as server:
        assert await server.process.wait() == -signal.SIGKILL
    (waiting,) = await house.submissions.mine(HERE, "ann")
    async with house.serving():
        assert (await house.outcome(waiting.submission)).verdict is Kind.COMPILED
    assert await verdicts(house.store) == [(waiting.submission, "compiled")]


async def test_a_worker_killed_in_the_middle(house: House, prefix: str) -> None:
    submission = await house.hand_in()
    async with beside(house.collector.run()), gated_worker(REDIS, prefix) as doomed:
        await doomed.hears("judging")
        doomed.send(signal.SIGKILL)
        async with working(house.queue, CannedExecutor()):
            assert (await house.outcome(submission)).verdict is Kind.COMPILED
    async with house.store.reading(HERE) as session:
        row = await session.get_one(Submission, submission)
    assert (row.state, row.fence, row.attempts) == ("done", 2, 2)


async def test_a_worker_that_wakes_after_its_lease_changes_nothing(house: House, prefix: str) -> None:
    submission = await house.hand_in()
    async with beside(house.collector.run()), gated_worker(REDIS, prefix) as frozen:
        await frozen.hears("judging")
        frozen.send(signal.SIGSTOP)
        async with working(house.queue, CannedExecutor()):
            assert (await house.outcome(submission)).verdict is Kind.COMPILED
        await frozen.say("held")
        frozen.send(signal.SIGCONT)
        await frozen.hears("log")
        another = await house.hand_in()
        await frozen.hears(f"judging {another}")
        await frozen.say("compiled")
        assert (await house.outcome(another)).verdict is Kind.COMPILED
    assert sorted(await verdicts(house.store)) == sorted([(submission, "compiled"), (another, "compiled")])


@pytest.mark.slow
async def test_a_job_that_kills_every_worker_ends_without_blame(house: House, prefix: str) -> None:
    submission = await house.hand_in()
    async with beside(house.collector.run()):
        for _ in range(3):
            async with gated_worker(REDIS, prefix) as doomed:
                await doomed.hears("judging")
                doomed.send(signal.SIGKILL)
        async with working(house.queue, CannedExecutor()):
            assert (await house.outcome(submission)).verdict is Kind.INFRASTRUCTURE_ERROR
    assert await verdicts(house.store) == [(submission, "infrastructure_error")]


@pytest.mark.slow
@pytest.mark.parametrize("loses", [False, True], ids=["with its data", "without its data"])
async def test_a_broker_killed_under_load(store: Store, tmp_path: Path, loses: bool) -> None:
    """Jobs wait, run and are reported at the moment of the kill; more are handed in while it is away."""
    async with own_broker(tmp_path) as broker, streams(broker.url) as queue:
        house = build(store, queue)
        ids = [await house.hand_in(f"// {number}", member=f"m{number % 3}") for number in range(20)]
        async with house.serving(CannedExecutor(card_s=0.02)):
            await house.outcome(ids[0])
            await broker.kill()
            ids.append(await house.hand_in("// while the broker is away"))
            if loses:
                broker.lose_everything()
            await broker.start()
            outcomes = await asyncio.gather(*(house.outcome(submission) for submission in ids))
    assert {verdict.verdict for verdict in outcomes} == {Kind.COMPILED}
    assert sorted(await verdicts(store)) == [(submission, "compiled") for submission in sorted(ids)]


async def test_a_cancelled_submission_stays_cancelled_when_its_verdict_comes_late(house: House) -> None:
    submission = await house.hand_in()
    async with working(house.queue, CannedExecutor()):
        await next_verdict(house.queue)  # reported, and not collected by anybody yet
        assert await house.submissions.cancel(HERE, "ann", submission)
    async with house.serving():
        await house.outcome(await house.hand_in())
    assert (submission, "cancelled") in await verdicts(house.store)
