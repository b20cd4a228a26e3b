"""Pictures of verdicts and paths: the same drawing as SVG for the site and as PNG for Discord, each told in words."""

from knowledge.plots.picture import Picture
from knowledge.plots.roofline import Roof, RooflinePoint, draw_roofline
from knowledge.plots.way import draw_way

__all__ = ["Picture", "Roof", "RooflinePoint", "draw_roofline", "draw_way"]
