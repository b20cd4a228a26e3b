"""What the judge does on a real card, from submissions to verdicts; records bench/results/gpu-judge.json and .md.

Run on a GPU machine from the repository root: `python bench/gpu_judge.py [--only PART ...] [--out FOLDER]`. Parts:
solutions (every right and wrong one, three times), repeats (one kernel in fresh jobs), profiler (against ncu),
latency (submission to verdict), load (40 submissions of 5 members), cheats, kills and worker_kills
(SIGKILL in every stage).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import datetime
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.gpu.cheats import CHEATS, Cheat  # noqa: E402
from tests.gpu_results import fingerprint  # noqa: E402
from worker.config import WorkerConfig  # noqa: E402
from worker.errors import WorkerError  # noqa: E402
from worker.judge import Tools, judge, open_tools  # noqa: E402
from worker.judge.executor import JudgeExecutor  # noqa: E402
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict  # noqa: E402
from worker.queue.memory import MemoryQueue  # noqa: E402
from worker.service import Settings, Worker  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "3"))
REPEATS = 20
LATENCY_RUNS = 20
MEMBERS, EACH = 5, 8
FASTEST = "vector_add/solutions/right/simple.cu"
PROBLEMS = ROOT / "content" / "problems"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def silent(stage: Stage) -> None: ...


@dataclass(frozen=True)
class Bench:
    tools: Tools
    lock: asyncio.Lock

    @asynccontextmanager
    async def card(self) -> AsyncIterator[None]:
        async with self.lock:
            yield

    async def verdict(self, slug: str, source: str, form: Form = Form.KERNEL) -> Verdict:
        """As a worker would judge it, the card shared with whatever else runs."""
        job = Job("bench", form, source, slug or None, Backend.GPU if form is Form.KERNEL else Backend.AUTO)
        try:
            return await judge(job, self.tools, silent, self.card)
        except WorkerError as error:  # as worker.service does
            kind = Kind.INFRASTRUCTURE_ERROR
            return Verdict("bench", form, slug or None, Backend.GPU, kind, output=str(error))


async def all_solutions(bench: Bench) -> dict[str, Any]:
    """Every right solution accepted, every wrong one with its stated verdict, in each round."""
    gate, surprises, rows = asyncio.Semaphore(8), list[str](), dict[str, Any]()

    async def one(path: Path, expected: str) -> None:
        slug = path.parents[2].name
        async with gate:
            verdict = await bench.verdict(slug, read(path))
        name = f"{slug}/{path.parent.name}/{path.stem}"
        row = rows.setdefault(name, {"expected": expected, "verdicts": [], "score": [], "median_us": []})
        row["verdicts"].append(verdict.verdict.value)
        if verdict.timing:
            row["score"].append(verdict.score)
            row["median_us"].append([timing.median_us for timing in verdict.timing])
        if verdict.verdict.value != expected:
            said = [finding.message["en"] for finding in verdict.findings][:2]
            wrong = [asdict(case) for case in verdict.cases if not case.ok][:1]
            surprises.append(
                f"{name}: expected {expected}, got {verdict.verdict.value} {said} {wrong} {verdict.output}"
            )

    for _ in range(ROUNDS):
        jobs = []
        for problem in bench.tools.problems.values():
            jobs += [one(path, "accepted") for path in problem.solutions("right")]
            jobs += [one(path, stated_verdict(path)) for path in problem.solutions("wrong")]
        await asyncio.gather(*jobs)
    return {"solutions": len(rows), "rounds": ROUNDS, "surprises": sorted(set(surprises)), "rows": rows}


def stated_verdict(path: Path) -> str:
    found = re.match(r"//\s*verdict:\s*(\w+)", path.read_text(encoding="utf-8"))
    return found[1] if found else "none stated"


async def repeats(bench: Bench) -> dict[str, Any]:
    """One kernel in fresh jobs: how far do the medians differ?"""
    source = read(PROBLEMS / FASTEST)
    medians, within = [], []
    for _ in range(REPEATS):
        timing = (await bench.verdict("vector_add", source)).timing
        assert timing
        medians.append(timing[0].median_us)
        within.append((timing[0].p90_us - timing[0].p10_us) / timing[0].median_us)
    middle = statistics.median(medians)
    return {
        "jobs": REPEATS,
        "median_us": middle,
        "lowest_us": min(medians),
        "highest_us": max(medians),
        "spread": (max(medians) - min(medians)) / middle,
        "median_spread_within_a_job": statistics.median(within),
    }


async def latency(bench: Bench) -> dict[str, Any]:
    """From the job in hand to its verdict; each source is new, so each is compiled."""
    source = read(PROBLEMS / FASTEST)
    seconds, stages = [], []
    for number in range(LATENCY_RUNS + 1):
        started = time.perf_counter()
        verdict = await bench.verdict("vector_add", f"{source}\n// {time.time_ns()} {number}\n")
        assert verdict.verdict is Kind.ACCEPTED, verdict
        seconds.append(time.perf_counter() - started)
        stages.append(verdict.stages_ms)
        await asyncio.sleep(1.0)  # a member is not at once followed by the next: everything is warm again
    del seconds[0], stages[0]
    ordered = sorted(seconds)
    typical = {name: statistics.median(stage.get(name, 0.0) for stage in stages) for name in stages[0]}
    return {"runs": len(ordered), "p50_s": statistics.median(ordered), "p95_s": ordered[-2], "stages_ms": typical}


async def failing_latency(bench: Bench) -> dict[str, Any]:
    """The same for a kernel that fails and is explained."""
    source = (PROBLEMS / "vector_add/solutions/wrong/no_bounds_check.cu").read_text(encoding="utf-8")
    seconds = []
    for number in range(10):
        started = time.perf_counter()
        verdict = await bench.verdict("vector_add", f"{source}\n// {time.time_ns()} {number}\n")
        assert verdict.findings, verdict
        seconds.append(time.perf_counter() - started)
        await asyncio.sleep(0.5)
    return {"runs": len(seconds), "p50_s": statistics.median(seconds), "worst_s": max(seconds)}


async def load(bench: Bench) -> dict[str, Any]:
    """40 submissions of 5 members through the queue and a worker."""
    source = read(PROBLEMS / FASTEST)
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
            text = f"{source}\n// {member} {number} {time.time_ns()}\n"
            await queue.put(Job(f"m{member}-{number}", Form.KERNEL, text, "vector_add", queued_by=f"m{member}"))
    running = asyncio.create_task(worker.run(stop))
    await asyncio.wait_for(listening, 120)
    stop.set()
    await running
    halfway = Counter(name.split("-")[0] for name, _, _ in finished[: MEMBERS * EACH // 2])
    return {
        "submissions": len(finished),
        "seconds": finished[-1][1],
        "verdicts": Counter(verdict for _, _, verdict in finished),
        "done_at_half_by_member": halfway,
    }


async def cheats(bench: Bench) -> dict[str, Any]:
    """Every attack of tests/gpu/cheats: caught or without effect, and the card healthy after it."""
    rows = []
    for cheat in CHEATS:
        started = time.perf_counter()
        verdict = await bench.verdict(cheat.problem, cheat.source, cheat.form)
        honest = await bench.verdict("vector_add", read(PROBLEMS / FASTEST))
        rows.append(
            {
                "cheat": cheat.name,
                "source": cheat.cited,
                "verdict": verdict.verdict.value,
                "caught": caught(cheat, verdict),
                "seconds": round(time.perf_counter() - started, 2),
                "next_job": honest.verdict.value,
                "why": [finding.message["en"] for finding in verdict.findings][:1],
                "output": verdict.output[:80],
                "score": verdict.score,
            }
        )
    bad = [row["cheat"] for row in rows if not row["caught"] or row["next_job"] != "accepted"]
    return {"attacks": len(rows), "not_caught": bad, "rows": rows}


def caught(cheat: Cheat, verdict: Verdict) -> bool:
    """Not accepted, or accepted at an honest speed where the attack had no effect."""
    if verdict.verdict.value not in cheat.allowed:
        return False
    return verdict.score is None or verdict.score <= cheat.best_score


async def kills(bench: Bench) -> dict[str, Any]:
    """SIGKILL of runner or referee in each stage: one verdict or one error of ours, and the card free after it."""
    slow = (PROBLEMS / "reduce_sum/solutions/right/one_block.cu").read_text(encoding="utf-8")
    before, rows = gpu_memory_mib(), []
    gpu: Any = bench.tools.gpu
    for victim in ("runner", "referee"):
        for after_s in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
            job = asyncio.create_task(bench.verdict("reduce_sum", f"{slow}// {time.time_ns()}"))
            while not bench.lock.locked() and not job.done():  # noqa: ASYNC110  # the lock has no event to wait for
                await asyncio.sleep(0.001)
            await asyncio.sleep(after_s)
            pids = [gpu.referee.pid] if victim == "referee" else list(gpu.working)
            for pid in filter(None, pids):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            (ended,) = await asyncio.gather(job, return_exceptions=True)
            said = ended.verdict.value if isinstance(ended, Verdict) else repr(ended)
            honest = await bench.verdict("vector_add", read(PROBLEMS / FASTEST))
            rows.append(
                {
                    "victim": victim,
                    "after_s": after_s,
                    "killed": len(pids),
                    "ended": said,
                    "next": honest.verdict.value,
                }
            )
    await asyncio.sleep(2.0)
    return {
        "stages": rows,
        "memory_mib_before": before,
        "memory_mib_after": gpu_memory_mib(),
        "processes": processes(),
    }


async def worker_kills(bench: Bench) -> dict[str, Any]:
    """SIGKILL of a whole judge beside this one, in the middle of its timing: nothing of it stays on the card."""
    rows = []
    for after_s in (5.0, 6.0, 7.0):
        before = processes()
        with tempfile.TemporaryDirectory() as out:
            command = [sys.executable, str(Path(__file__)), "--only", "repeats", "--out", out]
            other = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
            await asyncio.sleep(after_s)
            during = processes()
            other.kill()
            await other.wait()
        await asyncio.sleep(3.0)
        rows.append({"after_s": after_s, "before": before, "during": during, "processes_after": processes()})
    return {"stages": rows}


def gpu_memory_mib() -> int:
    return int(smi("--query-gpu=memory.used").split()[0])


def processes() -> int:
    return len(smi("--query-compute-apps=pid").split())


def smi(query: str) -> str:
    command = ["nvidia-smi", query, "--format=csv,noheader,nounits"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


async def profiler(bench: Bench) -> dict[str, Any]:
    """Our median against what ncu says of the same kernel."""
    if shutil.which("ncu") is None:
        return {"skipped": "no ncu on this machine"}
    rows = []
    for slug in ("vector_add", "transpose", "sigmoid"):
        path = bench.tools.problems[slug].solutions("right")[0]
        timing = (await bench.verdict(slug, read(path))).timing
        assert timing
        ncu_us, said = await asyncio.to_thread(profiled_us, slug, path)
        row = {"kernel": f"{slug}/{path.stem}", "ours_us": timing[0].median_us, "ncu_us": ncu_us}
        rows.append({**row, "ratio": timing[0].median_us / ncu_us} if ncu_us else {**row, "said": said})
    return {"kernels": rows}


def profiled_us(slug: str, path: Path) -> tuple[float | None, str]:
    """The median of the kernel's durations, and what ncu said if there was none."""
    command = ["ncu", "--clock-control", "none", "--metrics", "gpu__time_duration.sum", "--csv"]
    command += [sys.executable, str(ROOT / "bench" / "gpu_profiled.py"), slug, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith('"')]
    scale = {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3}
    rows = list(csv.DictReader(lines))
    times = [float(row["Metric Value"].replace(",", "")) * scale[row["Metric Unit"]] for row in rows]
    return (statistics.median(times), "") if times else (None, (ran.stdout + ran.stderr)[-600:])


