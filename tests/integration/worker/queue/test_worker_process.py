"""`python -m worker`, as an operator starts it on a GPU host or without one."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.integration.worker.queue.jobs import next_verdict, streams
from tests.integration.worker.queue.processes import ROOT, own_broker, worker_process
from worker.protocol import Form, Job, Kind, Verdict, WorkerState


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "WARPMATE_REDIS_URL is not set"),
        ({"WARPMATE_REDIS_URL": "here"}, "WARPMATE_REDIS_URL is not the address of a Redis"),
        ({"WARPMATE_REDIS_URL": "redis://x", "WARPMATE_JUDGE_BACKEND": "abacus"}, "WARPMATE_JUDGE_BACKEND=abacus"),
    ],
    ids=["no address", "no redis", "no such backend"],
)
async def test_a_wrong_setting_is_told_in_one_line(environ: dict[str, str], says: str) -> None:
    async with worker_process(**environ) as process:
        _, told = await process.communicate()
        assert process.returncode == 1
    assert told.decode().startswith(f"worker: {says}")
    assert told.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.needs("redis", "bubblewrap")
async def test_a_worker_compiles_for_the_broker_and_ends_when_told(tmp_path: Path) -> None:
    async with own_broker(tmp_path) as broker, streams(broker.url, "warpmate", lease_s=5) as queue:
        data = str(tmp_path / "data")
        async with worker_process(WARPMATE_REDIS_URL=broker.url, WARPMATE_DATA_DIR=data) as process:
            await queue.put(Job("right", Form.SNIPPET, "__global__ void k(float* x) { x[threadIdx.x] = 1; }"))
            await queue.put(Job("wrong", Form.SNIPPET, "__global__ void k(flaot* x) {}"))
            kinds = {}
            for _ in range(2):
                report = await next_verdict(queue)
                assert isinstance(report.body, Verdict)
                kinds[report.body.submission] = report.body.verdict
                await queue.settle(report)
            assert kinds == {"right": Kind.COMPILED, "wrong": Kind.COMPILE_ERROR}
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0


@pytest.mark.needs("redis")
async def test_health_is_that_the_broker_has_heard_of_a_worker_of_this_host(tmp_path: Path) -> None:
    async with own_broker(tmp_path) as broker, streams(broker.url, "warpmate", lease_s=30) as queue:
        assert await _health(broker.url) == (1, b"worker: no worker of this host has been heard of lately\n")
        await queue.beat(WorkerState(name="elsewhere-1", card=None, backends=(), busy_with=None))
        assert (await _health(broker.url))[0] == 1
        await queue.beat(WorkerState(name=f"{socket.gethostname()}-1", card=None, backends=(), busy_with=None))
        assert await _health(broker.url) == (0, b"")
    code, told = await _health(broker.url)
    assert (code, told.count(b"\n")) == (1, 1)
    assert b"does not answer" in told


async def _health(url: str) -> tuple[int | None, bytes]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "worker", "--health", cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "WARPMATE_REDIS_URL": url}, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, told = await process.communicate()
    return process.returncode, told
