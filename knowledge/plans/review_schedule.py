"""When a question is asked: 1 day after it was met, then 3, 7, 16 and 35 days after each right answer.

After a wrong answer it begins again on the next day. What was right after the last interval is known for good.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from knowledge.plans.weeks import WEEK, Week

INTERVALS_DAYS = (1, 3, 7, 16, 35)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A question and the day on which it is due; cards sort by that day."""

    due: date
    question: str
    step: int = 0
    """Right answers in a row."""
    submission: str | None = None
    """Where the mistake was made that it asks about."""


def first_due(learnt_on: date) -> date:
    return learnt_on + timedelta(days=INTERVALS_DAYS[0])


def after(step: int, right: bool, on: date) -> tuple[int, date | None]:
    """The step and the day that follow an answer; no day once it is known."""
    if not right:
        return 0, first_due(on)
    step += 1
    return step, on + timedelta(days=INTERVALS_DAYS[step]) if step < len(INTERVALS_DAYS) else None


def asked_by_week(
    weeks: Sequence[Week], cards: Iterable[Card], brings: Mapping[str, Sequence[str]], most: int
) -> Iterator[tuple[str, ...]]:
    """What each week will ask, oldest debt first and at most so many, if all is done in time and answered rightly.

    An item brings its questions on the day after the week in which it ends; what finds no room waits.
    """
    waiting = list(cards)
    heapq.heapify(waiting)
    for week in weeks:
        asked: list[str] = []
        while waiting and waiting[0].due < week.starts_on + WEEK and len(asked) < most:
            card = heapq.heappop(waiting)
            asked.append(card.question)
            step, due = after(card.step, True, max(card.due, week.starts_on))
            if due is not None:
                heapq.heappush(waiting, Card(due, card.question, step))
        for part in week.parts:
            for question in brings.get(part.item, ()) if part.left == 0 else ():
                heapq.heappush(waiting, Card(first_due(week.starts_on + WEEK - timedelta(days=1)), question))
        yield tuple(asked)
