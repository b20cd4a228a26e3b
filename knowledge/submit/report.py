"""A verdict in parts: headline, findings, cases, timing, output, what next. Made once; each face only draws them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from knowledge.words import Language
from worker.protocol import CaseResult, Finding, Kind, Timing, Verdict

Tone = Literal["good", "bad", "warn"]
"""warn: nothing that the code could help."""

_GOOD = frozenset({Kind.ACCEPTED, Kind.RAN, Kind.COMPILED})
_NOT_THEIRS = frozenset({Kind.INFRASTRUCTURE_ERROR, Kind.CANCELLED, Kind.UNSUPPORTED, Kind.HELD})
_EXPLAINED = frozenset({Kind.INFRASTRUCTURE_ERROR, Kind.CANCELLED, Kind.HELD})
"""Verdicts without a finding that would say what to make of them."""

_AROUND = 1
"""Lines of code before and after the one that a finding names."""


class NextStep(StrEnum):
    READ = "read"
    """Something to read belongs to a finding."""
    AGAIN = "again"
    HINTS = "hints"
    """The problem has hints that may help."""
    CODE = "code"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class Headline:
    word: str
    tone: Tone
    explanation: str
    """What to make of a verdict that has no finding; empty for all others."""
    ran_on: str
    score: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A finding in the reader's language, with the lines of code around it."""

    finding: Finding
    text: str
    line: int | None
    """None as well where the source has no such line."""
    excerpt: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case. `got` is the member's number, `expected` the right one; both are empty where nothing was compared."""

    ok: bool
    sizes: Mapping[str, int]
    values: str
    mismatches: int
    place: str
    got: str
    expected: str
    text: str
    """All of it in one sentence."""


@dataclass(frozen=True, slots=True)
class Cases:
    lines: tuple[CaseLine, ...]
    """Wrong ones first."""
    right: int
    summary: str
    """How many are right, and the largest size that was tried."""

    @property
    def wrong(self) -> tuple[CaseLine, ...]:
        return tuple(line for line in self.lines if not line.ok)


@dataclass(frozen=True, slots=True)
class TimingLine:
    """One large shape. A figure that was not measured is empty."""

    sizes: Mapping[str, int]
    median_us: str
    p10_us: str
    p90_us: str
    gb_per_s: str
    gflop_per_s: str
    attainable: str
    """The share of what the card could reach."""


@dataclass(frozen=True, slots=True)
class Report:
    verdict: Verdict
    headline: Headline
    compiler_log: str
    """Empty when it compiled."""
    explanations: tuple[Explanation, ...]
    cases: Cases | None
    timing: tuple[TimingLine, ...]
    output: str
    adapted: tuple[tuple[int, str], ...]
    """Number and text of each line that ran and is not empty, where the judge took host code out of a paste."""
    next_steps: tuple[NextStep, ...]


def report_of(verdict: Verdict, source: str, language: Language) -> Report:
    compiled = verdict.compile
    return Report(
        verdict=verdict,
        headline=_headline(verdict, language),
        compiler_log=compiled.log.strip() if compiled is not None and not compiled.ok else "",
        explanations=tuple(_explanation(finding, source.split("\n"), language) for finding in verdict.findings),
        cases=_cases(verdict, language) if verdict.cases else None,
        timing=tuple(_timing_line(timing) for timing in verdict.timing or ()),
        output=verdict.output.strip(),
        adapted=_lines(verdict.adapted or ""),
        next_steps=tuple(_next_steps(verdict)),
    )


def _lines(source: str) -> tuple[tuple[int, str], ...]:
    return tuple((number, line) for number, line in enumerate(source.split("\n"), 1) if line.strip())


def tone_of(kind: Kind) -> Tone:
    return "good" if kind in _GOOD else "warn" if kind in _NOT_THEIRS else "bad"


def sizes_text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items())


def _headline(verdict: Verdict, language: Language) -> Headline:
    kind = verdict.verdict
    return Headline(
        word=language.word("verdict", kind.value),
        tone=tone_of(kind),
        explanation=language(f"verdict.after_{kind.value}") if kind in _EXPLAINED else "",
        ran_on=_ran_on(verdict, language),
        score="" if verdict.score is None else f"{verdict.score:.3f}",
        rank=verdict.rank,
    )


def _ran_on(verdict: Verdict, language: Language) -> str:
    return verdict.card.name if verdict.card else language.word("backend", verdict.backend.value)


def _explanation(finding: Finding, lines: list[str], language: Language) -> Explanation:
    text = finding.message.get(language.code) or finding.message.get("en") or finding.id
    line = finding.line if finding.line is not None and 1 <= finding.line <= len(lines) else None
    if line is None:
        return Explanation(finding, text, None, ())
    shown = range(max(1, line - _AROUND), min(len(lines), line + _AROUND) + 1)
    return Explanation(finding, text, line, tuple((number, lines[number - 1].rstrip()) for number in shown))


def _cases(verdict: Verdict, language: Language) -> Cases:
    cases = verdict.cases
    lines = tuple(_case_line(case, language) for case in sorted(cases, key=lambda case: case.ok))
    right = sum(case.ok for case in cases)
    largest = max((case.sizes for case in cases), key=lambda sizes: math.prod(sizes.values()))
    summary = language(
        "verdict.cases_right", right=right, all=len(cases), largest=sizes_text(largest), on=_ran_on(verdict, language)
    )
    return Cases(lines, right, summary)


def _case_line(case: CaseResult, language: Language) -> CaseLine:
    head, first = f"{sizes_text(case.sizes)}, {case.values}", case.first
    if case.ok or first is None:
        return CaseLine(case.ok, case.sizes, case.values, case.mismatches, "", "", "", head)
    place = f"{first.output}[{', '.join(map(str, first.index))}]"
    got, expected = number_text(first.got), number_text(first.expected)
    text = f"{head}: {language('verdict.wrong_element', place=place, got=got, expected=expected)}"
    return CaseLine(False, case.sizes, case.values, case.mismatches, place, got, expected, text)


def number_text(value: float | None) -> str:
    return "NaN" if value is None else f"{value:.7g}"


def _timing_line(timing: Timing) -> TimingLine:
    return TimingLine(
        sizes=timing.sizes,
        median_us=f"{timing.median_us:.1f}",
        p10_us=f"{timing.p10_us:.1f}",
        p90_us=f"{timing.p90_us:.1f}",
        gb_per_s="" if timing.gb_per_s is None else f"{timing.gb_per_s:.0f}",
        gflop_per_s="" if timing.gflop_per_s is None else f"{timing.gflop_per_s:.0f}",
        attainable="" if timing.attainable_fraction is None else f"{timing.attainable_fraction:.0%}",
    )


def _next_steps(verdict: Verdict) -> list[NextStep]:
    read = [NextStep.READ] if any(finding.readings for finding in verdict.findings) else []
    failed = verdict.verdict is not Kind.ACCEPTED
    again = [NextStep.AGAIN] if failed else []
    hints = [NextStep.HINTS] if failed and verdict.problem and tone_of(verdict.verdict) == "bad" else []
    return [*read, *again, *hints, NextStep.CODE, NextStep.SHARE]