PARTS: dict[str, Callable[[Bench], Awaitable[dict[str, Any]]]] = {
    "latency": latency,
    "failing_latency": failing_latency,
    "repeats": repeats,
    "load": load,
    "profiler": profiler,
    "cheats": cheats,
    "kills": kills,
    "worker_kills": worker_kills,
    "solutions": all_solutions,
}


async def run(parts: list[str], out: Path) -> int:
    with tempfile.TemporaryDirectory() as data:
        config = replace(WorkerConfig(), content_dir=ROOT / "content", data_dir=Path(data), programs=True)
        with open_tools(config, warm=4) as tools:
            if tools.gpu is None:
                print("no card on this machine, so there is nothing to measure")
                return 0
            results: dict[str, Any] = {
                "date": datetime.date.today().isoformat(),  # noqa: DTZ011  # the machine's day
                "card": asdict(tools.gpu.card),
                "peaks": dict(tools.gpu.peaks),
                "python": platform.python_version(),
                "fingerprint": fingerprint(),
                "parts": {},
            }
            print(json.dumps({"card": results["card"], "peaks": results["peaks"]}))
            for name in parts:
                started = time.perf_counter()
                results["parts"][name] = await PARTS[name](Bench(tools, asyncio.Lock()))
                brief = {k: v for k, v in results["parts"][name].items() if k != "rows"}
                print(f"== {name} ({time.perf_counter() - started:.1f} s): {json.dumps(brief)[:3000]}", flush=True)
                save(results, out)
    return 0


