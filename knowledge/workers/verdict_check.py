"""What a worker on another host may say: its verdict held against the job, before it touches anything of ours."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sized

from knowledge.workers.tried_check import is_tried
from worker.protocol import PROTOCOL, Backend, Finding, Form, Job, Kind, Timing, Verdict, WorkerState

KIB = 1024
LONGEST_TEXT = 64 * KIB
LONGEST_WORD = 200
LONGEST_SENTENCE = 2000
MOST_EVIDENCE_BYTES = 16 * KIB
HIGHEST_SCORE = 1.5
"""Of what a card can reach; what passes its ceiling by half was not measured on it."""
MOST = {"cases": 2000, "timing": 64, "prediction": 64, "counted": 64, "findings": 200, "stages_ms": 16}
LANGUAGES = frozenset({"en", "zh"})
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def wrong_with(verdict: Verdict, job: Job, worker: WorkerState) -> str | None:
    """The first thing that cannot be true of an honest verdict on this job; None where there is none."""
    for name, is_wrong in _CHECKS:
        if is_wrong(verdict, job, worker):
            return name
    return next(_out_of_shape(verdict, job), None)


def _is_about_another(verdict: Verdict, job: Job, _worker: WorkerState) -> bool:
    return (verdict.submission, verdict.protocol) != (job.submission, PROTOCOL)


def _has_another_form(verdict: Verdict, job: Job, _worker: WorkerState) -> bool:
    return verdict.form is not job.form


def _has_another_problem(verdict: Verdict, job: Job, _worker: WorkerState) -> bool:
    return verdict.problem != job.problem


def _ran_elsewhere(verdict: Verdict, job: Job, worker: WorkerState) -> bool:
    """On what the worker does not have, or what the member did not ask for."""
    if verdict.verdict is Kind.INFRASTRUCTURE_ERROR:
        return False
    if verdict.backend not in (*worker.backends, Backend.COMPILE):
        return True
    return job.backend is Backend.GPU and verdict.backend is Backend.EMULATOR


def _has_another_card(verdict: Verdict, _job: Job, worker: WorkerState) -> bool:
    return verdict.card is not None and (verdict.card != worker.card or verdict.backend is not Backend.GPU)


def _is_not_a_judges(verdict: Verdict, _job: Job, _worker: WorkerState) -> bool:
    """A rank is the server's to give, and so is it to cancel."""
    return verdict.rank is not None or verdict.verdict is Kind.CANCELLED


def _contradicts_itself(verdict: Verdict, _job: Job, _worker: WorkerState) -> bool:
    return verdict.verdict is Kind.ACCEPTED and not all(case.ok for case in verdict.cases)


def _was_timed_without_a_card(verdict: Verdict, _job: Job, _worker: WorkerState) -> bool:
    return verdict.timing is not None and (verdict.backend is not Backend.GPU or verdict.card is None)


def _scores_wrongly(verdict: Verdict, _job: Job, _worker: WorkerState) -> bool:
    if verdict.score is None:
        return False
    measured = verdict.backend is Backend.GPU and verdict.card is not None and bool(verdict.timing)
    earned = measured and verdict.form is Form.KERNEL and verdict.verdict is Kind.ACCEPTED
    return not earned or not 0 <= verdict.score <= HIGHEST_SCORE


def _tried_what_is_judged(verdict: Verdict, job: Job, _worker: WorkerState) -> bool:
    return verdict.tried is not None and job.form is not Form.TRY


_CHECKS: tuple[tuple[str, Callable[[Verdict, Job, WorkerState], bool]], ...] = (
    ("it is about another submission", _is_about_another),
    ("its form is another", _has_another_form),
    ("its problem is another", _has_another_problem),
    ("it ran where this worker does not run it", _ran_elsewhere),
    ("its card is not the worker's", _has_another_card),
    ("it says what only the server says", _is_not_a_judges),
    ("it accepts what is wrong", _contradicts_itself),
    ("it was timed without a card", _was_timed_without_a_card),
    ("it shows a run that nobody asked for", _tried_what_is_judged),
    ("its score was not measured", _scores_wrongly),
)


def _out_of_shape(verdict: Verdict, job: Job) -> Iterator[str]:
    for name, most in MOST.items():
        part: Sized | None = getattr(verdict, name)
        if part is not None and len(part) > most:
            yield f"{name} has more than {most} entries"
    log = verdict.compile.log if verdict.compile else ""
    if max(len(verdict.output), len(log)) > LONGEST_TEXT or len(verdict.adapted or "") > 4 * LONGEST_TEXT:
        yield f"a text is longer than {LONGEST_TEXT} characters"
    if not all(len(name) <= LONGEST_WORD and _plausible(ms) for name, ms in verdict.stages_ms.items()):
        yield "stages_ms is no list of durations"
    if not all(_is_time(timing) for timing in verdict.timing or ()):
        yield "timing is no list of measurements"
    if not all(len(case.values) <= LONGEST_WORD and _is_sizes(case.sizes) for case in verdict.cases):
        yield "cases is no list of cases"
    lines = job.source.count("\n") + 2
    if not all(_is_finding(finding, lines) for finding in verdict.findings):
        yield "findings is no list of findings"
    if verdict.tried is not None and not is_tried(verdict.tried):
        yield "tried is not what a run shows"


def _is_finding(finding: Finding, lines: int) -> bool:
    """Readings are the server's to give, and a line is one of the member's file."""
    return (
        _ID.fullmatch(finding.id) is not None
        and not finding.readings
        and (finding.line is None or 0 <= finding.line <= lines)
        and finding.message.keys() <= LANGUAGES
        and all(len(text) <= LONGEST_SENTENCE for text in finding.message.values())
        and len(json.dumps(finding.evidence)) <= MOST_EVIDENCE_BYTES
    )


def _is_time(timing: Timing) -> bool:
    return _is_sizes(timing.sizes) and all(map(_plausible, (timing.median_us, timing.p10_us, timing.p90_us)))


def _is_sizes(sizes: dict[str, int]) -> bool:
    return len(sizes) <= 16 and all(len(name) <= LONGEST_WORD for name in sizes)


def _plausible(duration: float) -> bool:
    """Whether a day would hold it, in milliseconds as in microseconds."""
    return math.isfinite(duration) and 0 <= duration < 1e11
