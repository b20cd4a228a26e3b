"""Triton on the card: its solutions beside CUDA's fastest, its styles, and the same kernels outside of the judge.

Each verdict is printed as it comes. What was not judged when the time was up is counted, and the rest is kept.
"""

from __future__ import annotations

import asyncio
import dataclasses
import importlib.util
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.judging.solutions import AT_ONCE, stated_verdict
from bench.judging.subject import ROOT, Bench, read
from tests.triton_styles import ALL as STYLES
from tests.triton_styles import write_content
from worker.oracle import Oracle
from worker.problem import load_all
from worker.protocol import Backend, Form, Kind, Verdict

ALONE = (
    "hgemm/grouped",
    "hgemm/tiles",
    "matmul/grouped",
    "matmul/tiles",
    "flash_attention/one_pass",
    "flash_attention/wide_rows",
)
"""Right solutions, matrix products and attention, that are timed by Triton's own benchmark as well."""

LEAST_SHARE = 0.8
"""Of the speed that Triton's benchmark sees, in the judge's."""

ALONE_SECONDS = 60.0
VERDICT_SECONDS = 60.0
"""No verdict may take longer; one that does is told as such, and the others go on."""


async def in_triton(bench: Bench) -> dict[str, Any]:
    """Every solution in Triton, once; beside every problem's fastest the fastest in CUDA, in microseconds a shape."""
    files = _solutions(bench, ".py", ("right", "wrong"))
    rows = await _judged(bench, files)
    slugs = sorted({path.parents[2].name for path in files})
    cuda = await _judged(bench, _solutions(bench, ".cu", ("right",), slugs)) if _time_is_left(bench) else {}
    return {
        **_summary(files, rows),
        "fastest": {slug: {"triton": _fastest(rows, slug), "cuda": _fastest(cuda, slug)} for slug in slugs},
        "rows": rows,
    }


async def all_triton_styles(bench: Bench) -> dict[str, Any]:
    """The right kernels of tests/triton_styles, which bring problems of their own; small cases only."""
    with tempfile.TemporaryDirectory() as folder:
        problems = load_all(write_content(Path(folder)) / "problems")
        oracles = {slug: Oracle(problem) for slug, problem in problems.items()}
        tools = dataclasses.replace(bench.tools, problems=problems, oracles=oracles)
        rows = await _judged(dataclasses.replace(bench, tools=tools), STYLES)
    return {**_summary(STYLES, rows), "rows": rows}


async def triton_alone(bench: Bench) -> dict[str, Any]:
    """The judge's time of a kernel beside that of `triton.testing.do_bench` in a program that knows no judge."""
    kernels = []
    for name in ALONE if _time_is_left(bench) else ():
        slug, stem = name.split("/")
        path = bench.tools.problems[slug].folder / "solutions" / "right" / f"{stem}.py"
        verdict = await _verdict(bench, slug, path)
        alone_us, said = await asyncio.to_thread(_alone_us, slug, path)
        row: dict[str, Any] = {"kernel": name, "verdict": verdict.verdict.value, "alone_us": alone_us}
        if verdict.timing and alone_us:
            judged_us = [timing.median_us for timing in verdict.timing]
            row |= {"judged_us": judged_us, "share": round(sum(alone_us) / sum(judged_us), 3)}
        kernels.append(row if "share" in row else {**row, "said": said or _said(verdict)})
        print(json.dumps(kernels[-1]), flush=True)
    slower = [row["kernel"] for row in kernels if row.get("share", 0.0) < LEAST_SHARE]
    return {"least_share": LEAST_SHARE, "below_it": slower, "kernels": kernels}


def _alone_us(slug: str, path: Path) -> tuple[list[float], str]:
    """Microseconds for each timed shape; and what was said if there are none."""
    here = importlib.util.find_spec("torch") is not None
    python = sys.executable if here else shutil.which("python3") or sys.executable
    command = [python, str(ROOT / "bench" / "triton_alone.py"), slug, str(path)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=ALONE_SECONDS)
    except subprocess.TimeoutExpired:
        return [], f"needed more than {ALONE_SECONDS:.0f} s"
    if ran.returncode:
        return [], ran.stderr[-600:]
    return json.loads(ran.stdout.strip().splitlines()[-1]), ""


def _solutions(bench: Bench, suffix: str, kinds: Iterable[str], slugs: Sequence[str] = ()) -> list[Path]:
    """Of the problems that have Triton solutions, or of these problems alone."""
    problems = [bench.tools.problems[slug] for slug in slugs] or list(bench.tools.problems.values())
    found = [path for one in problems for kind in kinds for path in one.solutions(kind) if path.suffix == suffix]
    return sorted(found)


async def _judged(bench: Bench, files: Sequence[Path]) -> dict[str, Any]:
    """A row for each file that was judged before the time was up."""
    gate, rows = asyncio.Semaphore(AT_ONCE), dict[str, Any]()

    async def one(path: Path) -> None:
        slug, name = _name(path)
        async with gate:
            if not _time_is_left(bench):
                return
            started = time.perf_counter()
            verdict = await _verdict(bench, slug, path)
        rows[name] = _row(path, verdict, round(time.perf_counter() - started, 2))
        print(f"{len(rows)}/{len(files)} {name} {json.dumps(rows[name])}", flush=True)

    await asyncio.gather(*(one(path) for path in files))
    return rows


async def _verdict(bench: Bench, slug: str, path: Path) -> Verdict:
    try:
        async with asyncio.timeout(VERDICT_SECONDS):
            return await bench.verdict(slug, read(path))
    except TimeoutError:
        said = f"no verdict in {VERDICT_SECONDS:.0f} s"
        return Verdict("bench", Form.KERNEL, slug, Backend.GPU, Kind.INFRASTRUCTURE_ERROR, output=said)


def _time_is_left(bench: Bench) -> bool:
    return time.monotonic() < bench.stop_at


def _name(path: Path) -> tuple[str, str]:
    """The problem, and the file's name within the record: of solutions or of styles."""
    if path.parents[1].name == "solutions":
        return path.parents[2].name, f"{path.parents[2].name}/{path.parent.name}/{path.stem}"
    return path.parent.name, f"{path.parent.name}/{path.stem}"


def _row(path: Path, verdict: Verdict, seconds: float) -> dict[str, Any]:
    expected = stated_verdict(path) if path.parent.name == "wrong" else Kind.ACCEPTED.value
    row: dict[str, Any] = {"expected": expected, "verdict": verdict.verdict.value, "seconds": seconds}
    if verdict.timing:
        row |= {"score": verdict.score, "median_us": [timing.median_us for timing in verdict.timing]}
    if verdict.verdict.value != expected:
        row["said"] = _said(verdict)
    return {**row, "stages_ms": {name: round(ms) for name, ms in verdict.stages_ms.items()}}


def _said(verdict: Verdict) -> str:
    return f"{[finding.message['en'] for finding in verdict.findings][:2]} {verdict.output}"[:1500]


def _summary(files: Sequence[Path], rows: Mapping[str, Any]) -> dict[str, Any]:
    surprises = [f"{name}: {row['verdict']} {row['said']}" for name, row in sorted(rows.items()) if "said" in row]
    seconds = [row["seconds"] for row in rows.values()]
    return {
        "files": len(files),
        "judged": len(rows),
        "median_s": round(statistics.median(seconds), 2) if seconds else None,
        "surprises": surprises,
    }


def _fastest(rows: Mapping[str, Any], slug: str) -> list[float]:
    times = [
        row["median_us"] for name, row in rows.items() if name.startswith(f"{slug}/right/") and "median_us" in row
    ]
    return min(times, key=sum, default=[])
