"""A worker that lies in its own verdicts: found by a share of them that is judged again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from knowledge.store import Store
from knowledge.submit import Collector, HandIn, ProgressEvents, Submissions
from knowledge.traces import NoTraces
from knowledge.workers.registry import Workers
from knowledge.workers.second_opinions import SecondOpinions, agrees
from tests.integration.knowledge.submit.setup import HERE, beside, readings_for, working
from tests.integration.worker.queue.jobs import until
from worker.canned import Answer, CannedExecutor, accepted
from worker.protocol import Backend, Job, Kind, Verdict, WorkerState
from worker.queue.memory import MemoryQueue


@pytest.fixture
def database() -> str:
    return "sqlite"


def liar(job: Job) -> Verdict:
    return replace(accepted(job), verdict=Kind.WRONG_ANSWER, score=None)


@asynccontextmanager
async def judged_by(store: Store, first: str, answer: Answer, second: str) -> AsyncIterator[str]:
    """A submission that the first worker judged, and a second worker that is there for its second opinion."""
    queue, events = MemoryQueue(), ProgressEvents()
    await Workers(store).enroll("mallory", "key")
    submissions = Submissions(store, queue, events, ("saxpy",))
    collector = Collector(store, queue, events, readings_for, NoTraces(), judged_again=1.0)
    state = WorkerState(second, None, (Backend.GPU, Backend.EMULATOR, Backend.COMPILE))
    async with beside(collector.run()), working(queue, CannedExecutor(answer), first, 1), asyncio.timeout(30):
        await queue.beat(state)
        submission = await submissions.hand_in(HERE, HandIn("ann", "__global__ void k() {}", "saxpy"))
        async for _step in submissions.watch(HERE, submission):
            pass
        async with working(queue, CannedExecutor(accepted), second, 1):
            yield submission


async def _counted(store: Store) -> bool:
    return sum((await SecondOpinions(store).counts()).values()) == 1


async def test_a_liar_is_contradicted_and_paused(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async with judged_by(store, "remote/mallory", liar, "trusted") as submission:
        await until(lambda: _counted(store))
    (found,) = await SecondOpinions(store).disagreements()
    assert (found.submission, [opinion["worker"] for opinion in found.opinions]) == (
        submission, ["remote/mallory", "trusted"]
    )  # fmt: skip
    known = await Workers(store).find("mallory")
    assert known is not None
    assert submission in known.paused_why
    assert "disagree" in caplog.text


async def test_an_honest_worker_is_left_alone(store: Store) -> None:
    async with judged_by(store, "remote/mallory", accepted, "trusted"):
        await until(lambda: _counted(store))
    known = await Workers(store).find("mallory")
    assert known is not None
    assert known.paused_at is None
    assert await SecondOpinions(store).disagreements() == ()


async def test_one_untrusted_worker_cannot_have_another_paused(store: Store) -> None:
    async with judged_by(store, "remote/mallory", liar, "remote/other"):
        await until(lambda: _counted(store))
    known = await Workers(store).find("mallory")
    assert known is not None
    assert known.paused_at is None
    assert len(await SecondOpinions(store).disagreements()) == 1


@pytest.mark.parametrize(("score", "same"), [(0.9, True), (0.85, True), (0.5, False), (None, True)])
def test_scores_of_one_card_may_differ_a_little(score: float | None, same: bool) -> None:
    first = {"worker": "a", "verdict": "accepted", "card": "H200", "score": 0.9}
    assert agrees([first, {**first, "score": score}]) is same
    assert agrees([first, {**first, "score": 0.1, "card": "L4"}])
    assert not agrees([first, {**first, "verdict": "race"}])
