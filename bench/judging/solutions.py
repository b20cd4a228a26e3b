"""Every right solution accepted, every wrong one with its stated verdict, in each round."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from bench.judging.subject import Bench, read
from worker.judge import Tools
from worker.protocol import Verdict

ROUNDS = int(os.environ.get("ROUNDS", "3"))
AT_ONCE = 8


async def all_solutions(bench: Bench) -> dict[str, Any]:
    return await _judged(bench, ".cu", ROUNDS)


async def in_triton(bench: Bench) -> dict[str, Any]:
    """Triton's, once each; beside every problem's fastest the fastest in CUDA, in microseconds a shape."""
    found = await _judged(bench, ".py", 1)
    cuda = await _judged(replace(bench, tools=_only_right(bench.tools)), ".cu", 1)
    found["fastest"] = {
        slug: {"triton": _fastest(found["rows"], slug), "cuda": _fastest(cuda["rows"], slug)}
        for slug in sorted({name.partition("/")[0] for name in found["rows"]})
    }
    return found


def _only_right(tools: Tools) -> Tools:
    """The same tools over problems that have a solution in Triton."""
    suited = {slug: one for slug, one in tools.problems.items() if one.triton_starter_file}
    return replace(tools, problems=suited)


def _fastest(rows: dict[str, Any], slug: str) -> list[float]:
    times = [
        row["median_us"][0] for name, row in rows.items() if name.startswith(f"{slug}/right/") and row["median_us"]
    ]
    return min(times, key=sum, default=[])


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
