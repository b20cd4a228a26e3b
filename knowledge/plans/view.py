"""A plan as a member sees it today: its weeks, computed anew from what is done and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from knowledge.plans.goal import Goal
from knowledge.plans.records import Outline, Records
from knowledge.plans.review_schedule import asked_by_week
from knowledge.plans.weeks import WEEK, Part, Task, Week, questions_a_week, week_of, weeks_of
from knowledge.readings import Reading
from knowledge.recommend.choose import Candidate
from knowledge.recommend.order import in_reading_order, inversions
from knowledge.recommend.reasons import readings_of
from knowledge.recommend.shelf import Item, Shelf
from knowledge.words import Message

UNKNOWN_MINUTES = 60
"""What an item counts whose length nobody knows."""
_LEAST_LEFT = 10
"""Of an item that all its minutes were spent on and that is not done."""


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """An item in a week, or as much of it as the week has room for."""

    reading: Reading
    minutes: int
    left: int
    """Minutes of the item that later weeks hold."""
    reached: int
    """Minutes of the item that are spent once this part is."""

    @property
    def whole(self) -> bool:
        return self.left == 0 and self.reached == self.minutes


@dataclass(frozen=True, slots=True)
class PlannedWeek:
    number: int
    starts_on: date
    parts: tuple[PlannedPart, ...]
    questions: int
    """Review questions, a minute each, if everything before is done in its week."""

    @property
    def ends_on(self) -> date:
        return self.starts_on + WEEK - timedelta(days=1)

    @property
    def minutes(self) -> int:
        return sum(part.minutes for part in self.parts) + self.questions


@dataclass(frozen=True, slots=True)
class Plan:
    goal: Goal
    level: str
    minutes_a_week: int
    starts_on: date
    weeks: tuple[PlannedWeek, ...]
    """From the current week on."""
    done: tuple[Reading, ...]
    gone: tuple[str, ...]
    """Titles of what the library no longer has."""
    due: int
    """Review questions that are due today."""
    pauses_until: date | None
    """The day on which it goes on, where weeks were skipped."""

    @property
    def finished(self) -> bool:
        return not any(week.parts for week in self.weeks)

    @property
    def hours(self) -> int:
        return self.minutes_a_week // 60

    def remarks(self) -> Iterator[Message]:
        """What the member should know about the plan as a whole."""
        if self.finished:
            yield Message("plan.finished")
        if self.pauses_until:
            yield Message("plan.pauses", day=self.pauses_until)
        if self.gone:
            yield Message("plan.gone", titles=self.gone)
        if self.due:
            yield Message("plan.due", n=self.due)
        if self.done:
            yield Message("plan.done", n=len(self.done))

    def as_json(self) -> dict[str, Any]:
        return {
            "goal": self.goal.id,
            "level": self.level,
            "hours": self.hours,
            "starts_on": self.starts_on.isoformat(),
            "pauses_until": self.pauses_until.isoformat() if self.pauses_until else None,
            "finished": self.finished,
            "due": self.due,
            "weeks": [_week_json(week) for week in self.weeks],
            "done": [reading.as_json() for reading in self.done],
            "gone": list(self.gone),
        }


def _week_json(week: PlannedWeek) -> dict[str, Any]:
    return {
        "number": week.number,
        "starts_on": week.starts_on.isoformat(),
        "ends_on": week.ends_on.isoformat(),
        "minutes": week.minutes,
        "questions": week.questions,
        "parts": [
            {"reading": part.reading.as_json(), "minutes": part.minutes, "left": part.left, "reached": part.reached}
            for part in week.parts
        ],
    }


def plan_of(outline: Outline, goal: Goal, records: Records, shelf: Shelf, today: date, lang: str) -> Plan:
    known = [shelf.by_id[id_] for id_ in outline.items if id_ in shelf.by_id]
    open_ = [item for item in known if not _is_done(item, records) and item.id not in records.history.skipped]
    reachable = _in_order(shelf, [item for item in open_ if item.link_state != "dead"])
    begins = first_week(outline, today)
    tasks = [Task(item.id, _minutes_left(item, outline)) for item in reachable]
    spent = minutes_spent(outline, records, shelf, begins)
    weeks = weeks_of(tasks, outline.minutes_a_week, begins, spent=spent)
    return Plan(
        goal=goal,
        level=outline.level,
        minutes_a_week=outline.minutes_a_week,
        starts_on=outline.starts_on,
        weeks=_with_readings(weeks, reachable, outline, records, shelf, lang),
        done=_readings(shelf, [item for item in known if _is_done(item, records)], records, lang),
        gone=(
            *(item.title(lang) for item in open_ if item.link_state == "dead"),
            *(id_ for id_ in outline.items if id_ not in shelf.by_id and id_ not in records.history.done),
        ),
        due=sum(card.due <= today for card in records.cards),
        pauses_until=begins if begins > today else None,
    )


def _in_order(shelf: Shelf, items: Sequence[Item]) -> Sequence[Item]:
    """As planned; put in order anew where, with others done by now, one would come before what it rests on."""
    return in_reading_order(shelf, items) if inversions(shelf, items) else items


def first_week(outline: Outline, today: date) -> date:
    """The week that today is in, or the one in which the plan goes on."""
    current = max(week_of(today, outline.starts_on), outline.starts_on)
    return max(current, outline.resumes_on or current)


def minutes_of(item: Item) -> int:
    return item.minutes or UNKNOWN_MINUTES


def _minutes_left(item: Item, outline: Outline) -> int:
    left = minutes_of(item) - outline.reached(item.id)
    return left if left > 0 else _LEAST_LEFT


def minutes_spent(outline: Outline, records: Records, shelf: Shelf, week: date) -> int:
    """On the plan since the week began: items done, and sittings at those that are not."""
    minutes = 0
    for id_ in outline.items:
        sat = sum(sitting.minutes for sitting in outline.sittings if sitting.item == id_ and sitting.on >= week)
        done_on = records.done_on.get(id_)
        if done_on is None:
            minutes += sat
        elif done_on >= week and id_ in shelf.by_id:
            minutes += max(0, minutes_of(shelf.by_id[id_]) - (outline.reached(id_) - sat))
    return minutes


def _is_done(item: Item, records: Records) -> bool:
    return item.id in records.history.done or item.curated_id in records.history.done


def _with_readings(
    weeks: Sequence[Week], items: Sequence[Item], outline: Outline, records: Records, shelf: Shelf, lang: str
) -> tuple[PlannedWeek, ...]:
    readings = {item.id: reading for item, reading in zip(items, _readings(shelf, items, records, lang), strict=True)}
    brings = {item: tuple(f"term:{term}" for term in terms) for item, terms in outline.terms.items()}
    asked = asked_by_week(weeks, records.cards, brings, questions_a_week(outline.minutes_a_week))
    return tuple(
        PlannedWeek(
            number=(week.starts_on - outline.starts_on) // WEEK + 1,
            starts_on=week.starts_on,
            parts=tuple(_part(part, readings[part.item], shelf) for part in week.parts),
            questions=len(questions),
        )
        for week, questions in zip(weeks, asked, strict=True)
    )


def _part(part: Part, reading: Reading, shelf: Shelf) -> PlannedPart:
    length = max(minutes_of(shelf.by_id[part.item]), part.minutes + part.left)
    return PlannedPart(reading, part.minutes, part.left, length - part.left)


def _readings(shelf: Shelf, items: Sequence[Item], records: Records, lang: str) -> tuple[Reading, ...]:
    return readings_of(shelf, [Candidate(item, "on_topic") for item in items], records.history, lang)
