"""What the database knows of a member's plan: its row, what was done on which day, the questions asked so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.plans.review_schedule import Card, first_due
from knowledge.recommend.history import History, history_of
from knowledge.store.tables import PlanRow, ReadingEvent, ReviewRow


@dataclass(frozen=True, slots=True)
class Sitting:
    """Time spent on an item that is longer than a week."""

    item: str
    minutes: int
    on: date


@dataclass(frozen=True, slots=True)
class Outline:
    """A plan as it is stored."""

    goal: str
    level: str
    minutes_a_week: int
    items: tuple[str, ...]
    terms: Mapping[str, tuple[str, ...]]
    """By item, the terms that are asked once it is done."""
    sittings: tuple[Sitting, ...]
    starts_on: date
    resumes_on: date | None

    def reached(self, item: str) -> int:
        """Minutes spent on an item so far."""
        return sum(sitting.minutes for sitting in self.sittings if sitting.item == item)


@dataclass(frozen=True, slots=True)
class Records:
    outline: Outline | None
    history: History
    done_on: Mapping[str, date]
    stored: tuple[Card, ...]
    """Questions with a day on which they are due."""
    met: frozenset[str]
    """Every question that has a row, those known for good as well."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """What is or will be due, oldest debt first; an item that is done brings its terms on the next day."""
        terms = self.outline.terms if self.outline else {}
        brought = {
            f"term:{term}": first_due(self.done_on[item])
            for item in terms
            if item in self.done_on
            for term in terms[item]
        }
        new = (Card(due, question) for question, due in brought.items() if question not in self.met)
        return tuple(sorted((*self.stored, *new)))


async def read_records(session: AsyncSession, member_id: str) -> Records:
    row = await session.get(PlanRow, member_id)
    events = (
        select(ReadingEvent.item, ReadingEvent.event, ReadingEvent.at)
        .where(ReadingEvent.member_id == member_id)
        .order_by(ReadingEvent.at, ReadingEvent.id)
    )
    told = [(item, event, at.date()) for item, event, at in await session.execute(events)]
    history = history_of((item, event) for item, event, _ in told)
    reviews = (await session.scalars(select(ReviewRow).where(ReviewRow.member_id == member_id))).all()
    return Records(
        outline=outline_of(row) if row else None,
        history=history,
        done_on={
            item: day for item, event, day in told if item in history.done and event not in {"saved", "unsaved"}
        },
        stored=tuple(
            Card(review.due, review.question, review.step, review.submission_id) for review in reviews if review.due
        ),
        met=frozenset(review.question for review in reviews),
    )


def outline_of(row: PlanRow) -> Outline:
    return Outline(
        goal=row.goal,
        level=row.level,
        minutes_a_week=row.minutes_a_week,
        items=tuple(entry["item"] for entry in row.items),
        terms={entry["item"]: tuple(entry["terms"]) for entry in row.items},
        sittings=tuple(
            Sitting(entry["item"], entry["minutes"], date.fromisoformat(entry["on"])) for entry in row.sittings
        ),
        starts_on=row.starts_on,
        resumes_on=row.resumes_on,
    )
