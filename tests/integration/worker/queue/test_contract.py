"""What every queue promises, in one process and over Redis Streams."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from itertools import groupby

import pytest

from tests.integration.worker.queue.jobs import job, next_verdict, until, verdict, worker
from worker.protocol import Backend, Kind, Progress, Stage, Verdict
from worker.queue import MAX_ATTEMPTS, JobQueue, Lease, Settled


async def take(queue: JobQueue, *backends: Backend) -> Lease:
    async with asyncio.timeout(20):
        return await queue.take(worker("w", *backends))


async def served(queue: JobQueue, count: int) -> list[str]:
    return [(await take(queue)).job.submission for _ in range(count)]


async def test_a_job_goes_out_and_its_verdict_comes_back(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    assert (lease.job.source, lease.job.fence) == ("// s1", 1)
    assert await lease.finish(verdict(lease.job))
    report = await next_verdict(queue)
    assert (report.body, report.fence) == (verdict(lease.job), 1)


async def test_a_job_is_forgotten_only_when_its_verdict_is_settled(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    await lease.finish(verdict(lease.job))
    assert await queue.unknown(["s1", "s2"]) == ("s2",)
    await queue.settle(await next_verdict(queue))
    assert await queue.unknown(["s1", "s2"]) == ("s1", "s2")


async def test_a_verdict_that_was_not_settled_is_told_again(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    await lease.finish(verdict(lease.job))
    first = await next_verdict(queue)
    assert await next_verdict(queue) == first


async def test_a_settled_verdict_is_not_told_again(queue: JobQueue) -> None:
    for name in ("s1", "s2"):
        await queue.put(job(name))
        lease = await take(queue)
        await lease.finish(verdict(lease.job))
        report = await next_verdict(queue)
        assert isinstance(report.body, Verdict)
        assert report.body.submission == name
        await queue.settle(report)


@pytest.mark.parametrize("stage", ["waiting", "leased", "reported"])
async def test_a_submission_put_twice_is_one_job(queue: JobQueue, stage: str) -> None:
    await queue.put(job("s1"))
    if stage != "waiting":
        lease = await take(queue)
        if stage == "reported":
            await lease.finish(verdict(lease.job))
    await queue.put(job("s1"))
    await queue.put(job("s2"))
    expected = ["s1", "s2"] if stage == "waiting" else ["s2"]
    assert await served(queue, len(expected)) == expected
    assert await queue.waiting() == 0


async def test_a_member_with_forty_jobs_does_not_starve_another(queue: JobQueue) -> None:
    for number in range(40):
        await queue.put(job(f"a{number}", by="ann"))
    for number in range(3):
        await queue.put(job(f"b{number}", by="bob"))
    assert await served(queue, 7) == ["a0", "b0", "a1", "b1", "a2", "b2", "a3"]


async def test_guilds_take_turns_and_so_do_their_members_while_everybody_hands_in_more(queue: JobQueue) -> None:
    """A guild of one busy member and a guild of three: each guild is served alike, and so is each of the three."""
    for number in range(30):
        await queue.put(job(f"big{number}", by="ann", group="one"))
    for number in range(4):
        for member in ("bob", "cem", "dan"):
            await queue.put(job(f"{member}{number}", by=member, group="three"))
    served_by: list[str] = []
    for number in range(20):
        lease = await take(queue)
        served_by.append(lease.job.queued_by)
        await queue.put(job(f"more{number}", by="bob", group="three"))  # bob never stops, and gains nothing by it
        await lease.finish(verdict(lease.job))
    assert served_by.count("ann") == 10
    assert {member: served_by.count(member) for member in ("bob", "cem", "dan")} == {"bob": 4, "cem": 3, "dan": 3}
    longest = max(len(list(run)) for _, run in groupby(member == "ann" for member in served_by))
    assert longest == 1


async def test_a_guild_that_comes_late_is_served_next_and_has_no_more_than_its_turn(queue: JobQueue) -> None:
    for number in range(6):
        await queue.put(job(f"a{number}", by=f"ann{number}", group="a"))
    assert await served(queue, 3) == ["a0", "a1", "a2"]
    for number in range(3):
        await queue.put(job(f"b{number}", by="bob", group="b"))
    assert await served(queue, 6) == ["b0", "a3", "b1", "a4", "b2", "a5"]


async def test_a_guild_that_was_passed_over_has_one_turn_saved_and_no_more(queue: JobQueue) -> None:
    for number in range(4):
        await queue.put(job(f"g{number}", by="ann", group="a", backend=Backend.GPU))
    for number in range(8):
        await queue.put(job(f"b{number}", by="bob", group="b", backend=Backend.EMULATOR))
    assert await served(queue, 4) == ["b0", "b1", "b2", "b3"]
    both = [(await take(queue, Backend.GPU, Backend.EMULATOR)).job.submission for _ in range(5)]
    assert both == ["g0", "g1", "b4", "g2", "b5"]


async def test_positions_foretell_the_order_of_guilds_and_members(queue: JobQueue) -> None:
    names = ["a1", "a1b", "b1", "a2", "c1", "b2", "a3", "c1b", "a1c", "b1b"]
    for name in names:
        await queue.put(job(name, by=name[:2], group=name[0]))
    await (await take(queue)).release()
    names.remove((await take(queue)).job.submission)
    await queue.cancel("b1")
    names.remove("b1")
    positions = {name: await queue.position(name) for name in names}
    assert sorted(positions.values(), key=str) == list(range(len(names)))
    assert await served(queue, len(names)) == sorted(names, key=lambda name: positions[name] or 0)


async def test_positions_foretell_the_order(queue: JobQueue) -> None:
    names = ["a0", "a1", "a2", "b0", "c0", "c1", "a3"]
    for name in names:
        await queue.put(job(name, by=name[0]))
    await queue.cancel("a1")
    names.remove("a1")
    positions = {name: await queue.position(name) for name in names}
    assert sorted(positions.values(), key=str) == list(range(len(names)))
    assert await served(queue, len(names)) == sorted(names, key=lambda name: positions[name] or 0)


async def test_positions_move_up_as_jobs_are_taken(queue: JobQueue) -> None:
    for name in ("s1", "s2", "s3"):
        await queue.put(job(name))
    await take(queue)
    assert [await queue.position(name) for name in ("s1", "s2", "s3")] == [None, 0, 1]


async def test_what_a_member_cancelled_is_no_debt_of_theirs(queue: JobQueue) -> None:
    await queue.put(job("other0", by="bob"))
    await queue.put(job("other1", by="bob"))
    await queue.put(job("gone", by="ann"))
    await queue.cancel("gone")
    await queue.put(job("a0", by="ann"))
    assert await served(queue, 3) == ["other0", "a0", "other1"]


async def test_a_job_cancelled_while_it_waits_is_never_given_out(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    await queue.put(job("s2"))
    assert await queue.cancel("s1")
    assert await queue.unknown(["s1"]) == ("s1",)
    assert await served(queue, 1) == ["s2"]


async def test_a_job_cancelled_in_a_workers_hands_is_lost_to_it(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    assert not await queue.cancel("s1")
    async with asyncio.timeout(20):
        await lease.lost()
    assert not await lease.held()
    assert not await lease.finish(verdict(lease.job))
    assert await queue.unknown(["s1"]) == ("s1",)


async def test_a_job_given_back_is_the_next_and_its_attempt_does_not_count(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    await queue.put(job("s2"))
    lease = await take(queue)
    await lease.release()
    assert await queue.position("s1") == 0
    assert not await lease.finish(verdict(lease.job))
    second = await take(queue)
    assert (second.job.submission, second.job.fence) == ("s1", 1)


async def test_an_attempt_that_failed_for_our_fault_is_followed_by_another(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    await lease.finish(verdict(lease.job, Kind.INFRASTRUCTURE_ERROR))
    report = await next_verdict(queue)
    await queue.again(report, lease.job)
    await queue.again(report, lease.job)
    second = await take(queue)
    assert second.job.fence == 2
    assert await queue.waiting() == 0
    await second.finish(verdict(second.job))
    assert (await next_verdict(queue)).fence == 2


async def test_a_gpu_job_waits_for_a_worker_with_a_gpu(queue: JobQueue) -> None:
    await queue.put(job("gpu", backend=Backend.GPU))
    await queue.put(job("any", backend=Backend.EMULATOR))
    assert await served(queue, 1) == ["any"]
    assert (await take(queue, Backend.GPU)).job.submission == "gpu"


async def test_auto_goes_to_the_gpu_while_a_worker_with_one_lives(queue: JobQueue) -> None:
    await queue.beat(worker("card", Backend.GPU, Backend.EMULATOR))
    await queue.put(job("auto"))
    await queue.put(job("emulated", backend=Backend.EMULATOR))
    assert await served(queue, 1) == ["emulated"]
    assert (await take(queue, Backend.GPU, Backend.EMULATOR)).job.submission == "auto"


async def test_a_job_for_one_card_waits_for_a_worker_with_that_card(queue: JobQueue) -> None:
    await queue.put(job("h200", backend=Backend.GPU, cards=("h200", "h100")))
    await queue.put(job("any", backend=Backend.GPU))

    async def taken_by(card: str) -> str:
        async with asyncio.timeout(20):
            return (await queue.take(worker("w", Backend.GPU, serves=card))).job.submission

    assert await taken_by("l4") == "any"
    assert await taken_by("h200") == "h200"


async def test_auto_waits_for_its_card_while_one_lives_and_never_takes_another_card(
    queue_with_names: JobQueue,
) -> None:
    queue = queue_with_names
    await queue.beat(worker("card", Backend.GPU, Backend.EMULATOR, serves="l4"))
    await queue.put(job("hopper", cards=("h200",)))
    await queue.put(job("any"))
    async with asyncio.timeout(20):
        other = await queue.take(worker("card", Backend.GPU, Backend.EMULATOR, serves="l4"))
    assert other.job.submission == "any"
    assert await served(queue, 1) == ["hopper"], "no card that fits lives, so the emulator has it"


async def test_a_second_opinion_is_never_the_first_ones(queue_with_names: JobQueue) -> None:
    queue = queue_with_names
    await queue.put(job("again", avoid=("w", "x")))
    await queue.put(job("other"))
    assert await served(queue, 1) == ["other"]
    async with asyncio.timeout(20):
        assert (await queue.take(worker("y"))).job.submission == "again"


async def test_a_job_abandoned_counts_its_attempt_and_is_given_up_in_the_end(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        lease = await take(queue)
        assert lease.job.fence == attempt
        await lease.abandon()
        assert not await lease.finish(verdict(lease.job))
    await queue.put(job("s2"))
    assert await served(queue, 1) == ["s2"]
    report = await next_verdict(queue)
    assert isinstance(report.body, Verdict)
    assert (report.body.submission, report.body.verdict) == ("s1", Kind.INFRASTRUCTURE_ERROR)


async def test_a_verdict_says_whose_it_is(queue_with_names: JobQueue) -> None:
    queue = queue_with_names
    await queue.put(job("s1"))
    lease = await take(queue)
    await lease.finish(verdict(lease.job))
    assert (await next_verdict(queue)).worker == "w"


async def test_a_hundred_jobs_that_do_not_suit_do_not_hide_the_one_that_does(queue: JobQueue) -> None:
    for number in range(150):
        await queue.put(job(f"g{number}", backend=Backend.GPU))
    await queue.put(job("suits", backend=Backend.COMPILE))
    assert await served(queue, 1) == ["suits"]


async def test_a_worker_that_waits_gets_the_job_that_arrives(queue: JobQueue) -> None:
    taking = asyncio.ensure_future(take(queue))
    await queue.put(job("s1"))
    assert (await taking).job.submission == "s1"


async def test_a_worker_that_stops_waiting_takes_no_job_with_it(queue: JobQueue) -> None:
    for number in range(20):
        taking = asyncio.ensure_future(take(queue))
        await queue.put(job(f"s{number}"))
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
        if not taking.cancelled():
            await taking.result().release()
    assert sorted(await served(queue, 20)) == sorted(f"s{number}" for number in range(20))


async def test_progress_and_settlement_reach_whoever_listens(queue_with_names: JobQueue) -> None:
    queue = queue_with_names
    await queue.put(job("s1"))
    lease = await take(queue)
    heard: list[object] = []
    async with asyncio.timeout(20), aclosing(queue.reports()) as reports:
        listening = asyncio.ensure_future(anext(reports))
        while not listening.done():  # said again until the listener is there
            await lease.progress(Progress("s1", Stage.COMPILING, worker="w"))
            await asyncio.wait({listening}, timeout=0.05)
        heard.append(listening.result().body)
        await lease.finish(verdict(lease.job))
        async for report in reports:
            if isinstance(report.body, Verdict):
                await queue.settle(report)
            heard.append(report.body)
            if isinstance(report.body, Settled):
                break
    assert heard[0] == Progress("s1", Stage.COMPILING, worker="w")
    assert heard[-2:] == [verdict(lease.job), Settled("s1")]


async def test_a_verdict_without_json_is_refused_where_it_is_published(queue: JobQueue) -> None:
    await queue.put(job("s1"))
    lease = await take(queue)
    bad = Verdict("s1", lease.job.form, None, Backend.GPU, Kind.ACCEPTED, score=float("nan"))
    with pytest.raises(ValueError, match="JSON"):
        await lease.finish(bad)


async def test_workers_are_known_while_their_heart_beats(queue_with_names: JobQueue) -> None:
    queue = queue_with_names
    await queue.beat(worker("w1", Backend.GPU))
    assert await queue.workers() == (worker("w1", Backend.GPU),)

    async def forgotten() -> bool:
        await queue.beat(worker("w2"))
        return [state.name for state in await queue.workers()] == ["w2"]

    await until(forgotten)
