"""The emulator as a backend: cases out to a sandboxed child, its emulations back as a report."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.directives import Resolved
from worker.emulator.request import Counts, Observation
from worker.errors import ChildLost
from worker.judge.children import SECONDS, Children
from worker.judge.hints import Remark, named, never_launched, never_written, remarks_on
from worker.judge.ports import CasesReport, Trial
from worker.judge.requests import case_request
from worker.oracle import Expected, Inputs
from worker.oracle.compare import Comparison
from worker.problem import Case
from worker.problem.element import ELEMENTS
from worker.protocol import FIRST_CAUSE, CaseResult, Kind

FAILED_CASES_SHOWN = 3

_ENDINGS: Mapping[str, Kind] = MappingProxyType(
    {
        "unsupported": Kind.UNSUPPORTED,
        "malformed": Kind.UNSUPPORTED,
        "budget": Kind.TIMEOUT,
        "memory": Kind.OUT_OF_MEMORY,
        "faulted": Kind.RUNTIME_ERROR,
    }
)


@dataclass(frozen=True, slots=True)
class _Prepared:
    case: Case
    inputs: Inputs
    resolved: Resolved
    request: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Emulated:
    """A CaseBackend. `kinds` says which observation makes which verdict; the others are advice."""

    children: Children
    kinds: Mapping[str, Kind]

    async def run_cases(self, trial: Trial, cases: Sequence[Case]) -> CasesReport:
        prepared = [_prepare(trial, case) for case in cases]
        expecting = asyncio.create_task(asyncio.to_thread(_expect_all, trial, prepared))
        try:
            results = await self.children.emulate(trial.compiled, [one.request for one in prepared])
            return self._report(trial, prepared, await expecting, results)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ChildLost(f"the emulator's child gave no emulation: {error!r}") from error
        finally:
            expecting.cancel()

    def _report(
        self, trial: Trial, prepared: list[_Prepared], expected: list[Expected], results: list[Any]
    ) -> CasesReport:
        done = [(*three,) for three in zip(prepared, expected, results, strict=True) if three[2] is not None]
        cases, kinds, remarks, reason = [], set[Kind](), list[Remark](), ""
        plainly, counting = list[Observation](), list[Observation]()
        for one, wanted, result in done:
            seen = tuple(named(_observation(item), one.resolved.launches) for item in result["observations"])
            (counting if result["counts"] else plainly).extend(seen)
            fatal = {self.kinds[item.id] for item in seen if item.id in self.kinds}
            comparison = _compare(trial, one, wanted, result)
            kinds |= fatal | _kinds_of(result["ending"], fatal, comparison)
            reason = reason or str(result["reason"])
            remarks += _remarks(trial, one, comparison, result)
            cases.append(_case_result(one.case, comparison, clean=not fatal))
        if len(done) < len(prepared) and not kinds:
            kinds.add(Kind.TIMEOUT)
            reason = (
                f"only {len(done)} of {len(prepared)} small cases were done after {SECONDS:.0f} s on the emulator"
            )
        counted, counts = next(((one, result["counts"]) for one, _, result in done if result["counts"]), (None, ()))
        return CasesReport(
            kind=first_cause(kinds),
            cases=shown(cases),
            observations=_distinct(plainly, counting),
            counts=_counts_by_kernel(counted.resolved, counts) if counted else None,
            counted_sizes=counted.case.sizes if counted else None,
            remarks=_first_of_each(remarks),
            reason=reason,
            printed=next((result["printed"] for _, _, result in done if result["printed"]), ""),
        )


def first_cause(kinds: set[Kind]) -> Kind:
    """The verdict when several hold; ACCEPTED when none does."""
    for kind in (Kind.UNSUPPORTED, Kind.OUT_OF_MEMORY):
        if kinds == {kind}:
            return kind
    return next((kind for kind in (*FIRST_CAUSE, *sorted(kinds)) if kind in kinds), Kind.ACCEPTED)


def _prepare(trial: Trial, case: Case) -> _Prepared:
    inputs = trial.oracle.inputs(case, trial.seed)
    resolved = trial.plan.resolve(case.sizes)
    wanted = [output.name for output in trial.problem.outputs]
    request = case_request(trial.problem, trial.compiled.entries, inputs, resolved, wanted)
    return _Prepared(case, inputs, resolved, request)


def _expect_all(trial: Trial, prepared: list[_Prepared]) -> list[Expected]:
    return [trial.oracle.expected(one.inputs) for one in prepared]


def _compare(trial: Trial, one: _Prepared, wanted: Expected, result: Any) -> Comparison | None:
    """None when the kernel did not run to its end: then there is nothing to compare."""
    if result["ending"] != "finished":
        return None
    got: dict[str, NDArray[Any]] = {}
    for output in trial.problem.outputs:
        stored = np.dtype(ELEMENTS[output.ctype].stored)
        got[output.name] = np.frombuffer(result["outputs"][output.name], stored)
    return trial.oracle.check(one.inputs, wanted, got)


def _kinds_of(ending: str, fatal: set[Kind], comparison: Comparison | None) -> set[Kind]:
    if comparison is not None:
        return set() if comparison.ok else {Kind.WRONG_ANSWER}
    return set() if fatal else {_ENDINGS[ending]}


def _remarks(trial: Trial, one: _Prepared, comparison: Comparison | None, result: Any) -> list[Remark]:
    if comparison is None or comparison.ok or comparison.first is None or comparison.wrong is None:
        return []
    output = trial.problem.param(comparison.first.output)
    got = np.frombuffer(result["outputs"][output.name], output.element.stored)
    unwritten = never_written(output.name, output.element, got, comparison.wrong)
    return [*never_launched(one.resolved, one.inputs.sizes), *(unwritten or remarks_on(trial, comparison))]


def _case_result(case: Case, comparison: Comparison | None, *, clean: bool) -> CaseResult:
    sizes = dict(case.sizes)
    if comparison is None:
        return CaseResult(sizes, case.values, ok=False)
    ok = clean and comparison.ok
    return CaseResult(sizes, case.values, ok, comparison.mismatches, comparison.first, comparison.max_error)


def shown(cases: list[CaseResult]) -> tuple[CaseResult, ...]:
    """All right ones; of the wrong ones the first few."""
    wrong = [case for case in cases if not case.ok][:FAILED_CASES_SHOWN]
    return tuple(case for case in cases if case.ok or case in wrong)


_RENAMED = {"integer-division": "division-by-zero"}
"""What the emulator sees happen has a word of its own; the other one is advice on speed."""


def _observation(item: Any) -> Observation:
    line = item["line"]
    x, y, z = item["thread"]
    bx, by, bz = item["block"]
    name = _RENAMED.get(item["id"], str(item["id"]))
    return Observation(name, None if line is None else int(line), (x, y, z), (bx, by, bz), dict(item["evidence"]))


def _first_of_each(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    first: dict[str, Remark] = {}
    for name, evidence in remarks:
        first.setdefault(name, (name, evidence))
    return tuple(first.values())


def _distinct(plainly: Sequence[Observation], counting: Sequence[Observation]) -> tuple[Observation, ...]:
    """The first of each kind at each line; of the counted case, whose optimised code may blame a line near by, only
    what is of a new kind."""
    known = {seen.id for seen in plainly}
    first: dict[tuple[str, int | None], Observation] = {}
    for seen in (*plainly, *(seen for seen in counting if seen.id not in known)):
        first.setdefault((seen.id, seen.line), seen)
    return explained(tuple(first.values()))


_CROSSED = frozenset({"read-after-write", "write-after-read"})


def explained(seen: Sequence[Observation]) -> tuple[Observation, ...]:
    """Without races inside a warp that end with the barrier which is missing for other threads of the same line."""
    missing = {item.evidence.get("other_line") for item in seen if item.id == "missing-barrier"}
    return tuple(
        item
        for item in seen
        if not (
            item.id == "race-shared"
            and item.evidence.get("hazard") in _CROSSED
            and item.evidence.get("other_line") in missing
        )
    )


def _counts_by_kernel(resolved: Resolved, counts: Sequence[Any]) -> Mapping[str, Counts]:
    """Of each kernel's largest launch."""
    found: dict[str, Counts] = {}
    for launch, raw in zip((one for one in resolved.launches if not one.empty), counts, strict=False):
        one = Counts(**{**raw, "by_line": {int(line): figures for line, figures in raw["by_line"]}})
        if launch.kernel not in found or one.thread_instructions > found[launch.kernel].thread_instructions:
            found[launch.kernel] = one
    return found
