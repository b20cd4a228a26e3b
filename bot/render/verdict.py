"""A submission in progress, and its verdict: one line per case, findings with their line of code, readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.buttons import Press, Style, row
from bot.markup import fence, one_line, when
from bot.render.card import Card, Part, Tone, Upload, card
from bot.render.tried import try_card
from knowledge.practice import AfterAccepted
from knowledge.submit import Form, Progress, Stage, Verdict, WorkerState
from knowledge.submit.report import Cases, Explanation, NextStep, Report, TimingLine, report_of, sizes_text
from knowledge.words import Language

SPINNER = "◐◓◑◒"
_TONES = {"good": Tone.GOOD, "bad": Tone.BAD, "warn": Tone.WARN}
_MARK = {Tone.GOOD: "✅", Tone.BAD: "❌", Tone.WARN: "⚠️"}
_CASES = 8
_FINDINGS = 3
_TIMINGS = 6

_PRESSED = {
    NextStep.READ: "about",
    NextStep.AGAIN: "again",
    NextStep.HINTS: "hints",
    NextStep.CODE: "code",
    NextStep.SHARE: "share",
}
_LABELS = {
    NextStep.READ: "verdict.read_about",
    NextStep.AGAIN: "verdict.again",
    NextStep.HINTS: "practice.hints",
    NextStep.CODE: "verdict.code",
    NextStep.SHARE: "verdict.share",
}


def progress_card(step: Progress, started_s: float, language: Language, steps: int) -> Card:
    """Return the card of the current stage with its beginning; the client counts the time."""
    spin = SPINNER[steps % len(SPINNER)]
    line = f"{spin} **{language(f'stage.{step.stage.value}')}**"
    if step.stage is Stage.QUEUED and step.position:
        line += " · " + language("submit.ahead", n=step.position)
    cancel = Press("cancel", step.submission, label=language("submit.cancel"))
    return card(line, f"-# {language('submit.since', when=when(started_s))} · `{step.submission}`", row(cancel),
                tone=Tone.QUIET)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and what its card shows beside it."""

    verdict: Verdict
    source: str
    workers: Sequence[WorkerState] = ()
    """The workers of this installation: one of them may have measured the card's roof."""
    after: AfterAccepted | None = None
    """What comes next for whoever handed it in."""


def verdict_card(judged: Judged, language: Language, *, for_user: int | None = None, shared: bool = False) -> Card:
    """`for_user` names whom a late verdict is for; `shared` leaves out the buttons that are the owner's alone."""
    if judged.verdict.form is Form.TRY:
        return try_card(judged.verdict, judged.source, language, for_user=for_user)
    report = report_of(judged.verdict, judged.source, language)
    tone, picture = _TONES[report.headline.tone], _roofline(judged, language)
    after = None if shared else judged.after
    return card(
        f"<@{for_user}>" if for_user else None,
        f"### {_MARK[tone]} {report.headline.word}{_of_problem(judged.verdict)}",
        _facts(report, language),
        fence(report.compiler_log, "", 900) if report.compiler_log else None,
        *[_explanation(explanation, language) for explanation in report.explanations[:_FINDINGS]],
        _cases(report.cases, language) if report.cases else None,
        _timing(report.timing, language) if report.timing else None,
        f"**{language('verdict.output')}**\n{fence(report.output, '', 500)}" if report.output else None,
        _after(after, language) if after else None,
        _buttons(report, language, shared=shared),
        _ways_on(judged.verdict, after, language) if after else None,
        tone=tone,
        pictures=[picture] if picture else [],
    )


def late_verdict_note(submission: str, user_id: int, language: Language) -> discord.ui.LayoutView:
    """Return a public note that says only that there is a verdict to open."""
    opens = Press("verdict", submission, label=language("submit.show"), style=Style.primary)
    return card(language("submit.late", user=f"<@{user_id}>"), row(opens)).view


def _of_problem(verdict: Verdict) -> str:
    return f" · {one_line(verdict.problem, 64)}" if verdict.problem else ""


