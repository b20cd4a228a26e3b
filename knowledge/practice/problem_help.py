"""Hints that open one by one, and the explanation with its measured steps: what a member may see of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from knowledge.content import Content
from knowledge.content.problem_help import FLOOR, EditorialStep, Hint
from knowledge.content.solution_resources import SolutionResources
from knowledge.content.solution_times import SolutionTime, time_text
from knowledge.readings import Reading
from knowledge.recommend.reasons import reading_of
from knowledge.recommend.shelf import Shelf
from knowledge.submit.report import sizes_text
from knowledge.words import Message


@dataclass(frozen=True, slots=True)
class HintsOpened:
    """A member's hints on one problem."""

    opened: tuple[Hint, ...]
    hints: int
    """How many there are."""
    editorial_open: bool
    """Whether the explanation may be read: the problem is solved or given up."""

    @property
    def next_number(self) -> int | None:
        """Return the number of the hint to open next, counted from 1; None once all are open."""
        return len(self.opened) + 1 if len(self.opened) < self.hints else None

    def as_json(self) -> dict[str, Any]:
        opened = [{"title": one.title, "text": one.text} for one in self.opened]
        return {"opened": opened, "hints": self.hints, "editorial_open": self.editorial_open}


@dataclass(frozen=True, slots=True)
class ShapeFigures:
    """One solution at one size, or the least that the card takes there."""

    sizes: str
    time_us: float
    rate: float | None
    unit: str
    attainable: float | None
    library: float | None

    @property
    def message(self) -> Message:
        """Return all of it as one line."""
        if self.rate is None:
            return Message("editorial.least", sizes=self.sizes, time=time_text(self.time_us))
        figures = {"sizes": self.sizes, "time": time_text(self.time_us), "rate": f"{self.rate:,.0f} {self.unit}"}
        if self.library is None:
            return Message("editorial.figures", attainable=self.attainable, **figures)
        return Message("editorial.figures_beside", attainable=self.attainable, library=self.library, **figures)


@dataclass(frozen=True, slots=True)
class MeasuredStep:
    """A step with what was measured of it."""

    step: EditorialStep
    figures: tuple[ShapeFigures, ...]
    times_faster: float | None
    """Than the measured step before, over all sizes; None for the first."""
    source: str
    """The solution's code; empty for a step without one."""
    launched: Message | None
    """What the solution launches, and what that takes of a multiprocessor."""
    readings: tuple[Reading, ...]

    def as_json(self) -> dict[str, Any]:
        shapes = (
            {"sizes": shape.sizes, "time_us": shape.time_us, "attainable": shape.attainable} for shape in self.figures
        )
        return {
            "title": self.step.title,
            "text": self.step.text,
            "solution": self.step.solution,
            "times": list(shapes),
            "readings": [reading.as_json() for reading in self.readings],
        }

    @property
    def compared(self) -> Message | None:
        """Return how much faster or slower it is than the step before."""
        if self.times_faster is None:
            return None
        if self.times_faster < 1:
            return Message("editorial.slower", times=1 / self.times_faster)
        return Message("editorial.faster", times=self.times_faster)


@dataclass(frozen=True, slots=True)
class Editorial:
    problem: str
    steps: tuple[MeasuredStep, ...]
    card: str
    driver: str
    date: str

    @property
    def measured(self) -> bool:
        """Whether a card has timed any solution of this problem."""
        return any(one.figures for one in self.steps)

    @property
    def measured_on(self) -> Message:
        if not self.measured:
            return Message("editorial.not_measured")
        return Message("editorial.measured_on", card=self.card, driver=self.driver, date=self.date)

    def as_json(self) -> dict[str, Any]:
        on = {"card": self.card, "driver": self.driver, "date": self.date} if self.measured else None
        return {"problem": self.problem, "measured_on": on, "steps": [one.as_json() for one in self.steps]}


def editorial_of(content: Content, shelf: Shelf, slug: str, lang: str) -> Editorial:
    """Return the problem's steps in a language, each with its times out of the record."""
    times = content.solution_times
    measured: list[MeasuredStep] = []
    before: dict[str, float] = {}
    for step in content.help[slug].editorial.get(lang, ()):
        rows = times.of_solution(slug, step.measured)
        here = {sizes_text(row.sizes): row.median_us for row in rows}
        figures = _floor(times.of_problem(slug)) if step.measured == FLOOR else tuple(map(_figures, rows))
        readings = tuple(_readings(content, shelf, step, lang))
        source = content.help[slug].sources.get(step.measured, "")
        used = content.solution_resources.of_solution(slug, step.measured)
        launched = _launched(used) if used else None
        measured.append(MeasuredStep(step, figures, _ratio(before, here), source, launched, readings))
        before = here or before
    return Editorial(slug, tuple(measured), times.card, times.driver, times.date)


def _ratio(before: dict[str, float], here: dict[str, float]) -> float | None:
    shared = before.keys() & here.keys()
    if not shared:
        return None
    return math.exp(sum(math.log(before[sizes] / here[sizes]) for sizes in shared) / len(shared))


def _launched(used: SolutionResources) -> Message:
    """Return it as one line; spills only where there are some."""
    figures = {name: getattr(used, name) for name in ("launches", "blocks", "threads", "registers", "occupancy")}
    spilled = {"spilled": used.spill_bytes} if used.spill_bytes else {}
    return Message("editorial.launched", **figures, **spilled)


def _figures(time: SolutionTime) -> ShapeFigures:
    unit = "GB/s" if time.bound == "memory" else "GFLOP/s"
    return ShapeFigures(sizes_text(time.sizes), time.median_us, time.rate, unit, time.attainable, time.library)


def _floor(times: tuple[SolutionTime, ...]) -> tuple[ShapeFigures, ...]:
    """Return the card's best at each size, by the solution that shows it most exactly: the fastest one."""
    best: dict[str, SolutionTime] = {}
    for time in times:
        sizes = sizes_text(time.sizes)
        if sizes not in best or time.median_us < best[sizes].median_us:
            best[sizes] = time
    return tuple(ShapeFigures(sizes, time.least_us, None, "", None, None) for sizes, time in best.items())


def _readings(content: Content, shelf: Shelf, step: EditorialStep, lang: str) -> Iterator[Reading]:
    for name in step.readings:
        for id_ in content.resolved(name)[:1]:
            if id_ in shelf.by_id:  # a moderator may have removed it
                yield reading_of(shelf.by_id[id_], lang, "")