def save(results: dict[str, Any], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "gpu-judge.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (out / "gpu-judge.md").write_text("\n".join(report(results)) + "\n", encoding="utf-8")


def report(results: dict[str, Any]) -> Iterator[str]:
    """The figures in words, for a person."""
    card, parts = results["card"], results["parts"]
    yield "# The judge on a card\n"
    yield f"{card['name']} ({card['arch']}), driver {card['driver']}, {results['date']}, `python bench/gpu_judge.py`."
    yield f"Code: {results['fingerprint'][:16]} (sha256 over worker/ and content/problems/).\n"
    yield (
        "Measured peaks, GB/s and GFLOP/s: " + ", ".join(f"{k} {v:.0f}" for k, v in results["peaks"].items()) + ".\n"
    )
    for name, part in parts.items():
        yield f"## {name}\n"
        for key, value in part.items():
            if key not in {"rows", "stages", "kernels"}:
                yield f"- {key}: {json.dumps(value)}"
        for key in ("stages", "kernels"):
            yield from (f"- {json.dumps(row)}" for row in part.get(key, ()))
        yield from table(name, part.get("rows", ()))
        yield ""


def table(name: str, rows: Any) -> Iterator[str]:
    if name == "cheats":
        yield "\n| attack | cited | verdict | caught | next job | seconds |\n|---|---|---|---|---|---|"
        for row in rows:
            said = [row[key] for key in ("cheat", "source", "verdict", "caught", "next_job", "seconds")]
            yield "| " + " | ".join(map(str, said)) + " |"
    if name == "solutions":
        yield "\n| solution | verdicts | of attainable | median, us |\n|---|---|---|---|"
        for solution, row in sorted(rows.items()):
            score = statistics.median(row["score"]) if row["score"] and None not in row["score"] else ""
            times = " ".join(f"{statistics.median(shape):.1f}" for shape in zip(*row["median_us"], strict=True))
            yield f"| {solution} | {' '.join(sorted(set(row['verdicts'])))} | {score} | {times} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return asyncio.run(run(chosen.only, chosen.out))


if __name__ == "__main__":
    sys.exit(main())
