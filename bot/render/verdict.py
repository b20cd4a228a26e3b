"""A submission on its way, and its verdict: one line a case, findings with their line of code, what to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.buttons import Press, Style, row
from bot.render.card import Card, Part, Tone, Upload, card
from bot.texts import fence, one_line, when
from knowledge.submit.report import CaseResult, Finding, Kind, Progress, Stage, Timing, Verdict, WorkerState
from knowledge.wording import Voice

SPINNER = "◐◓◑◒"
_GOOD = {Kind.ACCEPTED, Kind.RAN, Kind.COMPILED}
_OURS = {Kind.INFRASTRUCTURE_ERROR, Kind.CANCELLED, Kind.UNSUPPORTED, Kind.HELD}
_MARK = {Tone.GOOD: "✅", Tone.BAD: "❌", Tone.WARN: "⚠️"}
_CASES = 8
_FINDINGS = 3
_AROUND = 1
"""Lines of code shown before and after the one that a finding names."""


def progress_card(step: Progress, started_s: float, voice: Voice, steps: int) -> Card:
    """What is being done, since when; the client itself keeps the time."""
    spin = SPINNER[steps % len(SPINNER)]
    line = f"{spin} **{voice(f'stage.{step.stage.value}')}**"
    if step.stage is Stage.QUEUED and step.position:
        line += " · " + voice("submit.ahead", n=step.position)
    cancel = Press("cancel", step.submission, label=voice("submit.cancel"))
    return card(line, f"-# {voice('submit.since', when=when(started_s))} · `{step.submission}`", row(cancel),
                tone=Tone.QUIET)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and what its card shows beside it."""

    verdict: Verdict
    source: str
    workers: Sequence[WorkerState] = ()
    """Who judges here: one of them may have measured the card's roof."""


def verdict_card(judged: Judged, voice: Voice, *, for_user: int | None = None, shared: bool = False) -> Card:
    """`for_user` names whom a late verdict is for; `shared` leaves out the buttons that are the owner's alone."""
    verdict, source = judged.verdict, judged.source
    tone = Tone.GOOD if verdict.verdict in _GOOD else Tone.WARN if verdict.verdict in _OURS else Tone.BAD
    picture = _roofline(judged, voice)
    return card(
        f"<@{for_user}>" if for_user else None,
        f"### {_MARK[tone]} {voice(f'verdict.{verdict.verdict.value}')}{_of_problem(verdict)}",
        _facts(verdict, voice),
        _compile_log(verdict),
        *[_finding(finding, source, voice) for finding in verdict.findings[:_FINDINGS]],
        _cases(verdict.cases, voice),
        _timing(verdict.timing or (), voice),
        f"**{voice('verdict.output')}**\n{fence(verdict.output, '', 500)}" if verdict.output.strip() else None,
        _buttons(verdict, source, voice, shared=shared),
        tone=tone,
        pictures=[picture] if picture else [],
    )


def late_verdict_note(submission: str, user_id: int, voice: Voice) -> discord.ui.LayoutView:
    """Public, so it says nothing but that there is something to open."""
    opens = Press("verdict", submission, label=voice("submit.show"), style=Style.primary)
    return card(voice("submit.late", user=f"<@{user_id}>"), row(opens)).view


def line_of_case(case: CaseResult) -> str:
    """`✗ n=33, uniform: out[0] = 1.5, expected 3.25`."""
    sizes = ", ".join(f"{name}={value}" for name, value in case.sizes.items())
    head = f"{'✓' if case.ok else '✗'} {sizes}, {case.values}"
    if case.ok or case.first is None:
        return head
    index = "".join(f"[{at}]" for at in case.first.index)
    return f"{head}: {case.first.output}{index} = {_number(case.first.got)} ≠ {_number(case.first.expected)}"


def _of_problem(verdict: Verdict) -> str:
    return f" · {one_line(verdict.problem, 64)}" if verdict.problem else ""


