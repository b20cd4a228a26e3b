"""The worker process over the in-process queue: what it does between taking a job and its verdict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from worker.canned import CARD, CannedExecutor, accepted
from worker.protocol import Backend, Form, Job, Kind, Progress, Stage, Verdict
from worker.queue import LeaseLost, Report
from worker.queue.memory import MemoryQueue
from worker.service import ExecutorFacts, HeldJob, Say, Settings, Worker

Judge = Callable[[Job, Say, HeldJob], Awaitable[Verdict]]


class Judging:
    """An executor made of one function."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def facts(self) -> ExecutorFacts:
        return ExecutorFacts((Backend.EMULATOR, Backend.COMPILE), peak_gb_per_s=4000.0)

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        return await self._judge(job, progress, held)


def job(name: str) -> Job:
    return Job(name, Form.SNIPPET, "// code")


@asynccontextmanager
async def working(
    queue: MemoryQueue, judge: Judge, job_limit_s: float = 60, drain_s: float = 0
) -> AsyncIterator[None]:
    stop = asyncio.Event()
    settings = Settings("w", beat_s=0.01, job_limit_s=job_limit_s, drain_s=drain_s)
    running = asyncio.ensure_future(Worker(queue, Judging(judge), settings).run(stop))
    try:
        async with asyncio.timeout(20):
            yield
    finally:
        stop.set()
        await running


async def verdicts(queue: MemoryQueue, count: int) -> dict[str, Kind]:
    found: dict[str, Kind] = {}
    async for report in queue.reports():
        if isinstance(report.body, Verdict):
            found[report.body.submission] = report.body.verdict
            await queue.settle(report)
        if len(found) == count:
            break
    return found


async def test_one_job_uses_the_card_while_the_next_compiles() -> None:
    queue = MemoryQueue()
    compiled, on_card = [asyncio.Event(), asyncio.Event()], asyncio.Event()
    cards = 0

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        nonlocal cards
        compiled[int(job.submission)].set()
        async with held.card():
            cards += 1
            assert cards == 1
            on_card.set()
            await compiled[1].wait()  # the first holds the card until the second has been compiled
            await asyncio.sleep(0)
            cards -= 1
        return accepted(job)

    await queue.put(job("0"))
    async with working(queue, judge):
        await on_card.wait()
        await queue.put(job("1"))
        assert await verdicts(queue, 2) == {"0": Kind.COMPILED, "1": Kind.COMPILED}


async def test_a_job_whose_lease_is_gone_never_reaches_the_card() -> None:
    queue = MemoryQueue()
    refused = asyncio.Event()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        if job.submission == "cancelled":
            await queue.cancel("cancelled")
            with pytest.raises(LeaseLost):
                async with held.card():
                    raise AssertionError("the card was used")
            assert not await held()
            refused.set()
        return accepted(job)

    await queue.put(job("cancelled"))
    async with working(queue, judge):
        await refused.wait()
        await queue.put(job("next"))
        assert await verdicts(queue, 1) == {"next": Kind.COMPILED}


async def test_a_cancelled_job_is_stopped_and_cleans_up_before_the_next() -> None:
    queue = MemoryQueue()
    started, cleaned = asyncio.Event(), asyncio.Event()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        if job.submission != "endless":
            return accepted(job)
        started.set()
        try:
            return await asyncio.Future()
        finally:
            cleaned.set()

    await queue.put(job("endless"))
    async with working(queue, judge):
        await started.wait()
        assert not await queue.cancel("endless")
        await cleaned.wait()
        await queue.put(job("next"))
        assert await verdicts(queue, 1) == {"next": Kind.COMPILED}


async def test_a_worker_told_to_stop_hands_back_what_it_holds() -> None:
    queue = MemoryQueue()
    started = asyncio.Event()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        started.set()
        return await asyncio.Future()

    await queue.put(job("s1"))
    async with working(queue, judge):
        await started.wait()
    assert await queue.position("s1") == 0
    lease = await queue.take(replace(Worker(queue, CannedExecutor(), Settings("w2")).state))
    assert lease.job.fence == 1


