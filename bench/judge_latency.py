"""How long is a submission's way through the judge without a GPU? New source each time, children warm.

Run alone: python bench/judge_latency.py [--runs 20]. Writes bench/results/judge_latency.json and keeps what it said
before under "earlier", so that a change can be seen. Busy machines are slow: the load is part of the record.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from worker.config import WorkerConfig
from worker.judge import Tools, judge, open_tools
from worker.protocol import Backend, Form, Job, Stage

ROOT = Path(__file__).parents[1]

CASES = {
    "compile only, vector_add": ("vector_add", "simple", Backend.COMPILE),
    "emulator, vector_add": ("vector_add", "simple", Backend.EMULATOR),
    "emulator, reduce_sum": ("reduce_sum", "two_pass", Backend.EMULATOR),
    "emulator, softmax": ("softmax", "row_in_registers", Backend.EMULATOR),
    "emulator, inclusive_scan": ("inclusive_scan", "look_back", Backend.EMULATOR),
    "emulator, matmul": ("matmul", "register_tiles", Backend.EMULATOR),
    "emulator, endless loop": ("vector_add", "endless_loop", Backend.EMULATOR),
}


async def _silent(stage: Stage) -> None:
    """Nobody listens."""


async def measure(tools: Tools, problem: str, source: str, backend: Backend, runs: int) -> list[float]:
    """Milliseconds from job to verdict. A pause between jobs lets the next children warm up, as between members."""
    spent_ms = []
    for run in range(runs):
        await asyncio.sleep(1.0)
        job = Job(f"run{run}", Form.KERNEL, f"{source}\n// {time.time_ns()}\n", problem, backend)
        started = time.perf_counter()
        await judge(job, tools, _silent)
        spent_ms.append((time.perf_counter() - started) * 1e3)
    return spent_ms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        config = WorkerConfig(content_dir=ROOT / "content", data_dir=Path(folder))
        with open_tools(config) as tools:
            for name, (problem, solution, backend) in CASES.items():
                (path,) = (ROOT / "content/problems" / problem / "solutions").glob(f"*/{solution}.cu")
                source = path.read_text(encoding="utf-8")
                spent_ms = sorted(asyncio.run(measure(tools, problem, source, backend, runs)))
                p95_ms = spent_ms[min(runs - 1, int(runs * 0.95))]
                results[name] = {
                    "p50_ms": round(statistics.median(spent_ms), 1),
                    "p95_ms": round(p95_ms, 1),
                    "runs": runs,
                }
                print(f"{name:28} p50 {results[name]['p50_ms']:8.1f} ms   p95 {results[name]['p95_ms']:8.1f} ms")
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"machine: {platform.machine()}, {cores} cores, load {load:.1f}")
    record: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": {
            "arch": platform.machine(),
            "cores": cores,
            "load": round(load, 1),
            "python": platform.python_version(),
        },
        "results": results,
    }
    path = ROOT / "bench/results/judge_latency.json"
    path.parent.mkdir(exist_ok=True)
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        record["earlier"] = [*before.pop("earlier", []), before]
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