def _facts(report: Report, language: Language) -> str:
    verdict, headline = report.verdict, report.headline
    facts = [one_line(headline.ran_on, 60)]
    if headline.score:
        facts.append(language("verdict.score", score=headline.score))
    if headline.rank is not None:
        facts.append(language("verdict.rank", rank=headline.rank))
    kernels = verdict.compile.kernels if verdict.compile else ()
    resources = [
        language(
            "verdict.resources",
            name=one_line(kernel.name, 40),
            registers=kernel.registers,
            shared=kernel.shared_bytes,
            spills=kernel.spill_bytes,
            occupancy=f"{kernel.occupancy:.0%}",
        )
        for kernel in kernels[:3]
    ]
    explained = [headline.explanation] if headline.explanation else []
    return "\n".join([*explained, " · ".join(facts), *resources, f"-# `{verdict.submission}`"])


def _explanation(explanation: Explanation, language: Language) -> str:
    mark = {"error": "❌", "warning": "⚠️", "hint": "💡"}[explanation.finding.severity]
    where = f"**{language('verdict.line', line=explanation.line)}** " if explanation.line else ""
    excerpt = "\n".join(
        f"{'>' if number == explanation.line else ' '}{number:4} | {code[:110]}"
        for number, code in explanation.excerpt
    )
    said = f"{mark} {where}{one_line(explanation.text, 500)}"
    return f"{said}\n{fence(excerpt, 'cuda', 400)}" if excerpt else said


def _cases(cases: Cases, language: Language) -> str:
    shown = [f"{'✓' if line.ok else '✗'} {line.text}" for line in cases.lines[:_CASES]]
    hidden = len(cases.lines) - len(shown)
    more = [language("verdict.more_cases", n=hidden)] if hidden else []
    return f"**{cases.summary}**\n" + fence("\n".join([*shown, *more]), "", 900)


def _timing(timing: Sequence[TimingLine], language: Language) -> str:
    lines = [_timing_line(line, language) for line in timing[:_TIMINGS]]
    return f"**{language('verdict.timing')}**\n" + fence("\n".join(lines), "", 700)


def _timing_line(line: TimingLine, language: Language) -> str:
    figures = [
        f"{line.gb_per_s} GB/s" if line.gb_per_s else "",
        f"{line.gflop_per_s} GFLOP/s" if line.gflop_per_s else "",
        language("verdict.attainable", share=line.attainable) if line.attainable else "",
    ]
    return f"{sizes_text(line.sizes)}: {line.median_us} µs, " + ", ".join(figure for figure in figures if figure)


def _buttons(report: Report, language: Language, *, shared: bool) -> Part:
    """Return the buttons of a verdict; others than its owner get only the one for readings."""
    buttons = [
        Press(
            _PRESSED[step],
            report.verdict.problem if step is NextStep.HINTS else report.verdict.submission,
            label=language(_LABELS[step]),
            style=Style.primary if step is NextStep.READ else Style.secondary,
        )
        for step in report.next_steps
        if step is NextStep.READ or not shared
    ]
    return row(*buttons) if buttons else None


def _after(after: AfterAccepted, language: Language) -> str:
    """Return what this kernel leaves on the table, and the next problem."""
    lines = [f"**{language('left.title')}**", *(f"- {one_line(language.say(line), 300)}" for line in after.left)]
    lines.append(f"**{language('after.title', solved=after.solved, problems=after.problems)}**")
    if after.next is None:
        lines.append(language("after.all_solved"))
    else:
        card_ = after.next.card
        said = language("after.next", title=card_.title, level=card_.level)
        lines += [one_line(said), f"-# {one_line(language.say(after.next.why))}"]
    lines += [f"-# {language.say(line)}" for line in after.streak.lines]
    return "\n".join(lines)


def _ways_on(verdict: Verdict, after: AfterAccepted, language: Language) -> Part:
    """Return the buttons to the next problem and to the worked explanation of this one."""
    buttons = [Press("editorial", verdict.problem, label=language("editorial.read"))]
    if after.next:
        label = language("practice.next_problem")
        buttons.insert(0, Press("problem", after.next.card.slug, label=label, style=Style.primary))
    return row(*buttons)


def _roofline(judged: Judged, language: Language) -> tuple[Upload, str] | None:
    """Return the picture of measured points under the card's roof; None without a measurement or a known card."""
    if not judged.verdict.timing:
        return None
    from knowledge.plots.verdict_roofline import draw_measured

    picture = draw_measured(judged.verdict, judged.workers, lang=language.code, form="png")
    return (Upload("roofline.png", picture.data), picture.alt) if picture else None
