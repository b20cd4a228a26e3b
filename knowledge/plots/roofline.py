"""The roofline of a card with pieces of work on it: how far from the limit, and which limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.plots.picture import (
    Format,
    Palette,
    Picture,
    drawable_lang,
    finish,
    font_family,
    new_axes,
    new_figure,
    palette_of,
)
from knowledge.words import Language, Message, core_languages
from worker.hardware.roofline import Ceilings

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class RooflinePoint:
    """One measured or predicted piece of work."""

    label: str
    intensity: float
    """FLOP per byte."""
    gflop_per_s: float


@dataclass(frozen=True, slots=True)
class Roof:
    """What a picture of work on a card shows, in the order of its points."""

    card: str
    ceilings: Ceilings
    points: Sequence[RooflinePoint]
    measured: bool = False
    """The ceilings are what a worker measured on its card; else they are the datasheet's."""


def draw_roofline(roof: Roof, *, lang: str = "en", form: Format = "svg") -> Picture:
    language, family = core_languages()[drawable_lang(lang, form)], font_family(lang, form)
    colours = palette_of(form)
    figure = new_figure(7.2, 4.4, colours)
    axes = new_axes(figure, colours)
    low, high = _span(roof.ceilings, roof.points)
    _draw_roof(axes, roof.ceilings, low, high, language, family, colours)
    for point in roof.points:
        _draw_point(axes, roof.ceilings, point, colours)
    axes.set_xlabel(language("roofline.intensity"), family=family, color=colours.ink)
    axes.set_ylabel("GFLOP/s", color=colours.ink)
    axes.set_title(roof.card, loc="left", color=colours.ink, fontsize=11, fontweight="bold")
    axes.set_title(language(_source(roof)), loc="right", color=colours.ink, fontsize=9, family=family)
    return finish(figure, form, tell_roofline(roof, lang))


def tell_roofline(roof: Roof, lang: str = "en") -> str:
    """The picture in words, which costs no drawing."""
    ceilings = roof.ceilings
    points = [
        Message(
            "roofline.point",
            label=point.label,
            rate=point.gflop_per_s,
            intensity=point.intensity,
            share=point.gflop_per_s / _attainable(ceilings, point),
            bound=Message("roofline.by_memory" if point.intensity < ceilings.ridge else "roofline.by_compute"),
        )
        for point in roof.points
    ]
    alt = Message(
        "roofline.alt",
        card=roof.card,
        source=Message(_source(roof)),
        gb=ceilings.gb_per_s,
        tf=ceilings.gflop_per_s / 1e3,
        ridge=ceilings.ridge,
        points=" ".join(point.text(lang) for point in points),
    )
    return alt.text(lang).strip()


def _source(roof: Roof) -> str:
    return "roofline.measured" if roof.measured else "roofline.datasheet"


def _span(ceilings: Ceilings, points: Sequence[RooflinePoint]) -> tuple[float, float]:
    """A decade of room on both sides of everything drawn."""
    at = [ceilings.ridge, *(point.intensity for point in points if point.intensity > 0)]
    return min(at) / 10, max(at) * 10


def _draw_roof(
    axes: Axes, ceilings: Ceilings, low: float, high: float, language: Language, family: list[str], colours: Palette
) -> None:
    roof, ink = ceilings.gflop_per_s, colours.ink
    axes.loglog([low, ceilings.ridge, high], [low * ceilings.gb_per_s, roof, roof], color=ink, linewidth=2)
    axes.axvline(ceilings.ridge, color=colours.soft, linewidth=0.8, linestyle=":")
    slope_at = (low * ceilings.ridge) ** 0.5
    axes.annotate(
        language("roofline.memory", rate=ceilings.gb_per_s), (slope_at, slope_at * ceilings.gb_per_s),
        xytext=(10, -4), textcoords="offset points", ha="left", va="top", color=ink, fontsize=9, family=family,
        bbox={"facecolor": colours.paper, "edgecolor": "none", "pad": 1},
    )  # fmt: skip
    axes.annotate(
        language("roofline.compute", rate=roof / 1e3), ((ceilings.ridge * high) ** 0.5, roof),
        xytext=(0, 6), textcoords="offset points", ha="center", color=ink, fontsize=9, family=family,
    )  # fmt: skip
    axes.set_xlim(low, high)
    axes.set_ylim(low * ceilings.gb_per_s, roof * 3)
    axes.grid(visible=True, which="major", color=colours.faint, linewidth=0.6)


def _draw_point(axes: Axes, ceilings: Ceilings, point: RooflinePoint, colours: Palette) -> None:
    share = point.gflop_per_s / _attainable(ceilings, point)
    color = colours.accent if share >= 0.8 else colours.warm
    axes.vlines(point.intensity, point.gflop_per_s, _attainable(ceilings, point), color=color, linewidth=1, alpha=0.5)
    axes.plot([point.intensity], [point.gflop_per_s], "o", color=color, markersize=7)
    axes.annotate(
        f"{point.label}  {share:.0%}", (point.intensity, point.gflop_per_s),
        xytext=(8, -12), textcoords="offset points", color=color, fontsize=9,
    )  # fmt: skip


def _attainable(ceilings: Ceilings, point: RooflinePoint) -> float:
    return min(ceilings.gflop_per_s, point.intensity * ceilings.gb_per_s)
