"""How long is a submission's way through the judge without a GPU? New source each time, children warm.

Run alone: python bench/judge_latency.py [--runs 5] [--only PROBLEM ...]. Every right solution of every problem, from
the job to its verdict, compiling included; then how soon a compile-only job and an endless loop end. Adds a line to
bench/results/judge_latency.jsonl. Busy machines are slow: the load is part of the record.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from record import record

from worker.config import WorkerConfig
from worker.judge import Tools, judge, open_tools
from worker.protocol import Backend, Form, Job, Stage

ROOT = Path(__file__).parents[1]
PROBLEMS = ROOT / "content/problems"
AIM_MS = 500.0
PAUSE_S = 1.0
"""Between jobs, as between members: the next children warm up."""


async def _silent(stage: Stage) -> None:
    """Nobody listens."""


def median_ms(tools: Tools, solution: Path, backend: Backend, runs: int) -> float:
    source, problem, spent_ms = solution.read_text(encoding="utf-8"), solution.parts[-4], []
    for run in range(runs):
        time.sleep(PAUSE_S)
        job = Job(f"run{run}", Form.KERNEL, f"{source}\n// {time.time_ns()}\n", problem, backend)
        started = time.perf_counter()
        asyncio.run(judge(job, tools, _silent))
        spent_ms.append((time.perf_counter() - started) * 1e3)
    return round(statistics.median(spent_ms), 1)


def measure(tools: Tools, problems: list[str], runs: int) -> dict[str, float]:
    """Median milliseconds by problem and solution."""
    found = {}
    for problem in problems:
        for solution in sorted((PROBLEMS / problem / "solutions/right").glob("*.cu")):
            name = f"{problem}/{solution.stem}"
            found[name] = median_ms(tools, solution, Backend.EMULATOR, runs)
            print(f"{found[name]:8.0f} ms  {name}", flush=True)
    return found


def typical(whole: Mapping[str, float]) -> dict[str, int]:
    """Of each problem, the median of its solutions."""
    spent_ms = defaultdict(list)
    for name, spent in whole.items():
        spent_ms[name.split("/")[0]].append(spent)
    return {problem: round(statistics.median(spent)) for problem, spent in spent_ms.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="PROBLEM")
    chosen = parser.parse_args()
    problems = chosen.only or sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))
    beginner = PROBLEMS / "vector_add/solutions"
    with tempfile.TemporaryDirectory() as data:
        config = WorkerConfig(content_dir=ROOT / "content", data_dir=Path(data))
        with open_tools(config) as tools:
            whole = measure(tools, problems, chosen.runs)
            compile_only = median_ms(tools, beginner / "right/simple.cu", Backend.COMPILE, chosen.runs)
            endless = median_ms(tools, beginner / "wrong/endless_loop.cu", Backend.EMULATOR, chosen.runs)
    result = {
        "runs": chosen.runs,
        "solutions": len(whole),
        "median_ms": round(statistics.median(whole.values()), 1),
        f"within_{AIM_MS:.0f}_ms": sum(spent <= AIM_MS for spent in whole.values()),
        "by_problem_ms": typical(whole),
        "compile_only_ms": compile_only,
        "endless_loop_ms": endless,
    }
    for name, value in result.items():
        print(f"{name}: {value}")
    record("judge_latency", {**result, "by_solution_ms": whole})


if __name__ == "__main__":
    main()
