"""A try for people at a terminal: outputs, who wrote an element, counts by line, a picture of one access, PTX."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.submit.report import number_text, report_of, sizes_text
from knowledge.submit.try_report import code_beside, counted, drawn, line_facts, written
from knowledge.words import Language
from warpmate.print_verdict import show_explanation
from warpmate.render import say, table
from worker.protocol import Tried, TriedOutput, Verdict, Write

_LINES_SHOWN = 20


def show_try(verdict: Verdict, source: str, language: Language, *, ptx: bool, sass: bool) -> None:
    report = report_of(verdict, source, language)
    sizes = sizes_text(verdict.cases[0].sizes) if verdict.cases else ""
    say(language("try.line", word=report.headline.word, backend=report.headline.ran_on, sizes=sizes))
    if report.compiler_log:
        say(report.compiler_log)
    for explanation in report.explanations:
        show_explanation(explanation)
    if report.output:
        say(f"\n{language('verdict.output')}\n{report.output}")
    if verdict.tried is None:
        return
    _show_numbers(verdict.tried, language)
    _show_writes(verdict.tried.writes, language)
    _show_counts(verdict.tried, source, language)
    if verdict.tried.access is not None:
        say("\n" + "\n".join(drawn(verdict.tried.access, language)))
    for kernel in verdict.compile.kernels if verdict.compile else ():
        figures = {"registers": kernel.registers, "spills": kernel.spill_bytes, "shared": kernel.shared_bytes}
        say("\n" + language("try.resources", kernel=kernel.name, **figures))
    if ptx:
        _show_code("try.ptx", verdict.tried.ptx, source, language)
    if sass:
        _show_code("try.sass" if verdict.tried.sass else "try.no_sass", verdict.tried.sass, source, language)


def _show_numbers(tried: Tried, language: Language) -> None:
    for name, values in tried.inputs.items():
        say(f"\n{name}: {' '.join(map(number_text, values))}")
    for output in tried.outputs:
        _show_output(output, language)


def _show_output(output: TriedOutput, language: Language) -> None:
    say("\n" + language("try.output", name=output.name, elements=output.elements, wrong=output.mismatches))
    rows = [
        (
            f"{output.name}[{output.start + place}]",
            number_text(got),
            number_text(right),
            "≠" if place in output.wrong else "",
        )
        for place, (got, right) in enumerate(zip(output.got, output.expected, strict=True))
    ]
    table("", (language("try.element"), language("try.yours"), language("try.right"), ""), rows)


def _show_writes(writes: Sequence[Write], language: Language) -> None:
    for place, one in enumerate(writes, start=1):
        say("    " + written(one, place, language))


def _show_counts(tried: Tried, source: str, language: Language) -> None:
    for text in counted(tried, language):
        say(text)
    lines = source.split("\n")
    for line, figures in list(tried.lines.items())[:_LINES_SHOWN]:
        code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        say(f"    {line:4} | {code}\n           {line_facts(figures, language)}")


def _show_code(title: str, code: Sequence[tuple[int, str]], source: str, language: Language) -> None:
    say("\n" + language(title))
    for line in code_beside(code, source):
        say(f"    {line}")
