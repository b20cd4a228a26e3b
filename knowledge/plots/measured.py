"""The roofline of a verdict: its timed runs under the roof of the card that they ran on."""

from __future__ import annotations

from knowledge.calc.intensity import card_named
from knowledge.errors import BadInput
from knowledge.plots.picture import Format, Picture
from knowledge.plots.roofline import RooflinePoint, draw_roofline
from worker.hardware.roofline import Ceilings
from worker.protocol import Timing, Verdict


def draw_measured(verdict: Verdict, *, lang: str = "en", form: Format = "svg") -> Picture | None:
    """None without a measurement, or where the card is not in the table."""
    points = [point for timing in verdict.timing or () if (point := _point(timing))]
    if verdict.card is None or not points:
        return None
    try:
        facts = card_named(verdict.card.name)
    except BadInput:
        return None
    ceilings = Ceilings(facts.bandwidth_gb_per_s, facts.tflops["fp32"] * 1e3)
    return draw_roofline(facts.name, ceilings, points, lang=lang, form=form)


def _point(timing: Timing) -> RooflinePoint | None:
    if not timing.gb_per_s or not timing.gflop_per_s:
        return None
    label = ", ".join(f"{name}={value}" for name, value in timing.sizes.items())
    return RooflinePoint(label, timing.gflop_per_s / timing.gb_per_s, timing.gflop_per_s)
