"""The emulator as a backend: cases out to a sandboxed child, its emulations back as a report."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from worker.diagnosis import FindingCatalogue
from worker.directives import Resolved
from worker.emulator.request import Counts, Emulation, Fault, Observation, Request
from worker.errors import ChildLost
from worker.judge.emulator_children import Ask, Children
from worker.judge.emulator_request import case_request
from worker.judge.hints import CROSSED, believed, named, never_launched, never_written, remarks_on
from worker.judge.patterns.explain import explain, where_stored
from worker.judge.patterns.seen import Run
from worker.judge.ports import CasesReport, Remark, Trial
from worker.judge.sampling import count_timed
from worker.messages import Message, message
from worker.oracle import Expected, Inputs
from worker.oracle.compare import Comparison
from worker.problem import Case, Param
from worker.problem.element import Array
from worker.protocol import FIRST_CAUSE, CaseResult, Counted, Kind

log = logging.getLogger(__name__)


class FaultLog:
    """Submissions that the emulator broke down on since this worker started."""

    def __init__(self) -> None:
        self.count = 0

    def add_first(self, faults: Iterable[Fault | None]) -> None:
        """One submission's: its cases break down alike, so the first stands for all."""
        first = next((fault for fault in faults if fault is not None), None)
        if first is not None:
            self.count += 1
            log.error("the emulator broke down on the PTX %s: %s", first.digest, first.error)


FAILED_CASES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _PreparedCase:
    case: Case
    inputs: Inputs
    resolved: Resolved
    request: Request


@dataclass(frozen=True, slots=True)
class EmulatorBackend:
    """A CaseBackend. The catalogue says which observation makes which verdict; the others are advice."""

    children: Children
    catalogue: FindingCatalogue
    faults: FaultLog

    async def run_cases(self, trial: Trial, cases: Sequence[Case]) -> CasesReport:
        prepared = [_prepare(trial, case) for case in cases]
        expecting = asyncio.create_task(asyncio.to_thread(_expect_all, trial, prepared))
        try:
            requests, believed = [one.request for one in prepared], trial.triton.believed if trial.triton else None
            counted = list[Counted]()

            async def count(ask: Ask) -> None:
                try:
                    counted.extend(await count_timed(trial, trial.compiled.ptx, ask))
                except (ArithmeticError, LookupError, TypeError, ValueError):
                    # Counts that cannot be, or a mistake of ours: the verdict stands without them.
                    log.exception("a solution of %s could not be counted", trial.problem.slug)

            results = await self.children.emulate(trial.compiled, requests, believed, count)
            self.faults.add_first(result.fault for result in results if result)
            expected = await expecting
            report = self._report(trial, prepared, expected, results)
            if report.kind is Kind.ACCEPTED:
                return dataclasses.replace(report, counted=tuple(counted))
            if report.kind is not Kind.WRONG_ANSWER:
                return report
            return await asyncio.to_thread(_explained, trial, prepared, expected, results, report)
        except (KeyError, ValueError) as error:
            # A child that was taken over may leave an output out, cut it short, or speak of what has no words.
            raise ChildLost(f"the emulator's child gave no emulation: {error!r}") from error
        finally:
            expecting.cancel()

    def _report(
        self,
        trial: Trial,
        prepared: list[_PreparedCase],
        expected: list[Expected],
        results: Sequence[Emulation | None],
    ) -> CasesReport:
        done = [
            (one, wanted, result)
            for one, wanted, result in zip(prepared, expected, results, strict=True)
            if result is not None
        ]
        cases, kinds, remarks, compared = [], set[Kind](), list[Remark](), list[tuple[str, Comparison | None]]()
        reason: Message | None = None
        plainly, counting = list[Observation](), list[Observation]()
        lines = trial.source.splitlines()
        for one, wanted, result in done:
            seen = tuple(
                trial.triton.named(_renamed(item))
                if trial.triton
                else named(_renamed(item), one.resolved.launches, lines)
                for item in result.observations
                if item.line is not None or item.id not in _NEED_A_LINE
            )
            self._check_words(seen, result.reason)
            (counting if result.counts else plainly).extend(seen)
            fatal = {kind for item in seen if (kind := self.catalogue[item.id].verdict)}
            comparison = _compare(trial, one, wanted, result)
            kinds |= fatal | _kinds_of(result.ending, fatal, comparison)
            reason = reason or result.reason
            remarks += _remarks(trial, one, comparison, result)
            compared.append((one.case.values, comparison))
            cases.append(_case_result(one.case, comparison, clean=not fatal))
        if len(done) < len(prepared) and not kinds:
            kinds.add(Kind.TIMEOUT)
            reason = message("slow.cases", done=len(done), all=len(prepared), seconds=self.children.seconds)
        remarks = believed(remarks, compared)
        counted, counts = next(((one, result.counts) for one, _, result in done if result.counts), (None, ()))
        return CasesReport(
            kind=first_cause(kinds),
            cases=shown(cases),
            observations=_distinct(plainly, counting),
            counts=_counts_by_kernel(counted.resolved, counts) if counted else None,
            counted_sizes=counted.case.sizes if counted else None,
            remarks=_first_of_each(remarks if first_cause(kinds) is Kind.WRONG_ANSWER else []),
            reason=reason,
            printed=next((result.printed for _, _, result in done if result.printed), ""),
        )

    def _check_words(self, seen: Sequence[Observation], reason: Message | None) -> None:
        """Raise KeyError or ValueError for what the catalogue cannot tell a member."""
        for item in seen:
            self.catalogue.observed(item)
        if reason:
            self.catalogue.words.texts(reason)


