"""The problem to do next: what is in reach before what is not, what builds on this one before what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.content import LEVELS, ProblemCard
from knowledge.submit.problem_progress import ProblemProgress
from knowledge.words import Message


@dataclass(frozen=True, slots=True)
class NextProblem:
    card: ProblemCard
    why: Message


def next_problem(
    problems: Sequence[ProblemCard], marks: Mapping[str, ProblemProgress], after: str
) -> NextProblem | None:
    """Return what to do after a problem that was just solved; None once everything is solved."""
    here = next((card for card in problems if card.slug == after), None)
    open_ones = [card for card in problems if card.slug != after and marks.get(card.slug, "new") != "solved"]
    if here is None or not open_ones:
        return None

    def distance(card: ProblemCard) -> tuple[int, bool, int, int, str]:
        unmet = sum(marks.get(need, "new") != "solved" for need in card.needs if need != after)
        shared = len(set(card.topics) & set(here.topics))
        return unmet, after not in card.needs, LEVELS.index(card.level), -shared, card.slug

    chosen = min(open_ones, key=distance)
    return NextProblem(chosen, _why(chosen, here, marks))


def _why(card: ProblemCard, here: ProblemCard, marks: Mapping[str, ProblemProgress]) -> Message:
    if marks.get(card.slug) == "tried":
        return Message("after.next_tried")
    if here.slug in card.needs:
        return Message("after.next_builds_on", title=here.title)
    return Message("after.next_new")
