"""The roofline of a card with pieces of work on it: how far from the limit, and which limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.plots.picture import (
    ACCENT,
    INK,
    SOFT,
    WARM,
    Format,
    Picture,
    drawable_lang,
    finish,
    font_family,
    new_figure,
)
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


WORDS = {
    "en": {
        "measured": "measured on this card", "datasheet": "datasheet",
        "x": "arithmetic intensity (FLOP/byte)", "y": "GFLOP/s", "memory": "memory: {gb:.0f} GB/s",
        "compute": "arithmetic: {tf:.1f} TFLOP/s",
        "alt": "Roofline of {card} ({source}): {gb:.0f} GB/s and {tf:.1f} TFLOP/s meet at {ridge:.1f} FLOP per byte. "
        "{points}",
        "point": "{label} does {rate:.0f} GFLOP/s at {intensity:.2f} FLOP/byte, {share:.0%} of what {bound} allows.",
        "by_memory": "memory bandwidth", "by_compute": "arithmetic",
    },
    "zh": {
        "measured": "在该卡上实测", "datasheet": "数据手册",
        "x": "计算强度（FLOP/字节）", "y": "GFLOP/s", "memory": "内存：{gb:.0f} GB/s",
        "compute": "计算：{tf:.1f} TFLOP/s",
        "alt": "{card} 的 Roofline（{source}）："
        "{gb:.0f} GB/s 与 {tf:.1f} TFLOP/s 相交于每字节 {ridge:.1f} FLOP。{points}",
        "point": "{label}：每字节 {intensity:.2f} FLOP，达到 {rate:.0f} GFLOP/s，是{bound}上限的 {share:.0%}。",
        "by_memory": "内存带宽", "by_compute": "计算能力",
    },
}  # fmt: skip


def draw_roofline(roof: Roof, *, lang: str = "en", form: Format = "svg") -> Picture:
    words, family = WORDS[drawable_lang(lang, form)], font_family(lang, form)
    figure = new_figure(7.2, 4.4)
    axes: Axes = figure.add_subplot()
    low, high = _span(roof.ceilings, roof.points)
    _draw_roof(axes, roof.ceilings, low, high, words, family)
    for point in roof.points:
        _draw_point(axes, roof.ceilings, point)
    axes.set_xlabel(words["x"], family=family, color=INK)
    axes.set_ylabel(words["y"], color=INK)
    axes.set_title(roof.card, loc="left", color=INK, fontsize=11, fontweight="bold")
    axes.set_title(_source(roof, words), loc="right", color=INK, fontsize=9, family=family)
    return finish(figure, form, tell_roofline(roof, lang))


def tell_roofline(roof: Roof, lang: str = "en") -> str:
    """The picture in words, which costs no drawing."""
    words, ceilings = WORDS["zh" if lang == "zh" else "en"], roof.ceilings
    told = [
        words["point"].format(
            label=point.label,
            rate=point.gflop_per_s,
            intensity=point.intensity,
            share=point.gflop_per_s / _attainable(ceilings, point),
            bound=words["by_memory" if point.intensity < ceilings.ridge else "by_compute"],
        )
        for point in roof.points
    ]
    return (
        words["alt"]
        .format(
            card=roof.card,
            source=_source(roof, words),
            gb=ceilings.gb_per_s,
            tf=ceilings.gflop_per_s / 1e3,
            ridge=ceilings.ridge,
            points=" ".join(told),
        )
        .strip()
    )


def _source(roof: Roof, words: dict[str, str]) -> str:
    return words["measured" if roof.measured else "datasheet"]


def _span(ceilings: Ceilings, points: Sequence[RooflinePoint]) -> tuple[float, float]:
    """A decade of room on both sides of everything drawn."""
    at = [ceilings.ridge, *(point.intensity for point in points if point.intensity > 0)]
    return min(at) / 10, max(at) * 10


def _draw_roof(
    axes: Axes, ceilings: Ceilings, low: float, high: float, words: dict[str, str], family: list[str]
) -> None:
    roof = ceilings.gflop_per_s
    axes.loglog([low, ceilings.ridge, high], [low * ceilings.gb_per_s, roof, roof], color=INK, linewidth=2)
    axes.axvline(ceilings.ridge, color=SOFT, linewidth=0.8, linestyle=":")
    slope_at = (low * ceilings.ridge) ** 0.5
    axes.annotate(
        words["memory"].format(gb=ceilings.gb_per_s), (slope_at, slope_at * ceilings.gb_per_s),
        xytext=(-6, 8), textcoords="offset points", ha="right", color=INK, fontsize=9, family=family,
    )  # fmt: skip
    axes.annotate(
        words["compute"].format(tf=roof / 1e3), ((ceilings.ridge * high) ** 0.5, roof),
        xytext=(0, 6), textcoords="offset points", ha="center", color=INK, fontsize=9, family=family,
    )  # fmt: skip
    axes.set_xlim(low, high)
    axes.set_ylim(low * ceilings.gb_per_s, roof * 3)
    axes.grid(visible=True, which="major", color="#e4e7eb", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_point(axes: Axes, ceilings: Ceilings, point: RooflinePoint) -> None:
    share = point.gflop_per_s / _attainable(ceilings, point)
    color = ACCENT if share >= 0.8 else WARM
    axes.vlines(point.intensity, point.gflop_per_s, _attainable(ceilings, point), color=color, linewidth=1, alpha=0.5)
    axes.plot([point.intensity], [point.gflop_per_s], "o", color=color, markersize=7)
    axes.annotate(
        f"{point.label}  {share:.0%}", (point.intensity, point.gflop_per_s),
        xytext=(8, -12), textcoords="offset points", color=color, fontsize=9,
    )  # fmt: skip


def _attainable(ceilings: Ceilings, point: RooflinePoint) -> float:
    return min(ceilings.gflop_per_s, point.intensity * ceilings.gb_per_s)