def _explained(
    trial: Trial,
    prepared: Sequence[_PreparedCase],
    expected: Sequence[Expected],
    results: Sequence[Emulation | None],
    report: CasesReport,
) -> CasesReport:
    """The report with what explains the wrong numbers, in the place of what a single case suggests."""
    runs = [
        _run(trial, one, wanted, result)
        for one, wanted, result in zip(prepared, expected, results, strict=True)
        if result is not None and result.ending is Kind.RAN
    ]
    nearly_right = any(name == "precision-loss" for name, _ in report.remarks)
    try:
        explanation = explain(trial.problem, trial.oracle, trial.source, runs, nearly_right=nearly_right)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        # A mistake of ours over numbers that a submission chose: the verdict stands without an explanation.
        log.exception("no pattern could be looked for in a wrong answer to %s", trial.problem.slug)
        return report
    if explanation is None:
        # A kernel of blocks stores in a few places: the line alone tells a good deal.
        return dataclasses.replace(report, explanation=where_stored(trial.problem, runs)) if trial.triton else report
    kept = tuple(remark for remark in report.remarks if remark[0] not in GUESSES)
    return dataclasses.replace(report, remarks=kept, explanation=explanation)


def _run(trial: Trial, one: _PreparedCase, wanted: Expected, result: Emulation) -> Run:
    return Run(
        one.case,
        one.inputs,
        wanted,
        {output.name: _bits(output, result) for output in trial.problem.outputs},
        one.resolved.launches,
        {name: output.stored for name, output in result.outputs.items()},
        result.unbounded,
    )


def first_cause(kinds: set[Kind]) -> Kind:
    """The verdict when several hold; ACCEPTED when none does."""
    for kind in (Kind.UNSUPPORTED, Kind.OUT_OF_MEMORY):
        if kinds == {kind}:
            return kind
    return next((kind for kind in (*FIRST_CAUSE, *sorted(kinds)) if kind in kinds), Kind.ACCEPTED)


def _prepare(trial: Trial, case: Case) -> _PreparedCase:
    inputs = trial.oracle.inputs(case, trial.seed)
    resolved = trial.plan.resolve(case.sizes)
    wanted = [output.name for output in trial.problem.outputs]
    request = case_request(trial.problem, trial.compiled, inputs, resolved, wanted)
    return _PreparedCase(case, inputs, resolved, request)


def _expect_all(trial: Trial, prepared: list[_PreparedCase]) -> list[Expected]:
    return [trial.oracle.expected(one.inputs) for one in prepared]


def _compare(trial: Trial, one: _PreparedCase, wanted: Expected, result: Emulation) -> Comparison | None:
    """None when the kernel did not run to its end: then there is nothing to compare."""
    if result.ending is not Kind.RAN:
        return None
    got = {output.name: _bits(output, result) for output in trial.problem.outputs}
    return trial.oracle.check(one.inputs, wanted, got)


def _bits(output: Param, result: Emulation) -> Array:
    """The output's bits as the problem declares it, whatever the child says of its type."""
    return np.frombuffer(result.outputs[output.name].data, output.element.stored)


def _kinds_of(ending: Kind, fatal: set[Kind], comparison: Comparison | None) -> set[Kind]:
    if comparison is not None:
        return set() if comparison.ok else {Kind.WRONG_ANSWER}
    return set() if fatal else {ending}


def _remarks(trial: Trial, one: _PreparedCase, comparison: Comparison | None, result: Emulation) -> list[Remark]:
    if comparison is None or comparison.ok or comparison.first is None or comparison.wrong is None:
        return []
    output = trial.problem.param(comparison.first.output)
    got = _bits(output, result)
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


GUESSES = frozenset({"nan-produced", "precision-loss", "outputs-unwritten"})
"""What single cases suggest: a pattern over all of them says it better."""

_NEED_A_LINE = frozenset({"infinite-loop"})
"""Without a line it would accuse a loop that nobody has seen; why the run was stopped is told instead."""

_RENAMED = {"integer-division": "division-by-zero"}
"""What the emulator sees happen has a word of its own; the other one is advice on speed."""


def _renamed(seen: Observation) -> Observation:
    return replace(seen, id=_RENAMED.get(seen.id, seen.id))


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


def explained(seen: Sequence[Observation]) -> tuple[Observation, ...]:
    """Drop races inside a warp that end with the barrier which is missing for other threads of the same line."""
    missing = {item.evidence.get("other_line") for item in seen if item.id == "missing-barrier"}
    return tuple(
        item
        for item in seen
        if not (
            item.id in ("race-shared", "missing-warp-sync")
            and item.evidence.get("hazard") in CROSSED
            and item.evidence.get("other_line") in missing
        )
    )


def _counts_by_kernel(resolved: Resolved, counts: Sequence[Counts]) -> Mapping[str, Counts]:
    """Counts of each kernel's largest launch."""
    found: dict[str, Counts] = {}
    for launch, one in zip((one for one in resolved.launches if not one.empty), counts, strict=False):
        if launch.kernel not in found or one.thread_instructions > found[launch.kernel].thread_instructions:
            found[launch.kernel] = one
    return found
