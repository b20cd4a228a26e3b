"""The roofline of a verdict: its timed runs under the roof of the card that they ran on."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.calc.intensity import card_named
from knowledge.errors import BadInput
from knowledge.plots.picture import Format, Picture
from knowledge.plots.roofline import Roof, RooflinePoint, draw_roofline
from worker.hardware.roofline import Ceilings
from worker.protocol import Timing, Verdict, WorkerState


def draw_measured(
    verdict: Verdict, workers: Sequence[WorkerState] = (), *, lang: str = "en", form: Format = "svg"
) -> Picture | None:
    roof = roof_of(verdict, workers)
    return draw_roofline(roof, lang=lang, form=form) if roof else None


def roof_of(verdict: Verdict, workers: Sequence[WorkerState] = ()) -> Roof | None:
    """None without a measurement, or on a card that no worker measured and that is not in the table."""
    points = [point for timing in verdict.timing or () if (point := _point(timing))]
    if verdict.card is None or not points:
        return None
    for worker in workers:
        if worker.card and worker.card.name == verdict.card.name and worker.peak_gb_per_s and worker.peak_gflop_per_s:
            ceilings = Ceilings(worker.peak_gb_per_s, worker.peak_gflop_per_s)
            return Roof(verdict.card.name, ceilings, points, measured=True)
    try:
        facts = card_named(verdict.card.name)
    except BadInput:
        return None
    if facts.bandwidth_gb_per_s is None or "fp32" not in facts.tflops:
        return None
    return Roof(facts.name, Ceilings(facts.bandwidth_gb_per_s, facts.tflops["fp32"] * 1e3), points)


def _point(timing: Timing) -> RooflinePoint | None:
    if not timing.gb_per_s or not timing.gflop_per_s:
        return None
    label = ", ".join(f"{name}={value}" for name, value in timing.sizes.items())
    return RooflinePoint(label, timing.gflop_per_s / timing.gb_per_s, timing.gflop_per_s)
