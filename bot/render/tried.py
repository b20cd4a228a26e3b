"""What a try showed, drawn in text: outputs, who wrote, one access of a warp, what lines cost; the code as a file."""

from __future__ import annotations

import unicodedata

from bot.buttons import Press, Style, row
from bot.markup import fence, one_line
from bot.render.card import Card, Tone, Upload, card, with_file
from knowledge.submit import Tried, Verdict
from knowledge.submit.report import Explanation, Report, number_text, report_of, sizes_text
from knowledge.submit.try_report import access_said, code_beside, drawn, line_facts, written
from knowledge.words import Language

_TONES = {"good": Tone.GOOD, "bad": Tone.BAD, "warn": Tone.WARN}
_MARK = {Tone.GOOD: "✅", Tone.BAD: "❌", Tone.WARN: "⚠️"}
_FINDINGS, _OUTPUTS, _ELEMENTS, _WRITES, _LINES = 3, 2, 8, 4, 6
_CODE_COLUMNS = 60


def try_card(verdict: Verdict, source: str, language: Language, *, for_user: int | None = None) -> Card:
    """Return all of it for whoever tried; what does not fit is cut from below, and PTX and SASS are a file."""
    report = report_of(verdict, source, language)
    tone, tried = _TONES[report.headline.tone], verdict.tried
    on = one_line(f"{sizes_text(verdict.cases[0].sizes)} · {verdict.cases[0].values}", 120) if verdict.cases else ""
    made = card(
        f"<@{for_user}>" if for_user else None,
        f"### {_MARK[tone]} {report.headline.word} · {language('form.try')}{on and f' · {on}'}",
        report.headline.explanation or None,
        fence(report.compiler_log, "", 900) if report.compiler_log else None,
        *[_explanation(one, language) for one in report.explanations[:_FINDINGS]],
        *(_seen(tried, source, language) if tried else ()),
        f"**{language('verdict.output')}**\n{fence(report.output, '', 400)}" if report.output else None,
        _resources(report, language),
        f"-# {language('trying.no_attempt')} `{verdict.submission}`",
        row(Press("try_again", verdict.submission, label=language("trying.again"), style=Style.primary)),
        tone=tone,
    )
    code = _code(tried, source, language) if tried else ""
    return with_file(made, Upload("compiled.txt", code.encode())) if code else made


def _explanation(explanation: Explanation, language: Language) -> str:
    mark = {"error": "❌", "warning": "⚠️", "hint": "💡"}[explanation.finding.severity]
    where = f"**{language('verdict.line', line=explanation.line)}** " if explanation.line else ""
    return f"{mark} {where}{one_line(explanation.text, 500)}"


def _seen(tried: Tried, source: str, language: Language) -> list[str]:
    parts = []
    for output in tried.outputs[:_OUTPUTS]:
        first = max(0, min(output.wrong[0] - 1, len(output.got) - _ELEMENTS)) if output.wrong else 0
        title = language("try.output", name=output.name, elements=output.elements, wrong=output.mismatches)
        rows = [
            f"{f'{output.name}[{output.start + place}]':<12}{number_text(output.got[place]):>14}"
            f"{number_text(output.expected[place]):>14}{' ≠' if place in output.wrong else ''}"
            for place in range(first, min(first + _ELEMENTS, len(output.got)))
        ]
        head = " " * 12 + _flush_right(language("try.yours")) + _flush_right(language("try.right"))
        parts.append(f"**{one_line(title)}**\n{fence(chr(10).join([head, *rows]), '', 500)}")
    if tried.writes:
        lines = [written(one, place, language) for place, one in enumerate(tried.writes[:_WRITES], 1)]
        parts.append(fence("\n".join(lines), "", 500))
    if tried.access:
        lines = [line[4:] for line in drawn(tried.access, language)[1:]]
        parts.append(f"{one_line(access_said(tried.access, language), 400)}\n{fence(chr(10).join(lines), '', 700)}")
    if costs := _costs(tried, source, language):
        parts.append(fence("\n".join(costs), "", 700))
    return parts


def _flush_right(word: str) -> str:
    """Fourteen columns, of which a Chinese character takes two."""
    return " " * (14 - sum(2 if unicodedata.east_asian_width(one) in "FW" else 1 for one in word)) + word


def _costs(tried: Tried, source: str, language: Language) -> list[str]:
    lines, found = source.split("\n"), list[str]()
    for line, figures in list(tried.lines.items())[:_LINES]:
        if said := line_facts(figures, language):
            code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
            found += [f"{line:3} | {code[:_CODE_COLUMNS]}", f"      {said}"]
    return found


def _resources(report: Report, language: Language) -> str | None:
    kernels = report.verdict.compile.kernels if report.verdict.compile else ()
    said = [
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
    return "\n".join(said) or None


def _code(tried: Tried, source: str, language: Language) -> str:
    parts = [
        "\n".join([language(title), *code_beside(code, source)])
        for title, code in (("try.ptx", tried.ptx), ("try.sass", tried.sass))
        if code
    ]
    return "\n\n".join(parts)
