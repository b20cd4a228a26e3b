"""A worker on another host that tries more than it may: refused and logged, and nothing else is touched by it."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio as redis

from knowledge.store import Store
from knowledge.workers.gateway import WINDOW_MS
from tests.integration.knowledge.workers.setup import CARD, GPU_STATE, STATE, Answer, Sender, Site, judged, site
from tests.integration.worker.queue.jobs import next_verdict, until
from worker.config import WorkerConfig
from worker.protocol import PROTOCOL, Backend, Form, Job, Kind, Try, Verdict, to_json
from worker.queue.remote import WorkerKey
from worker.queue.wire import KEY_BYTES, SIGNATURE, Head

State = dict[str, Any]


@pytest.fixture
def database() -> str:
    """One of the two: what is refused here never reaches the database."""
    return "sqlite"


@pytest.fixture
async def here(store: Store) -> AsyncIterator[Site]:
    async with site(store) as opened:
        yield opened


def state(of: Any = STATE) -> State:
    return dict(json.loads(to_json(of)))


def is_refused(answer: Answer, why: str, log: pytest.LogCaptureFixture) -> None:
    """Refused for that reason, and logged with the name that was claimed."""
    assert answer[0] >= 400, answer
    assert answer[1]["why"] == why
    assert any("refused" in record.getMessage() for record in log.records if record.levelname == "WARNING")


async def test_the_lease_of_another_can_be_neither_renewed_finished_nor_given_back(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    job = await here.put()
    held = await here.honest.take()
    for path, more in (("renew", {}), ("finish", {"verdict": judged(job)}), ("release", {})):
        is_refused(await here.mallory.ask(path, {**held, **more}), "lease", caplog)
    assert await here.honest.ask("renew", held) == (200, {"held": True})


async def test_a_result_without_a_lease_is_taken_from_nobody(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    job = await here.put()
    forged = {"lease": secrets.token_hex(16), "submission": job.submission, "fence": 1, "verdict": judged(job)}
    is_refused(await here.mallory.ask("finish", forged), "lease", caplog)
    assert await here.queue.position("s1") == 0


async def test_progress_is_published_for_ones_own_job_alone(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    await here.put("s1")
    await here.put("s2")
    theirs, mine = await here.honest.take(), await here.mallory.take()
    said = {"submission": theirs["submission"], "stage": "timing"}
    is_refused(await here.mallory.ask("progress", {**theirs, "progress": said}), "lease", caplog)
    is_refused(await here.mallory.ask("progress", {**mine, "progress": said}), "result", caplog)


@pytest.mark.parametrize("damage", ["another key", "another body", "no signature", "another path", "not base64"])
async def test_what_is_not_signed_by_the_worker_is_refused(
    here: Site, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    await here.put()
    ask: State = {"lease": secrets.token_hex(16), "state": state()}
    sender, extra = here.mallory, {}
    if damage == "another key":
        sender = Sender(here.address, WorkerKey("honest", secrets.token_bytes(KEY_BYTES)))
    elif damage == "no signature":
        extra = {SIGNATURE: ""}
    elif damage == "not base64":
        extra = {SIGNATURE: "§" * 40}
    request = await sender.request("take", ask, extra)
    if damage == "another body":
        request = request.replace(b"emulator", b"emulatoR")
    elif damage == "another path":
        request = request.replace(b"/worker/take", b"/worker/beat")
    is_refused(await sender.raw(request), "signature", caplog)
    assert await here.queue.position("s1") == 0


async def test_one_worker_cannot_speak_in_the_name_of_another(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    answer = await here.mallory.ask("take", {"lease": secrets.token_hex(16), "state": state()}, worker="honest")
    is_refused(answer, "signature", caplog)
    nobody = await here.mallory.ask("take", {"lease": secrets.token_hex(16), "state": state()}, worker="nobody")
    assert nobody == answer, "names of workers cannot be guessed by the answers"


async def test_the_name_in_a_state_is_not_believed(here: Site) -> None:
    pretended = {**state(), "name": "remote/honest"}
    assert (await here.mallory.ask("beat", {"state": pretended}))[0] == 200
    assert [known.name for known in await here.queue.workers()] == ["remote/mallory"]


async def test_a_result_that_was_sent_before_is_not_taken_again(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    job = await here.put()
    held = await here.mallory.take()
    assert await here.mallory.ask("finish", {**held, "verdict": judged(job)}) == (200, {"held": True})
    is_refused(await here.mallory.raw(here.mallory.sent[-1]), "replay", caplog)


async def test_a_question_for_a_job_that_was_sent_before_gets_none(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    await here.put("s1")
    await here.put("s2")
    await here.mallory.take()
    is_refused(await here.honest.raw(here.mallory.sent[-1]), "replay", caplog)
    assert await here.queue.waiting() == 1


async def test_the_name_of_a_lease_is_used_once(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    await here.put("s1")
    await here.put("s2")
    held = await here.mallory.take()
    is_refused(await here.mallory.ask("take", {"lease": held["lease"], "state": state()}), "lease", caplog)
    is_refused(await here.honest.ask("take", {"lease": held["lease"], "state": state()}), "lease", caplog)


async def test_what_was_recorded_before_a_restart_is_worth_nothing_after_it(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    earlier = Sender(here.address, here.mallory.key, epoch="0" * 32)
    is_refused(await earlier.ask("take", {"lease": secrets.token_hex(16), "state": state()}), "epoch", caplog)


@pytest.mark.parametrize("off_ms", [-WINDOW_MS - 5000, WINDOW_MS + 5000])
async def test_a_request_of_another_time_is_refused(
    here: Site, caplog: pytest.LogCaptureFixture, off_ms: int
) -> None:
    at_ms = str(time.time_ns() // 1_000_000 + off_ms)
    is_refused(await here.mallory.ask("beat", {"state": state()}, at_ms=at_ms), "time", caplog)
    for odd in ("", "now", "-1", "9" * 400, "１２３"):
        answer = await here.mallory.raw(await here.mallory.request("beat", {"state": state()}, at_ms=odd))
        assert answer[0] >= 400


async def test_a_result_is_taken_once(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    job = await here.put()
    held = await here.mallory.take()
    await here.mallory.ask("finish", {**held, "verdict": judged(job)})
    is_refused(await here.mallory.ask("finish", {**held, "verdict": judged(job)}), "lease", caplog)
    report = await next_verdict(here.queue)
    assert (report.worker, report.fence) == ("remote/mallory", 1)


async def test_an_attempt_that_is_over_cannot_publish(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async with site(store, lease_s=0.3) as here:
        job = await here.put()
        stale = await here.mallory.take()  # never renewed, so it is abandoned
        newer = await here.honest.take()
        assert newer["fence"] == 2
        is_refused(await here.mallory.ask("finish", {**stale, "verdict": judged(job)}), "lease", caplog)
        is_refused(await here.honest.ask("finish", {**newer, "fence": 1, "verdict": judged(job)}), "lease", caplog)


def _with(**more: Any) -> Callable[[Any], State]:
    return lambda job: judged(job, **more)


MEASURED = {
    "sizes": {"n": 1}, "median_us": 1.0, "p10_us": 1.0, "p90_us": 1.0, "runs": 20, "gb_per_s": 1.0,
    "gflop_per_s": 1.0, "attainable_fraction": 0.9, "bound": "memory",
}  # fmt: skip
FINDING = {"id": "race-shared", "severity": "error", "message": {"en": "x"}}
WRONG: dict[str, Callable[[Any], State]] = {
    "another submission": _with(submission="s2"),
    "another problem": _with(problem="reduce_sum"),
    "another form": _with(form="kernel"),
    "another protocol": _with(protocol=PROTOCOL - 1),
    "a score on an emulator": _with(verdict="accepted", score=1.0),
    "a rank": _with(rank=1),
    "cancelled": _with(verdict="cancelled"),
    "a card that it has not": _with(backend="gpu", card={"name": "NVIDIA B200", "arch": "sm_100", "driver": "1"}),
    "a GPU that it has not": _with(backend="gpu"),
    "a time without a card": _with(timing=[MEASURED]),
    "accepted with a wrong case": _with(verdict="accepted", cases=[{"sizes": {"n": 1}, "values": "x", "ok": False}]),
    "readings": _with(findings=[{**FINDING, "readings": [{"url": "https://evil.example"}]}]),
    "a line that is not there": _with(findings=[{**FINDING, "line": 10**6}]),
    "an id with a path": _with(findings=[{**FINDING, "id": "../../etc/passwd"}]),
    "a third language": _with(findings=[{**FINDING, "message": {"__proto__": "x"}}]),
    "a flood of findings": _with(findings=[FINDING] * 300),
    "evidence without end": _with(findings=[{**FINDING, "evidence": {"x": "y" * 20_000}}]),
    "output without end": _with(output="x" * 70_000),
    "a key that nobody knows": _with(admin=True),
    "a number for a text": _with(output=1),
    "a negative time": _with(stages_ms={"queued": -1.0}),
}


@pytest.mark.parametrize("lie", WRONG)
async def test_a_verdict_that_cannot_be_true_is_refused(
    here: Site, caplog: pytest.LogCaptureFixture, lie: str
) -> None:
    job = await here.put()
    held = await here.mallory.take()
    is_refused(await here.mallory.ask("finish", {**held, "verdict": WRONG[lie](job)}), "result", caplog)
    assert await here.mallory.ask("finish", {**held, "verdict": judged(job)}) == (200, {"held": True}), (
        "still its own"
    )


ACCESS = {
    "line": 3, "way": "load", "space": "global", "buffer": "a", "bytes": 4, "block": [0, 0, 0], "lanes": [0, 1],
    "offsets": [0, 4], "passes": 1, "ideal": 1,
}  # fmt: skip
OUTPUT = {"name": "c", "elements": 2, "start": 0, "got": [1, None], "expected": [1, 2], "wrong": [1], "mismatches": 1}
WRITE = {"line": 3, "launch": 1, "thread": [0, 0, 0], "block": [0, 0, 0], "barriers": 0, "value": 1.0}
TRIED: State = {
    "inputs": {"a": [1.0, None]}, "outputs": [OUTPUT], "writes": [WRITE], "counts": {"branches": 1},
    "lines": {"3": {"load_sectors": 1}}, "access": ACCESS, "ptx": [[3, "add.f32"]], "sass": [[3, "FADD"]],
}  # fmt: skip
WRONG_TRIES: dict[str, State] = {
    "an input without end": {"inputs": {"a": [0.0] * 100}},
    "inputs without end": {"inputs": {f"a{n}": [] for n in range(100)}},
    "more numbers than right ones": {"outputs": [{**OUTPUT, "expected": [1]}]},
    "a wrong element that is not shown": {"outputs": [{**OUTPUT, "wrong": [7]}]},
    "a part outside of its output": {"outputs": [{**OUTPUT, "start": 5}]},
    "more mistakes than elements": {"outputs": [{**OUTPUT, "mismatches": 3}]},
    "a thread before the first": {"writes": [{**WRITE, "thread": [-1, 0, 0]}]},
    "stores without end": {"writes": [WRITE] * 100},
    "a line before the first": {"lines": {"-3": {"load_sectors": 1}}},
    "a count below nothing": {"counts": {"branches": -1}},
    "a lane without an offset": {"access": {**ACCESS, "offsets": [0]}},
    "a lane beyond the warp": {"access": {**ACCESS, "lanes": [0, 32]}},
    "a lane twice": {"access": {**ACCESS, "lanes": [1, 1]}},
    "lanes that ask for a gigabyte": {"access": {**ACCESS, "bytes": 1 << 30}},
    "an access that costs less than it can": {"access": {**ACCESS, "passes": 0}},
    "a buffer with a long name": {"access": {**ACCESS, "buffer": "x" * 100}},
    "code without end": {"ptx": [[1, "x"]] * 2000},
    "a line of code without end": {"sass": [[1, "x" * 1000]]},
}


@pytest.mark.parametrize("lie", WRONG_TRIES)
async def test_what_a_try_showed_is_held_to_its_shapes(
    here: Site, caplog: pytest.LogCaptureFixture, lie: str
) -> None:
    job = Job("s1", Form.TRY, "__global__ void vector_add() {}", trying=Try("vector_add", {"n": 2}))
    await here.queue.put(job)
    held = await here.mallory.take()
    lying = judged(job, tried={**TRIED, **WRONG_TRIES[lie]})
    is_refused(await here.mallory.ask("finish", {**held, "verdict": lying}), "result", caplog)
    honest = judged(job, tried=TRIED)
    assert await here.mallory.ask("finish", {**held, "verdict": honest}) == (200, {"held": True})


async def test_a_score_beyond_the_card_and_a_score_for_a_snippet_are_refused(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    job = await here.put(backend=Backend.GPU)
    held = await here.mallory.take(GPU_STATE)
    card = {"name": CARD.name, "arch": CARD.arch, "driver": CARD.driver}
    timed = {"backend": "gpu", "card": card, "timing": [MEASURED], "verdict": "accepted"}
    for more in ({"score": 40.0}, {"score": 0.9}):
        is_refused(
            await here.mallory.ask("finish", {**held, "verdict": judged(job, **timed, **more)}), "result", caplog
        )


async def test_a_revoked_key_opens_nothing_and_is_told_so(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    job = await here.put()
    held = await here.mallory.take()
    await here.workers.revoke("mallory")
    for path, more in (("finish", {"verdict": judged(job)}), ("renew", {})):
        is_refused(await here.mallory.ask(path, {**held, **more}), "revoked", caplog)
    fresh = {"lease": secrets.token_hex(16), "state": state()}
    is_refused(await here.mallory.ask("take", fresh), "revoked", caplog)


async def test_a_worker_that_lets_jobs_run_out_waits_longer_and_is_paused(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.workers.gateway.DROPS_BEFORE_PAUSE", 2)
    async with site(store, lease_s=0.2) as here:
        for name in ("s1", "s2"):
            await here.put(name)
            await here.mallory.take()

        async def is_paused() -> bool:
            known = await here.workers.find("mallory")
            return known is not None and known.paused_at is not None

        await until(is_paused)
        is_refused(
            await here.mallory.ask("take", {"lease": secrets.token_hex(16), "state": state()}), "paused", caplog
        )
        assert (await here.honest.take())["fence"] == 2, "another has what it let lie"


async def test_a_worker_cannot_hoard_jobs(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(9):
        await here.put(f"s{number}")
    for _ in range(8):
        await here.mallory.take()
    is_refused(await here.mallory.ask("take", {"lease": secrets.token_hex(16), "state": state()}), "busy", caplog)
    assert await here.queue.waiting() == 1


async def test_a_worker_of_another_protocol_is_told_so(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    answer = await here.mallory.ask("take", {"lease": secrets.token_hex(16), "state": state()}, protocol="2")
    is_refused(answer, "protocol", caplog)


async def test_a_signature_is_of_nothing_that_holds_a_line_break() -> None:
    with pytest.raises(ValueError, match="line break"):
        Head("mallory\nhonest", "3", "e", "1", "n").signed("POST", "/worker/take", b"")


@pytest.mark.parametrize(
    "command", ["FLUSHALL", "KEYS *", "SCAN 0", "CONFIG GET *", "XADD {warpmate}:3:verdicts * a b"]
)
async def test_the_gateway_is_no_broker(here: Site, command: str) -> None:
    """Whoever speaks Redis to it gets an HTTP refusal; there is no other port that a worker is told of."""
    status, _ = await here.mallory.raw(f"{command}\r\n\r\n".encode())
    assert status in {0, 400}
    client = redis.Redis(host=here.address.host, port=here.address.port, socket_timeout=5)
    with pytest.raises(redis.RedisError):
        await client.execute_command(*command.split())
    await client.aclose()


async def test_a_worker_on_another_host_is_told_of_no_broker_database_or_secret(tmp_path: Path) -> None:
    from warpmate.wiring.enrolment import compose_file

    text = compose_file("h200", "https://warpmate.example.org:8443", "h200.key")
    for word in ("REDIS", "DATABASE", "DISCORD", "POSTGRES", "TOKEN", "redis://"):
        assert word not in text
    config = WorkerConfig.from_environ(
        {"WARPMATE_GATEWAY_URL": "https://x:1", "WARPMATE_WORKER_KEY": "/run/worker.key"}
    )
    assert config.redis_url is None
    assert base64.b64encode(b"x").decode() not in text


async def test_what_a_liar_says_ends_in_its_own_results(here: Site) -> None:
    """A shape that passes is believed for the job that was given out, under the liar's name, and for no other."""
    lied, honest = await here.put("s1"), await here.put("s2")
    first, second = await here.mallory.take(), await here.honest.take()
    await here.mallory.ask("finish", {**first, "verdict": judged(lied, verdict="wrong_answer")})
    report = await next_verdict(here.queue)
    await here.queue.settle(report)
    await here.honest.ask("finish", {**second, "verdict": judged(honest)})
    other = await next_verdict(here.queue)
    assert isinstance(report.body, Verdict)
    assert isinstance(other.body, Verdict)
    assert (report.body.submission, report.worker, report.body.verdict) == ("s1", "remote/mallory", Kind.WRONG_ANSWER)
    assert (other.body.submission, other.worker, other.body.verdict) == ("s2", "remote/honest", Kind.COMPILED)