async def test_a_worker_told_to_stop_ends_the_job_in_its_hands_and_takes_no_other() -> None:
    queue = MemoryQueue()
    started, may_end = asyncio.Event(), asyncio.Event()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        started.set()
        await may_end.wait()
        return accepted(job)

    await queue.put(job("s1"))
    stop = asyncio.Event()
    worker = Worker(queue, Judging(judge), Settings("w", consumers=1, drain_s=20))
    running = asyncio.ensure_future(worker.run(stop))
    await started.wait()
    stop.set()
    await queue.put(job("s2"))
    assert worker.state.draining
    may_end.set()
    await running
    assert await verdicts(queue, 1) == {"s1": Kind.COMPILED}
    assert await queue.position("s2") == 0


@pytest.mark.parametrize("trouble", ["raises", "hangs", "nan", "surrogate"])
async def test_a_broken_executor_is_trouble_of_ours_and_the_worker_goes_on(trouble: str) -> None:
    queue = MemoryQueue()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        if job.submission == "good":
            return accepted(job)
        if trouble == "raises":
            raise OSError("no space left")
        if trouble == "hangs":
            return await asyncio.Future()
        broken = {"nan": {"score": float("nan")}, "surrogate": {"output": "\ud800"}}[trouble]
        return replace(accepted(job), **broken)  # type: ignore[arg-type]  one of two fields

    await queue.put(job("bad"))
    await queue.put(job("good"))
    async with working(queue, judge, job_limit_s=0.2):
        assert await verdicts(queue, 2) == {"bad": Kind.INFRASTRUCTURE_ERROR, "good": Kind.COMPILED}


async def test_each_stage_is_reported_with_the_workers_name_and_the_attempt() -> None:
    queue = MemoryQueue()
    heard: list[Report] = []

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        await progress(Stage.TIMING)
        return accepted(job)

    async def listen() -> None:
        async for report in queue.reports():
            heard.append(report)
            if isinstance(report.body, Verdict):
                return

    listening = asyncio.ensure_future(listen())
    await asyncio.sleep(0)  # lets the listener begin
    await queue.put(job("s1"))
    async with working(queue, judge):
        await listening
    stages = [Progress("s1", stage, worker="w") for stage in (Stage.COMPILING, Stage.TIMING)]
    assert [report.body for report in heard[:2]] == stages
    assert {report.fence for report in heard} == {1}


async def test_the_heartbeat_says_what_the_worker_is_and_does() -> None:
    queue = MemoryQueue()
    started, done = asyncio.Event(), asyncio.Event()

    async def judge(job: Job, progress: Say, held: HeldJob) -> Verdict:
        started.set()
        await done.wait()
        return accepted(job)

    async def busy_with() -> str | None:
        (state,) = await queue.workers()
        assert (state.name, state.peak_gb_per_s) == ("w", 4000.0)
        return state.busy_with

    async with working(queue, judge):
        await queue.put(job("s1"))
        await started.wait()
        while await busy_with() != "s1":  # noqa: ASYNC110  the beat rings no bell
            await asyncio.sleep(0.005)
        done.set()
        while await busy_with() is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_canned_verdicts_go_through_the_stages_of_a_judge() -> None:
    queue = MemoryQueue()
    await queue.put(Job("s1", Form.KERNEL, "// code", problem="saxpy"))
    executor = CannedExecutor()
    stop = asyncio.Event()
    running = asyncio.ensure_future(Worker(queue, executor, Settings("w")).run(stop))
    async with asyncio.timeout(20):
        async for report in queue.reports():
            if isinstance(report.body, Verdict):
                assert (report.body.verdict, report.body.card, report.body.submission) == (Kind.ACCEPTED, CARD, "s1")
                break
    stop.set()
    await running
