"""Every right solution accepted, every wrong one with its stated verdict, in each round."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import time
from pathlib import Path
from typing import Any

import msgspec

from bench.judging.subject import Bench, read
from worker.protocol import Verdict

ROUNDS = int(os.environ.get("ROUNDS", "3"))
AT_ONCE = 8


async def all_solutions(bench: Bench) -> dict[str, Any]:
    return await _judged(bench, ".cu", ROUNDS)


async def _judged(bench: Bench, suffix: str, rounds: int) -> dict[str, Any]:
    gate, surprises, rows = asyncio.Semaphore(AT_ONCE), list[str](), dict[str, Any]()

    async def one(path: Path, expected: str) -> None:
        slug = path.parents[2].name
        async with gate:
            if time.monotonic() > bench.stop_at:
                return
            verdict = await bench.verdict(slug, read(path))
        name = f"{slug}/{path.parent.name}/{path.stem}"
        row = rows.setdefault(name, {"expected": expected, "verdicts": [], "score": [], "median_us": []})
        row["verdicts"].append(verdict.verdict.value)
        if verdict.timing:
            row["score"].append(verdict.score)
            row["median_us"].append([timing.median_us for timing in verdict.timing])
        if verdict.verdict.value != expected:
            surprises.append(_surprise(name, expected, verdict))

    wanted = [
        (path, "accepted" if kind == "right" else stated_verdict(path))
        for problem in bench.tools.problems.values()
        for kind in ("right", "wrong")
        for path in problem.solutions(kind)
        if path.suffix == suffix
    ]
    for _ in range(rounds):
        await asyncio.gather(*(one(path, expected) for path, expected in wanted))
    judged = [len(row["verdicts"]) for row in rows.values()]
    return {
        "solutions": len(wanted),
        "rounds": rounds,
        "judged": sum(judged),
        "fewest_rounds_of_a_solution": min(judged) if len(judged) == len(wanted) else 0,
        "surprises": sorted(set(surprises)),
        "rows": rows,
    }


def _surprise(name: str, expected: str, verdict: Verdict) -> str:
    said = [finding.message["en"] for finding in verdict.findings][:2]
    wrong = [msgspec.to_builtins(case) for case in verdict.cases if not case.ok][:1]
    return f"{name}: expected {expected}, got {verdict.verdict.value} {said} {wrong} {verdict.output}"


def stated_verdict(path: Path) -> str:
    found = re.match(r"(?://|#)\s*verdict:\s*(\w+)", read(path))
    return found[1] if found else "none stated"


def median_us(row: dict[str, Any]) -> str:
    """Over the rounds, for each shape that all of them came to."""
    return " ".join(f"{statistics.median(shape):.1f}" for shape in zip(*row["median_us"], strict=False))
