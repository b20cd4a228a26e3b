"""SIGKILL of runner, referee, worker or broker in each stage: one verdict, or one error of ours; the card free."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.judging.subject import ROOT, SLOW, Bench, fresh, read
from tests.integration.worker.queue.jobs import streams
from tests.integration.worker.queue.processes import own_broker, worker_process
from tests.integration.worker.queue.survival import Survived, verdicts_of
from worker.protocol import Backend, Form, Job, Stage, Verdict
from worker.queue import JobQueue
from worker.queue.streams import LEASE_S

AFTER_S = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
STAGES = {
    "broker": (Stage.COMPILING, Stage.CHECKING, Stage.TIMING, Stage.DIAGNOSING),
    "worker": (Stage.CHECKING, Stage.TIMING),
}
"""In which each victim is killed; its next process takes the job a lease later."""

FREE_SECONDS = 10.0


async def kills(bench: Bench) -> dict[str, Any]:
    """Of the runner or the referee, while this judge waits for them."""
    before = gpu_memory_mib()
    rows = [await _kill(bench, victim, after_s) for victim in ("runner", "referee") for after_s in AFTER_S]
    await asyncio.sleep(2.0)
    return {
        "stages": rows,
        "memory_mib_before": before,
        "memory_mib_after": gpu_memory_mib(),
        "processes": processes(),
    }


async def _kill(bench: Bench, victim: str, after_s: float) -> dict[str, Any]:
    gpu: Any = bench.tools.gpu
    job = asyncio.create_task(bench.verdict("reduce_sum", fresh(read(SLOW))))
    while not bench.lock.locked() and not job.done():  # noqa: ASYNC110  # the lock has no event to wait for
        await asyncio.sleep(0.001)
    await asyncio.sleep(after_s)
    pids = [pid for pid in ([gpu.referee.pid] if victim == "referee" else list(gpu.working)) if pid]
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    (ended,) = await asyncio.gather(job, return_exceptions=True)
    said = ended.verdict.value if isinstance(ended, Verdict) else repr(ended)
    honest = await bench.honest()
    return {
        "victim": victim,
        "after_s": after_s,
        "killed": len(pids),
        "ended": said,
        "next": honest.verdict.value,
    }


async def worker_kills(bench: Bench) -> dict[str, Any]:
    """Of whole judges beside this one, in the middle of their timing: nothing of theirs stays on the card."""
    before, rows = processes(), []
    with tempfile.TemporaryDirectory() as out:
        others = [await _other_judge(bench, Path(out) / str(number)) for number in range(3)]
        for number, other in enumerate(others):
            await asyncio.sleep(6.0 if number == 0 else 0.7)
            rows.append({"before": before, "during": processes(), "had_ended": other.returncode is not None})
            with contextlib.suppress(ProcessLookupError):
                other.kill()
            await other.wait()
    free_after_s = await _until(lambda: processes() <= before)
    return {"stages": rows, "processes_after": processes(), "free_after_s": free_after_s}


async def _other_judge(bench: Bench, out: Path) -> asyncio.subprocess.Process:
    script, data = str(ROOT / "bench" / "gpu_judge.py"), str(bench.tools.config.data_dir)
    return await asyncio.create_subprocess_exec(
        sys.executable, script, "--only", "busy", "--out", str(out), "--data", data, stdout=asyncio.subprocess.DEVNULL
    )


async def broker_kills(bench: Bench) -> dict[str, Any]:
    """Of the broker, and of the worker process itself, in each stage of a job that runs on the card."""
    if shutil.which("redis-server") is None:
        return {"skipped": "no redis-server on this machine"}
    before, rows = processes(), []
    with tempfile.TemporaryDirectory() as folder:
        environ = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        environ["WARPMATE_DATA_DIR"] = str(bench.tools.config.data_dir)
        for victim, stages in STAGES.items():
            async with own_broker(Path(folder) / victim) as broker, streams(broker.url, "warpmate", LEASE_S) as queue:
                environ["WARPMATE_REDIS_URL"] = broker.url
                async with Survived(broker, lambda: worker_process(**environ)) as survived:
                    rows += [await _survives(queue, survived, victim, stage) for stage in stages]
    free_after_s = await _until(lambda: processes() <= before)
    bad = [f"{row['victim']} {row['stage']}" for row in rows if row["verdicts"] != ["accepted"]]
    return {"not_one_verdict": bad, "stages": rows, "processes_after": processes(), "free_after_s": free_after_s}


async def _survives(queue: JobQueue, survived: Survived, victim: str, stage: Stage) -> dict[str, Any]:
    job = Job(f"{victim}-{stage}", Form.KERNEL, fresh(read(SLOW)), "reduce_sum", Backend.GPU)
    started = time.monotonic()
    try:
        verdicts = await verdicts_of(job, queue, stage, getattr(survived, f"kill_{victim}"))
    except TimeoutError:
        verdicts = []
    return {"victim": victim, "stage": stage, "verdicts": verdicts, "seconds": round(time.monotonic() - started, 2)}


async def _until(holds: Callable[[], bool]) -> float | None:
    """After how long; None when it did not come to pass."""
    started = time.monotonic()
    while not await asyncio.to_thread(holds):
        if time.monotonic() - started > FREE_SECONDS:
            return None
        await asyncio.sleep(0.2)
    return round(time.monotonic() - started, 2)


def gpu_memory_mib() -> int:
    return int(_smi("--query-gpu=memory.used").split()[0])


def processes() -> int:
    return len(_smi("--query-compute-apps=pid").split())


def _smi(query: str) -> str:
    command = ["nvidia-smi", query, "--format=csv,noheader,nounits"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
