"""What a try showed: its outputs beside what is right, who wrote an element, counts, an access, the card's code."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from worker.compile import Compiled
from worker.directives import Resolved
from worker.emulator.request import Emulation, Lanes
from worker.judge.access_cost import passes_of
from worker.judge.emulator_backend import first_cause
from worker.judge.hints import named
from worker.judge.tools import Tools
from worker.oracle import Expected, Inputs
from worker.oracle.compare import Comparison, json_number
from worker.problem import Param, Problem
from worker.problem.element import Array
from worker.protocol import Access, CaseResult, Finding, Kind, Tried, TriedOutput, Try, Write

SHOWN = 16
"""Elements of an array, stores into an element."""
MOST_PTX_LINES = 600


@dataclass(frozen=True, slots=True)
class Run:
    asked: Try
    problem: Problem
    compiled: Compiled
    inputs: Inputs
    expected: Expected
    resolved: Resolved
    source: str


@dataclass(frozen=True, slots=True)
class Seen:
    kind: Kind
    tried: Tried
    findings: tuple[Finding, ...]
    case: CaseResult
    printed: str


def what_was_seen(run: Run, tools: Tools, counted: Emulation | None, checked: Emulation | None) -> Seen:
    """KeyError, ValueError or IndexError for an emulation that is none; one of the two has to be there."""
    result = checked or counted
    if result is None:
        raise ValueError("no emulation")
    findings = _findings(run, tools, result)
    fatal = {kind for one in findings if (kind := tools.catalogue[one.id].verdict)}
    outputs, case = _compared(run, tools, result)
    if result.ending is not Kind.RAN and not fatal:
        fatal = {result.ending}
        told = [result.reason] if result.reason else []
        findings = (*findings, tools.catalogue.finding("run-stopped", None, reason=told))
    if not fatal and not case.ok:
        fatal = {Kind.WRONG_ANSWER}
    inputs = {name: _numbers(run.problem.param(name), bits[:SHOWN]) for name, bits in run.inputs.buffers.items()}
    tried = Tried(
        inputs,
        outputs,
        _writes(run, result),
        _counts(counted),
        _by_line(counted),
        _access(run.asked, counted),
        _ptx(run.compiled.ptx),
    )
    return Seen(first_cause(fatal) if fatal else Kind.RAN, tried, findings, case, result.printed)


def _findings(run: Run, tools: Tools, result: Emulation) -> tuple[Finding, ...]:
    lines = run.source.splitlines()
    seen = [named(one, run.resolved.launches, lines) for one in result.observations]
    return tuple(tools.catalogue.observed(one) for one in seen)


def _numbers(param: Param, bits: Array) -> tuple[float | None, ...]:
    return tuple(json_number(one) for one in param.element.decode(bits))


def _compared(run: Run, tools: Tools, result: Emulation) -> tuple[tuple[TriedOutput, ...], CaseResult]:
    """Of each output the part that tells most: round the element asked about, or the first wrong one."""
    oracle, shown, found = tools.oracles[run.problem.slug], list[TriedOutput](), list[Comparison]()
    for one in run.problem.outputs:
        got = np.frombuffer(result.outputs[one.name].data, one.element.stored)
        comparison = oracle.check_one(one, run.inputs, run.expected, got)
        found.append(comparison)
        wrong = comparison.wrong if comparison.wrong is not None else np.zeros(0, np.int64)
        middle = run.asked.element if run.asked.output == one.name else int(wrong[0]) if len(wrong) else 0
        start = max(0, min(middle - SHOWN // 4, len(got) - SHOWN))
        right = run.expected.outputs[one.name].reshape(-1)[start : start + SHOWN]
        here = wrong[(wrong >= start) & (wrong < start + SHOWN)] - start
        shown.append(
            TriedOutput(
                one.name,
                len(got),
                start,
                _numbers(one, got[start : start + SHOWN]),
                tuple(json_number(value) for value in right),
                tuple(here.tolist()),
                comparison.mismatches,
            )
        )
    worst = next((one for one in found if not one.ok), found[-1])
    ok = worst.ok and result.ending is Kind.RAN
    case = CaseResult(dict(run.asked.sizes), run.asked.values, ok, worst.mismatches, worst.first, worst.max_error)
    return tuple(shown), case


def _writes(run: Run, result: Emulation) -> tuple[Write, ...]:
    asked = run.asked
    if not asked.output or result.watched is None:
        return ()
    element = run.problem.param(asked.output).element
    return tuple(
        Write(
            one.line,
            one.launch,
            one.thread,
            one.block,
            one.barriers,
            json_number(element.decode(np.frombuffer(one.data, element.stored))[0]),
        )
        for one in result.watched.stores[:SHOWN]
    )


def _counts(counted: Emulation | None) -> dict[str, int]:
    """Over all launches."""
    if counted is None or not counted.counts:
        return {}
    names = (
        "warp_instructions", "global_requests", "global_sectors", "shared_requests", "shared_wavefronts", "branches",
        "divergent_branches",
    )  # fmt: skip
    figures = {name: sum(int(getattr(one, name)) for one in counted.counts) for name in names}
    return {**figures, "barriers": counted.watched.barriers if counted.watched else 0}


_LINE_FIGURES = (
    "load_visits", "load_sectors", "load_ideal", "store_visits", "store_sectors", "store_ideal", "shared_requests",
    "shared_wavefronts", "divergent_branches",
)  # fmt: skip


def _by_line(counted: Emulation | None) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for one in counted.counts if counted else ():
        for line, figures in one.by_line.items():
            into = found.setdefault(line, {})
            for name in _LINE_FIGURES:
                if figures.get(name):
                    into[name] = into.get(name, 0) + int(figures[name])
    return {line: figures for line, figures in sorted(found.items())[:200] if figures}


def _access(asked: Try, counted: Emulation | None) -> Access | None:
    """The one on the line that was asked about, else the one that wastes most."""
    seen = counted.watched.lanes if counted and counted.watched else ()
    drawn = [one for lanes in seen if (one := _drawn(lanes)) and (not asked.line or one.line == asked.line)]
    return max(drawn, key=lambda one: (one.passes / one.ideal, -one.line), default=None)


def _drawn(lanes: Lanes) -> Access | None:
    way, space = lanes.way, lanes.space
    fits = 0 < len(lanes.lanes) == len(lanes.offsets) <= 32 and 0 < lanes.bytes <= 16
    if not fits or way not in ("load", "store") or space not in ("global", "shared"):
        return None
    passes, ideal = passes_of(space, lanes.offsets, lanes.bytes)
    return Access(
        lanes.line,
        "load" if way == "load" else "store",
        "global" if space == "global" else "shared",
        lanes.buffer[:64],
        lanes.bytes,
        lanes.block,
        lanes.lanes,
        lanes.offsets,
        passes,
        ideal,
    )


_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'\s*\.file\s+(\d+)\s+"([^"]*)"')


def _ptx(ptx: str) -> tuple[tuple[int, str], ...]:
    """Instructions with the member's lines; those of headers belong to the line before."""
    own = {match[1] for line in ptx.split("\n") if (match := _FILE.match(line)) and match[2].endswith("kernel.cu")}
    line, found = 0, list[tuple[int, str]]()
    for text in ptx.split("\n"):
        if match := _LOC.match(text):
            line = int(match[2]) if match[1] in own else line
        elif line and text.startswith("\t") and text.rstrip().endswith(";") and not text.lstrip().startswith("."):
            found.append((line, " ".join(text.split())[:160]))
    return tuple(found[:MOST_PTX_LINES])