def _facts(verdict: Verdict, voice: Voice) -> str:
    facts = [one_line(verdict.card.name, 60) if verdict.card else voice(f"backend.{verdict.backend.value}")]
    if verdict.score is not None:
        facts.append(voice("verdict.score", score=f"{verdict.score:.3f}"))
    if verdict.rank is not None:
        facts.append(voice("verdict.rank", rank=verdict.rank))
    if verdict.verdict is Kind.INFRASTRUCTURE_ERROR:
        facts.append(voice("verdict.not_counted"))
    kernels = verdict.compile.kernels if verdict.compile else ()
    resources = [
        voice(
            "verdict.resources",
            name=one_line(kernel.name, 40),
            registers=kernel.registers,
            shared=kernel.shared_bytes,
            spills=kernel.spill_bytes,
            occupancy=f"{kernel.occupancy:.0%}",
        )
        for kernel in kernels[:3]
    ]
    return "\n".join([" · ".join(facts), *resources, f"-# `{verdict.submission}`"])


def _compile_log(verdict: Verdict) -> str | None:
    if verdict.compile is None or verdict.compile.ok or not verdict.compile.log.strip():
        return None
    return fence(verdict.compile.log, "", 900)


def _finding(finding: Finding, source: str, voice: Voice) -> str:
    mark = {"error": "❌", "warning": "⚠️", "hint": "💡"}[finding.severity]
    where = f"**{voice('verdict.line', line=finding.line)}** " if finding.line else ""
    message = one_line(finding.message.get(voice.lang) or finding.message.get("en", finding.id), 500)
    excerpt = _excerpt(source, finding.line) if finding.line else ""
    return f"{mark} {where}{message}" + (f"\n{fence(excerpt, 'cuda', 400)}" if excerpt else "")


def _excerpt(source: str, line: int) -> str:
    lines = source.splitlines()
    if not 1 <= line <= len(lines):
        return ""
    first, last = max(1, line - _AROUND), min(len(lines), line + _AROUND)
    return "\n".join(f"{'>' if n == line else ' '}{n:4} | {lines[n - 1][:110]}" for n in range(first, last + 1))


def _cases(cases: tuple[CaseResult, ...], voice: Voice) -> str | None:
    if not cases:
        return None
    right = sum(case.ok for case in cases)
    shown = sorted(cases, key=lambda case: case.ok)[:_CASES]
    head = voice("verdict.cases", right=right, all=len(cases))
    more = [voice("verdict.more_cases", n=len(cases) - len(shown))] if len(cases) > len(shown) else []
    return f"**{head}**\n" + fence("\n".join([*map(line_of_case, shown), *more]), "", 900)


def _timing(timings: tuple[Timing, ...], voice: Voice) -> str | None:
    if not timings:
        return None
    lines = [
        f"{', '.join(f'{k}={v}' for k, v in timing.sizes.items())}: {timing.median_us:.1f} µs, "
        + ", ".join(
            part
            for part in (
                f"{timing.gb_per_s:.0f} GB/s" if timing.gb_per_s is not None else "",
                f"{timing.gflop_per_s:.0f} GFLOP/s" if timing.gflop_per_s is not None else "",
                voice("verdict.attainable", share=f"{timing.attainable_fraction:.0%}")
                if timing.attainable_fraction is not None
                else "",
            )
            if part
        )
        for timing in timings[:6]
    ]
    return f"**{voice('verdict.timing')}**\n" + fence("\n".join(lines), "", 700)


def _buttons(verdict: Verdict, source: str, voice: Voice, *, shared: bool) -> Part:
    id_ = verdict.submission
    buttons = []
    if any(finding.readings for finding in verdict.findings):
        buttons.append(Press("about", id_, label=voice("verdict.read_about"), style=Style.primary))
    if not shared:
        if verdict.verdict is not Kind.ACCEPTED:
            buttons.append(Press("again", id_, label=voice("verdict.again")))
        buttons.append(Press("code", id_, label=voice("verdict.code")))
        buttons.append(Press("share", id_, label=voice("verdict.share")))
    return row(*buttons) if buttons else None


def _roofline(judged: Judged, voice: Voice) -> tuple[Upload, str] | None:
    """Measured points under the card's roof; without a measurement, or a known card, there is no picture."""
    if not judged.verdict.timing:
        return None
    from knowledge.plots.measured import draw_measured

    picture = draw_measured(judged.verdict, judged.workers, lang=voice.lang, form="png")
    return (Upload("roofline.png", picture.data), picture.alt) if picture else None


def _number(value: float | None) -> str:
    return "NaN" if value is None else f"{value:.7g}"
