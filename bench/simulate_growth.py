"""Growth by simulation: what a number of guilds asks and hands in within an hour, over so many sites and workers.

    python bench/simulate_growth.py [--guilds 1000 --sites 2 --workers 4] [--check]

Events in time order, arrivals by chance (seeded) at the rates of docs/scaling.md, costs that `bench/` measured.
`--check` holds it against the small cases that bench/worker_scaling.py measured.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")
MEASURED = RESULTS / "worker_scaling.jsonl"


@dataclass(frozen=True)
class Costs:
    """Seconds of one processor core, or of one worker."""

    ask_s: float = 0.1825
    """p50_cpu_ms of ask_speed.json."""
    page_s: float = 0.0064
    """processor_ms_a_request of site_members.json."""
    judge_s: float = 0.1971
    """median_ms of judge_latency.jsonl, on the emulator."""
    queue_s: float = 0.005
    """From put to verdict without any judging: idle_p50_ms of job_queue.jsonl."""


@dataclass(frozen=True)
class Rates:
    """What a guild does in its busiest hour."""

    asks: float = 6.0
    submissions: float = 4.0
    pages: float = 60.0


@dataclass(frozen=True)
class Told:
    served: int
    busy: float
    """The share of time that a server of this kind works."""
    p50_s: float
    p95_s: float
    per_s: float


def line(arrivals: Sequence[float], service_s: Sequence[float], servers: int) -> Told:
    """One line before servers alike: who comes first is served first, by whoever is free first."""
    free = [0.0] * servers
    heapq.heapify(free)
    took, ended = [], 0.0
    for arrived, needed in zip(arrivals, service_s, strict=True):
        done = max(arrived, heapq.heappop(free)) + needed
        heapq.heappush(free, done)
        took.append(done - arrived)
        ended = max(ended, done)
    began = arrivals[0]
    cuts = statistics.quantiles(took, n=20) if len(took) > 1 else took * 20
    return Told(len(took), sum(service_s) / servers / (ended - began), cuts[9], cuts[-1], len(took) / (ended - began))


def backlog(jobs: int, workers: int, each_s: float) -> Told:
    """Everything handed in at once: the case that is measured."""
    return line([0.0] * jobs, [each_s] * jobs, workers)


def hour(guilds: int, sites: int, workers: int, costs: Costs, rates: Rates, seed: int = 20) -> dict[str, Told]:
    """A busiest hour. A site is one core that answers; spread of the costs as measured, p95 at some 1.6 times p50."""
    rng = random.Random(seed)

    def arriving(per_hour: float) -> list[float]:
        times, at = [], 0.0
        while (at := at + rng.expovariate(per_hour / 3600)) < 3600:
            times.append(at)
        return times

    def spread(median_s: float) -> float:
        return median_s * rng.lognormvariate(0.0, 0.29)

    faces = sorted(
        [(at, spread(costs.ask_s)) for at in arriving(guilds * rates.asks)]
        + [(at, spread(costs.page_s)) for at in arriving(guilds * rates.pages)]
    )
    jobs = arriving(guilds * rates.submissions)
    return {
        "faces": line([at for at, _ in faces], [needed for _, needed in faces], sites),
        "workers": line(jobs, [spread(costs.judge_s) + costs.queue_s for _ in jobs], workers),
    }


def measured() -> dict[str, Any]:
    newest = MEASURED.read_text(encoding="utf-8").splitlines()[-1]
    found: dict[str, Any] = json.loads(newest)
    return found


def compared(case: dict[str, Any]) -> dict[int, tuple[float, float]]:
    """Jobs a second, simulated and measured, for each number of workers; only the lone job's overhead is given."""
    each_s = case["sleep_s"] + case["overhead_p50_ms"] / 1000
    return {
        int(workers): (backlog(case["jobs"] * int(workers) // 4, int(workers), each_s).per_s, per_s)
        for workers, per_s in case["jobs_per_s"].items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--guilds", type=int, default=1000)
    parser.add_argument("--sites", type=int, default=2)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--check", action="store_true", help="against what was measured")
    options = parser.parse_args()
    if options.check:
        for workers, (simulated, seen) in compared(measured()).items():
            print(f"{workers} workers: {simulated:.1f} jobs a second simulated, {seen:.1f} measured")
        return
    found = hour(options.guilds, options.sites, options.workers, Costs(), Rates())
    for what, told in found.items():
        print(f"{what}: {told.served} served, {told.busy:.0%} busy, p50 {told.p50_s:.3f} s, p95 {told.p95_s:.3f} s")


if __name__ == "__main__":
    main()
