"""Handing in, watching, cancelling and looking up, on both databases."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from knowledge.errors import BadInput, NotFound, TooMany
from knowledge.store import Scope, Store
from knowledge.store.tables import Member, Submission, VerdictRow
from knowledge.submit import HandIn, Limits, ProgressEvents, Submissions
from knowledge.submit.service import READ_AGAIN_S
from knowledge.submit.set_aside import AsideJobs
from knowledge.submit.verdicts import job_of
from tests.integration.knowledge.submit.setup import HERE, PROBLEMS, House, beside, build, working
from worker.canned import CannedExecutor, accepted
from worker.hardware.cards import card_key
from worker.protocol import Backend, Card, Finding, Form, Job, Kind, Progress, Stage, Verdict, WorkerState
from worker.queue.memory import MemoryQueue


class CountingQueue(MemoryQueue):
    positions_asked = 0

    async def position(self, submission: str) -> int | None:
        self.positions_asked += 1
        return await super().position(submission)


async def first_item(house: House, submission: str) -> Progress | Verdict:
    async with aclosing(house.submissions.watch(HERE, submission)) as items:
        return await anext(items)


async def last_item(items: AsyncIterator[Progress | Verdict]) -> Progress | Verdict:
    async with asyncio.timeout(30):
        return [item async for item in items][-1]


async def test_a_kernel_comes_back_with_its_verdict(house: House) -> None:
    async with house.serving():
        verdict = await house.outcome(await house.hand_in(problem="saxpy"))
    assert (verdict.verdict, verdict.form, verdict.problem) == (Kind.ACCEPTED, Form.KERNEL, "saxpy")
    assert verdict.stages_ms["queued"] >= 0


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("int main() { return 0; }", Form.PROGRAM),
        ("int\nmain(int argc, char** argv) {}", Form.PROGRAM),
        ("auto main() -> int {}", Form.PROGRAM),
        ("__global__ void domain(int n) {}", Form.SNIPPET),
        ("// int main() {}\n__global__ void k() {}", Form.SNIPPET),
        ("/* int main() {} */ __global__ void k() {}", Form.SNIPPET),
        ('const char* s = "int main()"; __global__ void k() {}', Form.SNIPPET),
        ('const char* s = R"x(int main() ")x"; __global__ void k() {}', Form.SNIPPET),
        ("// a comment \\\nint main() {}\n", Form.SNIPPET),
        ("int x = 1'000; int main() { char c = '\"'; }", Form.PROGRAM),
    ],
)
async def test_the_form_is_read_from_the_code(house: House, source: str, form: Form) -> None:
    await house.hand_in(source)
    assert [owned.form for owned in await house.submissions.mine(HERE, "ann")] == [form]


@pytest.mark.parametrize("opening", ['R"(', '"\\\\', "'\\\\", "/*", "//", "1'", 'R"a(', "int main"])
async def test_code_made_to_confuse_is_still_read_in_one_go(house: House, opening: str) -> None:
    """Quadratic reading of this much would outlast the test's time limit."""
    await house.hand_in(opening * (256 * 1024 // len(opening)))
    assert [owned.form for owned in await house.submissions.mine(HERE, "ann")] == [Form.SNIPPET]


@pytest.mark.parametrize(
    ("source", "problem", "error", "says"),
    [
        ("", None, BadInput, "no code"),
        ("x" * (256 * 1024 + 1), None, BadInput, "257 KiB"),
        ("a\0b", None, BadInput, "NUL"),
        ("\ud800", None, BadInput, "UTF-8"),
        ("x", "saxy", NotFound, "did you mean saxpy"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_one_line(
    house: House, source: str, problem: str | None, error: type[BadInput], says: str
) -> None:
    with pytest.raises(error, match=says) as raised:
        await house.hand_in(source, problem=problem)
    assert "\n" not in str(raised.value)
    assert raised.value.text("zh") != raised.value.text("en")
    assert await house.submissions.mine(HERE, "ann") == ()


async def test_a_member_may_not_fill_the_line(store: Store) -> None:
    house = build(store, MemoryQueue(), Limits(unfinished_per_member=2))
    first = await house.hand_in()
    await house.hand_in()
    with pytest.raises(TooMany):
        await house.hand_in()
    await house.hand_in(member="bob")
    await house.submissions.cancel(HERE, "ann", first)
    await house.hand_in()


async def test_a_guild_may_not_fill_the_line_either(store: Store) -> None:
    house = build(store, MemoryQueue(), Limits(unfinished_per_guild=2))
    for member in ("ann", "bob"):
        await house.hand_in(member=member, scope=Scope.guild("7"))
    with pytest.raises(TooMany, match="This server has 2") as raised:
        await house.hand_in(member="cem", scope=Scope.guild("7"))
    assert "2 个提交" in raised.value.text("zh")
    await house.hand_in(member="cem", scope=Scope.guild("8"))
    await house.hand_in(member="cem")


async def test_a_card_by_name_is_promised_only_while_a_worker_with_it_lives(house: House) -> None:
    card = Card("NVIDIA H200", "sm_90a", "580")
    await house.queue.beat(WorkerState("w", card, (Backend.GPU,), serves=card_key("H200")))
    with pytest.raises(BadInput, match="No worker with a b200"):
        await house.hand_in(card="b200")
    submission = await house.hand_in(card="nvidia h200")
    other = asyncio.ensure_future(house.queue.take(WorkerState("l4", None, (Backend.GPU,), serves="l4")))
    lease = await house.queue.take(WorkerState("w", card, (Backend.GPU,), serves=card_key("h200")))
    assert (lease.job.submission, lease.job.backend) == (submission, Backend.GPU)
    assert not other.done()
    other.cancel()


async def test_a_problem_that_needs_a_card_takes_its_jobs_there(store: Store) -> None:
    queue, events = MemoryQueue(), ProgressEvents()
    submissions = Submissions(store, queue, events, PROBLEMS, None, {"saxpy": (card_key("h200"), card_key("h100"))})
    await submissions.hand_in(HERE, HandIn("ann", "__global__ void k() {}", "saxpy"))
    lease = await queue.take(WorkerState("w", None, (Backend.GPU,), serves=card_key("H100")))
    assert lease.job.cards == (card_key("h200"), card_key("h100"))


@pytest.mark.parametrize("retries", [True, False])
async def test_what_nobody_could_judge_is_set_aside_until_somebody_decides(house: House, retries: bool) -> None:
    def trouble(job: Job) -> Verdict:
        return replace(accepted(job), verdict=Kind.INFRASTRUCTURE_ERROR)

    aside = AsideJobs(house.store)
    async with house.serving(answer=trouble):
        submission = await house.hand_in(problem="saxpy")
        assert (await house.outcome(submission)).verdict is Kind.INFRASTRUCTURE_ERROR
    (one,) = await aside.listed(HERE)
    assert (one.submission, one.reason, one.attempts, one.worker) == (submission, "judge_failed", 2, "w")
    assert await aside.listed(Scope.guild("7")) == ()
    if not retries:
        await aside.let_go(HERE, submission)
    else:
        await aside.retry(HERE, submission)
        async with house.serving():
            assert await house.collector.enqueue_unfinished() <= 1
            assert (await house.outcome(submission)).verdict is Kind.ACCEPTED
    assert await aside.listed(HERE) == ()
    with pytest.raises(NotFound):
        await aside.retry(HERE, submission)


async def test_a_gpu_is_not_promised_where_only_emulators_serve(house: House) -> None:
    await house.queue.beat(WorkerState("w", None, (Backend.EMULATOR,)))
    with pytest.raises(BadInput, match="No GPU worker"):
        await house.hand_in(backend=Backend.GPU)


async def test_a_worker_learns_no_name(house: House) -> None:
    await house.hand_in(member="discord:123456")
    lease = await house.queue.take(WorkerState("w", None, (Backend.GPU,)))
    assert "123456" not in lease.job.queued_by


async def test_positions_are_shown_until_the_job_is_taken_and_then_its_stages(house: House) -> None:
    ids = [await house.hand_in() for _ in range(3)]
    watching = [asyncio.ensure_future(house.seen(submission)) for submission in ids]
    first = [await first_item(house, submission) for submission in ids]
    assert first == [Progress(submission, Stage.QUEUED, n) for n, submission in enumerate(ids)]
    async with beside(house.collector.run()), working(house.queue, CannedExecutor(), consumers=1):
        seen = await asyncio.gather(*watching)
    for items in seen:
        positions = [item.position for item in items if isinstance(item, Progress) and item.position is not None]
        assert positions == sorted(positions, reverse=True)
        assert isinstance(items[-1], Verdict)


async def test_who_stands_behind_a_cancelled_submission_moves_up_at_once(house: House) -> None:
    first, second = await house.hand_in(), await house.hand_in()
    async with aclosing(house.submissions.watch(HERE, second)) as items, asyncio.timeout(READ_AGAIN_S):
        assert await anext(items) == Progress(second, Stage.QUEUED, 1)
        await house.submissions.cancel(HERE, "ann", first)
        assert await anext(items) == Progress(second, Stage.QUEUED, 0)


async def test_two_hundred_watchers_of_a_submission_cost_one_look_at_each_change(store: Store) -> None:
    queue = CountingQueue()
    house = build(store, queue)
    submission = await house.hand_in()
    watches = [house.submissions.watch(HERE, submission) for _ in range(200)]
    assert {await anext(watch) for watch in watches} == {Progress(submission, Stage.QUEUED, 0)}
    async with house.serving():
        last = await asyncio.gather(*map(last_item, watches))
    assert {type(item) for item in last} == {Verdict}
    assert queue.positions_asked < 20


async def test_somebody_who_watches_late_gets_the_verdict_at_once(house: House) -> None:
    async with house.serving():
        submission = await house.hand_in()
        await house.outcome(submission)
    assert [type(item) for item in await house.seen(submission)] == [Verdict]


async def test_a_verdict_committed_by_another_server_is_noticed(store: Store) -> None:
    queue = MemoryQueue()
    ours, theirs = build(store, queue), build(store, queue)
    async with theirs.serving():
        assert (await ours.outcome(await ours.hand_in())).verdict is Kind.COMPILED


async def test_a_waiting_submission_can_be_cancelled_by_its_member_alone(house: House) -> None:
    submission = await house.hand_in()
    with pytest.raises(NotFound):
        await house.submissions.cancel(HERE, "bob", submission)
    assert await house.submissions.cancel(HERE, "ann", submission)
    assert (await house.outcome(submission)).verdict is Kind.CANCELLED
    assert await house.queue.waiting() == 0
    assert not await house.submissions.cancel(HERE, "ann", submission)


async def test_a_running_submission_can_be_cancelled_and_its_worker_goes_on(house: House) -> None:
    async with house.serving(CannedExecutor(compile_s=1000)):
        submission = await house.hand_in()
        async for item in house.submissions.watch(HERE, submission):
            if isinstance(item, Progress) and item.stage is Stage.COMPILING:
                assert await house.submissions.cancel(HERE, "ann", submission)
        assert (await house.outcome(submission)).verdict is Kind.CANCELLED
        assert await house.queue.unknown([submission]) == (submission,)


async def test_trouble_of_ours_is_retried_once_and_not_shown(house: House) -> None:
    attempts: list[int] = []

    def fails_first(job: Job) -> Verdict:
        attempts.append(job.fence)
        trouble = replace(accepted(job), verdict=Kind.INFRASTRUCTURE_ERROR)
        return trouble if len(attempts) == 1 else accepted(job)

    async with house.serving(answer=fails_first):
        assert (await house.outcome(await house.hand_in())).verdict is Kind.COMPILED
    assert attempts == [1, 2]


async def test_trouble_of_ours_that_stays_ends_as_such(house: House) -> None:
    attempts: list[int] = []

    def fails(job: Job) -> Verdict:
        attempts.append(job.fence)
        raise RuntimeError("the card fell off the bus")

    async with house.serving(answer=fails):
        assert (await house.outcome(await house.hand_in())).verdict is Kind.INFRASTRUCTURE_ERROR
    assert attempts == [1, 2]


async def test_findings_get_their_readings_in_the_members_language(house: House) -> None:
    finding = Finding("missing-barrier", "error", {"en": "a", "zh": "b"}, line=3)

    def found(job: Job) -> Verdict:
        return replace(accepted(job), findings=(finding,))

    async with house.store.session(HERE) as session:
        session.add(Member(id="zhang", language="zh"))
    async with house.serving(answer=found):
        verdict = await house.outcome(await house.hand_in(member="zhang"))
    assert verdict.findings[0].readings == ({"resource_id": "note:missing-barrier", "lang": "zh"},)


async def test_an_unknown_finding_and_an_endless_card_name_hold_no_verdict_up(store: Store) -> None:
    def no_readings(_finding: str, _lang: str) -> tuple[dict[str, object], ...]:
        raise KeyError("unknown finding")

    def answer(job: Job) -> Verdict:
        card = Card("x" * 1000, "sm_90a", "1")
        return replace(accepted(job), card=card, findings=(Finding("odd", "hint", {}),))

    house = build(store, MemoryQueue(), readings=no_readings)
    async with house.serving(answer=answer):
        verdict = await house.outcome(await house.hand_in())
    assert (verdict.verdict, verdict.findings[0].readings) == (Kind.COMPILED, ())


async def test_a_worker_is_not_believed_about_what_the_row_knows(house: House) -> None:
    def lies(job: Job) -> Verdict:
        return replace(accepted(job), form=Form.KERNEL, problem="saxpy", verdict=Kind.ACCEPTED, score=9.0, rank=1)

    async with house.serving(answer=lies):
        verdict = await house.outcome(await house.hand_in("int main() {}"))
    assert (verdict.form, verdict.problem, verdict.score, verdict.rank) == (Form.PROGRAM, None, None, None)
    assert await house.boards.board(HERE, "saxpy", "canned") == ()


async def test_an_outdated_attempt_cannot_commit(house: House) -> None:
    submission = await house.hand_in()
    first = await house.queue.take(WorkerState("old", None, (Backend.GPU,)))
    async with house.store.session(HERE) as session:
        row = await session.get_one(Submission, submission)
        row.fence = 2
    async with beside(house.collector.run()):
        await first.finish(replace(accepted(first.job), verdict=Kind.HELD))
        async with working(house.queue, CannedExecutor()):
            assert (await house.outcome(submission)).verdict is Kind.COMPILED


async def test_unfinished_rows_become_jobs_again_at_start(store: Store) -> None:
    before = build(store, MemoryQueue())
    ids = [await before.hand_in(f"// {number}") for number in range(5)]
    await before.submissions.cancel(HERE, "ann", ids[0])
    after = build(store, MemoryQueue())
    assert await after.collector.enqueue_unfinished() == 4
    assert await after.collector.enqueue_unfinished() == 0
    async with after.serving():
        kinds = [(await after.outcome(submission)).verdict for submission in ids]
    assert kinds == [Kind.CANCELLED] + [Kind.COMPILED] * 4


async def test_the_same_report_twice_changes_nothing(house: House) -> None:
    submission = await house.hand_in()
    lease = await house.queue.take(WorkerState("w", None, (Backend.GPU,)))
    await lease.finish(accepted(lease.job))
    async for report in house.queue.reports():
        await house.collector.handle(report)
        forged = replace(accepted(lease.job), verdict=Kind.HELD)
        await house.collector.handle(dataclasses.replace(report, body=forged))
        break
    assert (await house.outcome(submission)).verdict is Kind.COMPILED
    async with house.store.reading(Scope.all()) as session:
        assert await session.scalar(select(func.count()).select_from(VerdictRow)) == 1


async def test_what_was_handed_in_elsewhere_is_not_seen_here(house: House) -> None:
    guild = Scope.guild("111")
    submission = await house.hand_in(scope=guild)
    with pytest.raises(NotFound):
        await house.submissions.verdict(HERE, submission)
    with pytest.raises(NotFound):
        await house.submissions.cancel(HERE, "ann", submission)
    assert await house.submissions.mine(HERE, "ann") == ()
    async with house.serving():
        assert (await house.outcome(submission, guild)).verdict is Kind.COMPILED


async def test_a_members_list_is_newest_first_and_gives_the_code_back(house: House) -> None:
    ids = [await house.hand_in(f"// {number}", problem="saxpy") for number in range(3)]
    await house.hand_in(member="bob")
    listed = await house.submissions.mine(HERE, "ann", problem="saxpy")
    assert [owned.submission for owned in listed] == ids[::-1]
    assert {(owned.state, owned.verdict) for owned in listed} == {("waiting", None)}
    assert await house.submissions.source(HERE, "ann", ids[1]) == "// 1"
    with pytest.raises(NotFound):
        await house.submissions.source(HERE, "bob", ids[1])


async def test_a_member_who_was_forgotten_while_waiting_disturbs_nobody(house: House) -> None:
    await house.hand_in()
    async with house.store.session(Scope.all()) as session:
        await session.delete(await session.get_one(Member, "ann"))
    async with house.serving():
        assert (await house.outcome(await house.hand_in(member="bob"))).verdict is Kind.COMPILED


async def test_first_hand_ins_at_once_are_one_member(house: House) -> None:
    await asyncio.gather(*(house.hand_in(f"// {number}") for number in range(5)))
    assert len(await house.submissions.mine(HERE, "ann")) == 5


async def test_a_row_and_its_job_agree(house: House) -> None:
    submission = await house.hand_in("// code", problem="saxpy", backend=Backend.EMULATOR)
    async with house.store.reading(HERE) as session:
        expected = job_of(await session.get_one(Submission, submission))
    assert replace((await house.queue.take(WorkerState("w", None, (Backend.EMULATOR,)))).job, fence=0) == expected


async def test_forty_submissions_of_five_members_are_judged_in_turn(house: House) -> None:
    judged: list[str] = []

    def noted(job: Job) -> Verdict:
        judged.append(job.queued_by)
        return accepted(job)

    ids = [await house.hand_in(f"// {number}", member=f"m{number // 8}") for number in range(40)]
    async with beside(house.collector.run()), working(house.queue, CannedExecutor(noted), consumers=1):
        outcomes = await asyncio.gather(*(house.outcome(submission) for submission in ids))
    assert [verdict.submission for verdict in outcomes] == ids
    assert all(len(set(judged[start : start + 5])) == 5 for start in range(0, 40, 5))
