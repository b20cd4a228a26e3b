"""Pictures of verdicts and paths: the same drawing as SVG for the site and as PNG for Discord, each told in words."""

from knowledge.plots.path import draw_path
from knowledge.plots.picture import Picture
from knowledge.plots.roofline import Roof, RooflinePoint, draw_roofline

__all__ = ["Picture", "Roof", "RooflinePoint", "draw_path", "draw_roofline"]
