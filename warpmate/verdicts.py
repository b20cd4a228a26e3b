"""A verdict for people at a terminal: the word, why, where, how fast, and what to read."""

from __future__ import annotations

from knowledge.wording import VERDICTS, said
from warpmate.options import Lang
from warpmate.render import say, table
from worker.protocol import Finding, Verdict


def show(verdict: Verdict, source: str, lang: Lang) -> None:
    zh = lang is Lang.ZH
    word = said(VERDICTS, verdict.verdict.value, lang.value)
    say(f"{'结果' if zh else 'verdict'}: {word}  ({verdict.backend.value})")
    if verdict.compile is not None and not verdict.compile.ok:
        say(verdict.compile.log.rstrip())
    lines = source.splitlines()
    for finding in verdict.findings:
        _show_finding(finding, lines, lang)
    _show_cases(verdict, zh)
    _show_timing(verdict, zh)
    if verdict.output:
        say(("输出：" if zh else "output:") + f"\n{verdict.output}")


def _show_finding(finding: Finding, lines: list[str], lang: Lang) -> None:
    where = f":{finding.line}" if finding.line else ""
    say(f"\n[{finding.severity}] {finding.id}{where}  {finding.message[lang.value]}")
    if finding.line and finding.line <= len(lines):
        say(f"    {finding.line:4} | {lines[finding.line - 1].rstrip()}")
    for reading in finding.readings:
        say(f"    → {reading['title']}  {reading['url'] or reading['resource_id']}")


def _show_cases(verdict: Verdict, zh: bool) -> None:
    if not verdict.cases:
        return
    wrong = [case for case in verdict.cases if not case.ok]
    right = len(verdict.cases) - len(wrong)
    say(f"\n{right}/{len(verdict.cases)} " + ("个用例通过" if zh else "cases right"))
    for case in wrong[:3]:
        sizes = ", ".join(f"{name}={value}" for name, value in case.sizes.items())
        first = case.first
        detail = f"{first.output}{list(first.index)}: {first.got} ≠ {first.expected}" if first else ""
        say(f"    {sizes}, {case.values}" + (f": {detail}" if detail else ""))


def _show_timing(verdict: Verdict, zh: bool) -> None:
    if not verdict.timing:
        return
    headings = ("规模", "中位数 µs", "GB/s", "GFLOP/s", "可达比例") if zh else (
        "sizes", "median µs", "GB/s", "GFLOP/s", "of attainable"
    )  # fmt: skip
    rows = [
        (
            ", ".join(f"{name}={value}" for name, value in timing.sizes.items()),
            f"{timing.median_us:.1f}",
            _number(timing.gb_per_s),
            _number(timing.gflop_per_s),
            f"{timing.attainable_fraction:.0%}" if timing.attainable_fraction is not None else "-",
        )
        for timing in verdict.timing
    ]
    table("", headings, rows)


def _number(value: float | None) -> str:
    return f"{value:.0f}" if value is not None else "-"
