"""How long is a submission's way through the judge without a GPU? New source each time, children warm.

Run alone: python bench/judge_latency.py [--runs 5] [--only PROBLEM ...] [--language triton] [--back-to-back]. Every
right solution of every problem, from the job to its verdict, compiling included; then, of CUDA, how soon a
compile-only job and an endless loop end. `--back-to-back` measures each once more without a pause between its jobs,
as in a class, and how many verdicts of vector_add there are in a second. Adds a line to
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
BEGINNER = PROBLEMS / "vector_add/solutions"
PAUSE_S = 1.0
"""Between jobs, as between members: the next children warm up."""
SUFFIX = {"cuda": ".cu", "triton": ".py"}
COMMENT = {".cu": "//", ".py": "#"}
SIMPLEST = {"cuda": BEGINNER / "right/simple.cu", "triton": BEGINNER / "right/block_per_program.py"}
BURST = 20
"""Jobs of vector_add, one right after the other."""


async def _silent(stage: Stage) -> None:
    """Nobody listens."""


def each_ms(tools: Tools, solution: Path, backend: Backend, runs: int, pause_s: float = PAUSE_S) -> list[float]:
    source, problem, spent_ms = solution.read_text(encoding="utf-8"), solution.parts[-4], []
    for run in range(runs):
        time.sleep(pause_s)
        new = f"{source}\n{COMMENT[solution.suffix]} {time.time_ns()}\n"
        job = Job(f"run{run}", Form.KERNEL, new, problem, backend)
        started = time.perf_counter()
        asyncio.run(judge(job, tools, _silent))
        spent_ms.append((time.perf_counter() - started) * 1e3)
    return spent_ms


def median_ms(tools: Tools, solution: Path, backend: Backend, runs: int, pause_s: float = PAUSE_S) -> float:
    return round(statistics.median(each_ms(tools, solution, backend, runs, pause_s)), 1)


def measure(
    tools: Tools, problems: list[str], language: str, runs: int, pause_s: float = PAUSE_S
) -> dict[str, float]:
    """Median milliseconds by problem and solution."""
    found = {}
    for problem in problems:
        for solution in sorted((PROBLEMS / problem / "solutions/right").glob(f"*{SUFFIX[language]}")):
            name = f"{problem}/{solution.stem}"
            found[name] = median_ms(tools, solution, Backend.EMULATOR, runs, pause_s)
            print(f"{found[name]:8.0f} ms  {name}", flush=True)
    return found


def typical(whole: Mapping[str, float]) -> dict[str, int]:
    """Of each problem, the median of its solutions."""
    spent_ms = defaultdict(list)
    for name, spent in whole.items():
        spent_ms[name.split("/")[0]].append(spent)
    return {problem: round(statistics.median(spent)) for problem, spent in spent_ms.items()}


def back_to_back(tools: Tools, problems: list[str], language: str, runs: int) -> dict[str, object]:
    """The same without pauses, and the rate of a burst of the simplest problem."""
    whole = measure(tools, problems, language, runs, pause_s=0.0)
    burst = each_ms(tools, SIMPLEST[language], Backend.EMULATOR, BURST, 0.0)
    return {
        "back_to_back_median_ms": round(statistics.median(whole.values()), 1),
        "back_to_back_worst_ms": max(whole.values()),
        "back_to_back_by_problem_ms": typical(whole),
        "vector_add_per_second": round(len(burst) / sum(burst) * 1e3, 1),
    }


def other_ends(tools: Tools, runs: int) -> dict[str, float]:
    """Of what does not run to its end."""
    return {
        "compile_only_ms": median_ms(tools, BEGINNER / "right/simple.cu", Backend.COMPILE, runs),
        "endless_loop_ms": median_ms(tools, BEGINNER / "wrong/endless_loop.cu", Backend.EMULATOR, runs),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="PROBLEM")
    parser.add_argument("--language", choices=list(SUFFIX), default="cuda")
    parser.add_argument("--back-to-back", action="store_true", help="each once more, without a pause between jobs")
    chosen = parser.parse_args()
    problems = chosen.only or sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))
    with tempfile.TemporaryDirectory() as data:
        config = WorkerConfig(content_dir=ROOT / "content", data_dir=Path(data))
        with open_tools(config) as tools:
            if tools.triton and chosen.language == "triton":
                tools.triton.warm()
            whole = measure(tools, problems, chosen.language, chosen.runs)
            ends = other_ends(tools, chosen.runs) if chosen.language == "cuda" else {}
            at_once = back_to_back(tools, problems, chosen.language, chosen.runs) if chosen.back_to_back else {}
    result = {
        "language": chosen.language,
        "runs": chosen.runs,
        "solutions": len(whole),
        "median_ms": round(statistics.median(whole.values()), 1),
        "worst_ms": max(whole.values()),
        f"within_{AIM_MS:.0f}_ms": sum(spent <= AIM_MS for spent in whole.values()),
        "by_problem_ms": typical(whole),
        **ends,
        **at_once,
    }
    for name, value in result.items():
        print(f"{name}: {value}")
    record("judge_latency", {**result, "by_solution_ms": whole})


if __name__ == "__main__":
    main()
