"""A verdict for people at a terminal: the word, why, where, how fast, and what to read."""

from __future__ import annotations

from knowledge.practice import AfterAccepted
from knowledge.submit.report import Cases, Explanation, TimingLine, report_of, sizes_text
from knowledge.words import Language
from warpmate.options import language_named
from warpmate.render import say, table
from worker.protocol import Verdict

_WRONG_CASES = 3


def show(
    verdict: Verdict, source: str, lang: str, after: AfterAccepted | None = None, attempt: int | None = None
) -> None:
    """`attempt`: the how-manieth of this member at this problem, where that is known."""
    language = language_named(lang)
    report = report_of(verdict, source, language)
    say(language("verdict.line", word=report.headline.word, backend=report.headline.ran_on))
    counted = {"attempt": attempt, "problem": verdict.problem} if attempt and verdict.problem else {}
    say(language("verdict.number", id=verdict.submission, **counted))
    if report.headline.explanation:
        say(report.headline.explanation)
    if report.compiler_log:
        say(report.compiler_log)
    for explanation in report.explanations:
        show_explanation(explanation)
    if report.adapted:
        say(f"\n{language('verdict.adapted')}")
        for number, code in report.adapted:
            say(f"    {number:4} | {code}")
    if report.cases:
        _show_cases(report.cases)
    if report.timing:
        _show_timing(report.timing, language)
    if report.output:
        say(f"{language('verdict.output')}\n{report.output}")
    if after is not None and verdict.problem:
        _show_after(after, verdict.problem, language)


def _show_after(after: AfterAccepted, slug: str, language: Language) -> None:
    """What this kernel leaves on the table, and what to do next."""
    say("\n" + language("left.title"))
    for line in after.left:
        say(f"    {language.say(line)}")
    say("\n" + language("after.title", solved=after.solved, problems=after.problems))
    if after.next is None:
        say(language("after.all_solved"))
    else:
        card = after.next.card
        say(language("after.next", title=card.title, level=card.level))
        say(language.say(after.next.why))
        say(language("practice.next", slug=card.slug))
    for line in after.streak.lines:
        say(language.say(line))
    say(language("practice.editorial", slug=slug))


def show_explanation(explanation: Explanation) -> None:
    finding, line = explanation.finding, explanation.line
    say(f"\n[{finding.severity}] {finding.id}{f':{line}' if line else ''}  {explanation.text}")
    for number, code in explanation.excerpt:
        if number == line:
            say(f"    {number:4} | {code}")
    for reading in finding.readings:
        say(f"    → {reading['title']}  {reading['url'] or reading['resource_id']}")


def _show_cases(cases: Cases) -> None:
    say(f"\n{cases.summary}")
    for case in cases.wrong[:_WRONG_CASES]:
        say(f"    {case.text}")


def _show_timing(timing: tuple[TimingLine, ...], language: Language) -> None:
    headings = (language("verdict.sizes"), language("verdict.median"), "GB/s", "GFLOP/s", language("verdict.share"))
    rows = [
        (
            sizes_text(line.sizes),
            line.median_us,
            line.gb_per_s or "-",
            line.gflop_per_s or "-",
            line.attainable or "-",
        )
        for line in timing
    ]
    table("", headings, rows)
