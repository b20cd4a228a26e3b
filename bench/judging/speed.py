"""How long verdicts take, alone and under load, and whether the times in them are true."""

from __future__ import annotations

import asyncio
import csv
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.judging.subject import FASTEST, PROBLEMS, ROOT, Bench, fresh, read
from worker.judge.executor import JudgeExecutor
from worker.protocol import Form, Job, Kind, Verdict
from worker.queue.memory import MemoryQueue
from worker.service import Settings, Worker

RUNS = 20
FAILING_RUNS = 10
MEMBERS, EACH = 5, 8
PAUSE_S = 0.8
"""A member is not at once followed by the next: everything is warm again."""

PROFILED = ("vector_add", "transpose", "sigmoid")
NCU_SECONDS = 60.0


async def latency(bench: Bench) -> dict[str, Any]:
    """From the job in hand to its verdict, and how far the times of one kernel differ over fresh jobs."""
    seconds, stages, timings = [], [], []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        verdict = await bench.verdict("vector_add", fresh(read(FASTEST)))
        assert verdict.timing, verdict
        seconds.append(time.perf_counter() - started)
        stages.append(verdict.stages_ms)
        timings.append(verdict.timing[0])
        await asyncio.sleep(PAUSE_S)
    del seconds[0], stages[0], timings[0]
    medians = [timing.median_us for timing in timings]
    middle = statistics.median(medians)
    return {
        "runs": RUNS,
        "p50_s": statistics.median(seconds),
        "p95_s": sorted(seconds)[-2],
        "stages_ms": {name: statistics.median(stage.get(name, 0.0) for stage in stages) for name in stages[0]},
        "kernel_median_us": middle,
        "kernel_lowest_us": min(medians),
        "kernel_highest_us": max(medians),
        "kernel_spread": (max(medians) - min(medians)) / middle,
        "kernel_spread_within_a_job": statistics.median(
            (timing.p90_us - timing.p10_us) / timing.median_us for timing in timings
        ),
    }


async def failing_latency(bench: Bench) -> dict[str, Any]:
    """The same for a kernel that fails and is explained."""
    source = read(PROBLEMS / "vector_add/solutions/wrong/no_bounds_check.cu")
    seconds = []
    for _ in range(FAILING_RUNS):
        started = time.perf_counter()
        verdict = await bench.verdict("vector_add", fresh(source))
        assert verdict.findings, verdict
        seconds.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE_S / 2)
    return {"runs": len(seconds), "p50_s": statistics.median(seconds), "worst_s": max(seconds)}


async def load(bench: Bench) -> dict[str, Any]:
    """40 submissions of 5 members through the queue and a worker; the place that each was told was true."""
    queue, stop = MemoryQueue(), asyncio.Event()
    worker = Worker(queue, JudgeExecutor(bench.tools), Settings(name="bench", consumers=4))
    finished: list[tuple[str, float, str]] = []
    started = time.perf_counter()

    async def listen() -> None:
        async for report in queue.reports():
            if isinstance(report.body, Verdict):
                now = time.perf_counter() - started
                finished.append((report.body.submission, now, report.body.verdict.value))
                await queue.settle(report)
                if len(finished) == MEMBERS * EACH:
                    return

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0)
    for number in range(EACH):
        for member in range(MEMBERS):
            text = fresh(f"{read(FASTEST)}// {member} {number}")
            await queue.put(Job(f"m{member}-{number}", Form.KERNEL, text, "vector_add", queued_by=f"m{member}"))
    places = {name: await queue.position(name) for name in (f"m{m}-{n}" for m in range(MEMBERS) for n in range(EACH))}
    running = asyncio.create_task(worker.run(stop))
    await asyncio.wait_for(listening, 120)
    stop.set()
    await running
    moved = [abs(at - (places[name] or 0)) for at, (name, _, _) in enumerate(finished)]
    return {
        "submissions": len(finished),
        "seconds": finished[-1][1],
        "verdicts": Counter(verdict for _, _, verdict in finished),
        "done_at_half_by_member": Counter(name.split("-")[0] for name, _, _ in finished[: MEMBERS * EACH // 2]),
        "furthest_from_the_place_told": max(moved),
    }


async def profiler(bench: Bench) -> dict[str, Any]:
    """Our median against what ncu says of the same kernel."""
    if shutil.which("ncu") is None:
        return {"skipped": "no ncu on this machine"}
    rows = []
    for slug in PROFILED:
        path = bench.tools.problems[slug].solutions("right")[0]
        timing = (await bench.verdict(slug, read(path))).timing
        assert timing
        ncu_us, said = await asyncio.to_thread(_profiled_us, slug, path)
        row = {"kernel": f"{slug}/{path.stem}", "ours_us": timing[0].median_us, "ncu_us": ncu_us}
        rows.append({**row, "ratio": timing[0].median_us / ncu_us} if ncu_us else {**row, "said": said})
    return {"kernels": rows}


def _profiled_us(slug: str, path: Path) -> tuple[float | None, str]:
    """The median of the kernel's durations, and what ncu said if there was none."""
    command = ["ncu", "--clock-control", "none", "--metrics", "gpu__time_duration.sum", "--csv"]
    command += [sys.executable, str(ROOT / "bench" / "gpu_profiled.py"), slug, str(path)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=NCU_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"ncu needed more than {NCU_SECONDS:.0f} s"
    lines = [line for line in ran.stdout.splitlines() if line.startswith('"')]
    scale = {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3}
    rows = list(csv.DictReader(lines))
    times = [float(row["Metric Value"].replace(",", "")) * scale[row["Metric Unit"]] for row in rows]
    return (statistics.median(times), "") if times else (None, (ran.stdout + ran.stderr)[-600:])


async def busy(bench: Bench) -> dict[str, Any]:
    """Nothing to record: what `worker_kills` kills in the middle of its work."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert (await bench.honest()).verdict is Kind.ACCEPTED
    return {}
