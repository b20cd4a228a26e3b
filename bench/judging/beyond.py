"""What only a card can show beyond kernels that the emulator takes: compute-sanitizer's findings, whole programs."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from typing import Any

import msgspec
import numpy as np

from bench.judging.subject import ROOT, Bench
from tests.gpu.programs import DOUBLES
from tests.gpu.refused import BUGS, Bug
from worker.directives import parse
from worker.gpu import cases, sanitizer
from worker.judge import Trial
from worker.protocol import Form, Kind

SAID_CHARACTERS = 2500
OUTSIDE_SECONDS = 30.0


async def checker(bench: Bench) -> dict[str, Any]:
    """Kernels that the emulator refuses, wrong in four ways: is each explained at its line?"""
    if bench.tools.gpu is None or sanitizer.program() is None:
        return {"skipped": "no compute-sanitizer on this machine"}
    rows = []
    for bug in BUGS:
        started = time.perf_counter()
        verdict = await bench.verdict("vector_add", bug.source)
        seconds = round(time.perf_counter() - started, 2)
        found = [(finding.id, finding.line) for finding in verdict.findings]
        row = {"bug": bug.name, "verdict": verdict.verdict.value, "found": found, "seconds": seconds}
        rows.append({**row, "explained": bug.explained(verdict), "examine_ms": verdict.stages_ms.get("examine")})
    said = await asyncio.to_thread(_said, bench, BUGS)
    return {
        "program": sanitizer.program().name,  # type: ignore[union-attr]  # it was there a moment ago
        "not_explained": [row["bug"] for row in rows if not row["explained"]],
        "stages": rows,
        "rows": said,
    }


def _said(bench: Bench, bugs: tuple[Bug, ...]) -> list[dict[str, str]]:
    """Each tool's own words on each kernel; where the sandbox kept one from its work, also outside of it."""
    gpu: Any = bench.tools.gpu
    rows = []
    for bug in bugs:
        trial = _trial(bench, bug.source)
        small = cases.prepare(trial, trial.problem.cases()[0], np.zeros(4, np.uint8))
        for tool, text in sanitizer.said(gpu.sandbox, trial, small).items():
            row = {"bug": bug.name, "tool": tool, "said": text[:SAID_CHARACTERS]}
            rows.append({**row, "outside": _outside(tool, trial, small)} if sanitizer.trouble(text) else row)
    return rows


def _trial(bench: Bench, source: str) -> Trial:
    tools, problem = bench.tools, bench.tools.problems["vector_add"]
    plan = parse(source, problem)
    return Trial(
        problem, tools.oracles["vector_add"], plan, tools.compiler.compile(source, tools.arch, plan.kernels), 1
    )


def _outside(tool: str, trial: Trial, small: cases.SmallRun) -> str:
    """Our own kernels, so the sandbox is not needed to try it."""
    with tempfile.NamedTemporaryFile() as order:
        order.write(msgspec.msgpack.encode(sanitizer.order(trial, small)))
        order.flush()
        program = sanitizer.program()
        assert program
        try:
            command = sanitizer.command(program, tool, order.name)
            ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=OUTSIDE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"more than {OUTSIDE_SECONDS:.0f} s"
    return (ran.stdout + ran.stderr).replace(str(ROOT), "warpmate")[:SAID_CHARACTERS]


WRONG_PROGRAM = DOUBLES.replace("x[threadIdx.x] *= 2", "x[1 << 30] = 2").replace(
    "printf(", "if (cudaDeviceSynchronize() != cudaSuccess) return 3;\n    printf("
)


async def programs(bench: Bench) -> dict[str, Any]:
    """Whole programs: compiled by nvcc, run on the card in the sandbox."""
    wanted = {
        "right": (DOUBLES, Kind.RAN, "2 4 6 8"),
        "ends with an error": (WRONG_PROGRAM, Kind.RUNTIME_ERROR, "exit code 3"),
        "does not compile": (DOUBLES.replace("int host", "itn host"), Kind.COMPILE_ERROR, ""),
    }
    rows = []
    for name, (source, kind, said) in wanted.items():
        verdict = await bench.verdict(None, source, Form.PROGRAM)
        row = {"program": name, "verdict": verdict.verdict.value, "output": verdict.output[:200]}
        found = [finding.message["en"] for finding in verdict.findings][:2]
        ok = verdict.verdict is kind and said in "\n".join((verdict.output, *found))
        rows.append({**row, "ok": ok, "stages_ms": verdict.stages_ms, "found": found})
    return {"not_as_expected": [row["program"] for row in rows if not row["ok"]], "stages": rows}
