"""The roofline of a calculation: where the work would lie if every byte moved once."""

from __future__ import annotations

from knowledge.calc.working import Working
from knowledge.plots.picture import Format, Picture
from knowledge.plots.roofline import Roof, RooflinePoint, draw_roofline
from worker.hardware.roofline import Ceilings


def draw_calculated(working: Working, *, lang: str = "en", form: Format = "svg") -> Picture | None:
    """None for a calculation that is not about a card's roof."""
    facts = working.facts
    if "intensity" not in facts:
        return None
    ceilings = Ceilings(facts["gb_per_s"], facts["gflop_per_s"])
    point = RooflinePoint(facts["form"], facts["intensity"], facts["attainable_gflop_per_s"])
    return draw_roofline(Roof(facts["card"], ceilings, [point]), lang=lang, form=form)
