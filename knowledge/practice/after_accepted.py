"""After *accepted*: what this kernel leaves on the table, by its own figures, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.content.solution_times import SolutionTimes, time_text
from knowledge.practice.next_problem import NextProblem
from knowledge.practice.predicted_lines import predicted_lines
from knowledge.practice.streaks import Streak
from knowledge.submit.report import sizes_text
from knowledge.words import Message
from worker.protocol import Finding, Timing, Verdict

NEAR_THE_BEST = 0.97
"""Of what the card reaches: what is missing is within the noise of a measurement."""
WIDEST_ACCESS_BYTES = 16
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class AfterAccepted:
    left: tuple[Message, ...]
    """What this kernel could still gain, measured before counted."""
    next: NextProblem | None
    """None once everything is solved."""
    solved: int
    problems: int
    streak: Streak


def left_on_the_table(verdict: Verdict, known: SolutionTimes) -> tuple[Message, ...]:
    """Return what this very kernel could still gain; where nothing shows, that, and how far this was looked at.

    A kernel that no card timed is told the time that its counts predict, with what limits it, and what the best known
    solution took, for counts say nothing of the work that a better idea would save.
    """
    card = verdict.card.name if verdict.card else ""
    timed = [line for timing in verdict.timing or () if (line := _of_timing(timing, card))]
    counted = [line for finding in verdict.findings if (line := _of_finding(finding))]
    if any(timing.attainable_fraction is not None for timing in verdict.timing or ()):
        said = [*timed, *counted] or [Message("left.nothing_measured", noise=1 - NEAR_THE_BEST)]
        return tuple(said[:MOST_LINES])
    predicted = predicted_lines(verdict, known)
    others = [] if predicted else list(_of_solutions(known, verdict.problem or ""))
    room = max(1, MOST_LINES - len(others) - len(predicted))
    return (*predicted, *(counted or [Message("left.nothing_counted")])[:room], *others)


def _of_solutions(known: SolutionTimes, problem: str) -> Iterator[Message]:
    """What the right solutions took at the size that tells most between the slowest and the fastest of them."""
    by_sizes: dict[str, list[float]] = {}
    for time in known.of_problem(problem):
        by_sizes.setdefault(sizes_text(time.sizes), []).append(time.median_us)
    widest = max(by_sizes.items(), key=lambda item: max(item[1]) / min(item[1]), default=None)
    if widest is not None:
        sizes, taken = widest
        best, worst = time_text(min(taken)), time_text(max(taken))
        yield Message("left.solutions", sizes=sizes, best=best, worst=worst, card=known.card)


def _of_timing(timing: Timing, card: str) -> Message | None:
    share = timing.attainable_fraction
    if share is None or not 0 < share < NEAR_THE_BEST:
        return None
    return Message(
        "left.time",
        sizes=sizes_text(timing.sizes),
        median=timing.median_us,
        least=timing.median_us * share,
        card=card,
        left=1 - share,
    )


Figures = Mapping[str, Any]


def _of_finding(finding: Finding) -> Message | None:
    """Return the advice as a figure of this kernel; None where it has none, or comes from another version."""
    said = _COUNTED.get(finding.id)
    if said is None:
        return None
    try:
        return said({**finding.evidence, "line": finding.line})
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def _sectors(seen: Figures) -> Message:
    sectors, ideal = float(seen["sectors"]), float(seen["ideal"])
    return Message("left.sectors", line=int(seen["line"]), sectors=sectors, ideal=ideal, times=sectors / ideal)


def _banks(seen: Figures) -> Message:
    return Message("left.banks", line=int(seen["line"]), ways=float(seen["ways"]))


def _occupancy(seen: Figures) -> Message:
    return Message("left.occupancy", kernel=str(seen["kernel"]), share=str(seen["share"]))


def _idle(seen: Figures) -> Message:
    blocks, all_of_them = int(seen["blocks"]), int(seen["multiprocessors"])
    idle = all_of_them - blocks
    return Message("left.idle", blocks=blocks, idle=idle, multiprocessors=all_of_them, card=str(seen["card"]))


def _spills(seen: Figures) -> Message:
    return Message("left.spills", kernel=str(seen["kernel"]), bytes=int(seen["bytes"]))


def _narrow(seen: Figures) -> Message:
    width = int(seen["bytes"])
    return Message("left.narrow", bytes=width, widest=WIDEST_ACCESS_BYTES, times=WIDEST_ACCESS_BYTES // width)


def _divergence(seen: Figures) -> Message:
    return Message("left.divergence", share=str(seen["share"]), active=str(seen["active"]))


_COUNTED: Mapping[str, Callable[[Figures], Message]] = {
    "uncoalesced": _sectors,
    "strided-access": _sectors,
    "bank-conflict": _banks,
    "low-occupancy": _occupancy,
    "too-few-blocks": _idle,
    "register-spill": _spills,
    "not-vectorised": _narrow,
    "divergence": _divergence,
}
"""Advice of the judge that carries a figure, by the id of its finding."""
