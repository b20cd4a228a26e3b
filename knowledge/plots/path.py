"""The way to a topic as a picture: its topics below each other in the order of the list, and what each rests on.

One column fits a phone, and no two names meet. A straight line joins neighbours; an arc leads from a topic to one
further down that needs it. What is done already is one line at the top.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from knowledge.content import Topics
from knowledge.plots.picture import Format, Picture, drawable_lang, finish, font_family, new_figure, palette_of
from knowledge.recommend.path import ReadingPath
from knowledge.words import Message, core_languages

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# All in inches, the axes' own unit.
_ROW, _DOT, _MARGIN = 0.36, 0.115, 0.14
_ARC, _DEEPEST_ARC = 0.2, 0.85
"""How far an arc over two rows bulges, and one over all."""
_NARROW_SIGN, _WIDE_SIGN = 0.078, 0.132
_TEXT_GAP = 0.12


def draw_path(way: ReadingPath, topics: Topics, *, lang: str = "en", form: Format = "svg") -> Picture:
    drawn_lang = drawable_lang(lang, form)
    rows = [(str(n), topics[stop.topic].title.text(drawn_lang)) for n, stop in enumerate(way.ahead, start=1)]
    if way.done:
        rows.insert(0, ("✓", core_languages()[drawn_lang]("way.known", n=len(way.done))))
    row_of = {stop.topic: n for n, stop in enumerate(way.ahead, start=bool(way.done))}
    arcs = [(row_of[need], row_of[topic]) for topic, need in way.needs]
    left = _MARGIN + _DOT + max((_bulge(above, below) for above, below in arcs), default=0.0)
    width = left + _DOT + _TEXT_GAP + max(_width(name) for _, name in rows) + _MARGIN
    colours = palette_of(form)
    figure = new_figure(width, len(rows) * _ROW, colours)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axis("off")
    for above, below in arcs:
        _join(axes, left, above, below, colours.soft)
    for n, (mark, name) in enumerate(rows):
        is_goal, is_done = n == len(rows) - 1, mark == "✓"
        edge = colours.accent if is_goal else colours.soft if is_done else colours.ink
        axes.text(
            left, n, mark, ha="center", va="center_baseline", fontsize=7.5, zorder=3,
            color=colours.on_accent if is_goal else edge,
            bbox={"boxstyle": "circle,pad=0.32", "facecolor": colours.accent if is_goal else colours.paper,
                  "edgecolor": edge, "linewidth": 1},
        )  # fmt: skip
        axes.text(
            left + _DOT + _TEXT_GAP, n, name, ha="left", va="center_baseline", fontsize=9,
            color=edge,
            family=font_family(lang, form),
        )  # fmt: skip
    return finish(figure, form, _alt(way, topics, lang))


def _bulge(above: int, below: int) -> float:
    """To the left of the dots; neighbours need no arc."""
    return 0.0 if below - above == 1 else min(_ARC * (below - above - 1) ** 0.7, _DEEPEST_ARC)


def _join(axes: Axes, x: float, above: int, below: int, colour: str) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    out = x - _bulge(above, below) * 4 / 3  # a curve of this kind reaches three quarters of the way to its handles
    curve = Path([(x, above), (out, above), (out, below), (x, below)], [Path.MOVETO, *[Path.CURVE4] * 3])
    axes.add_patch(PathPatch(curve, fill=False, edgecolor=colour, linewidth=1, zorder=1))


def _width(name: str) -> float:
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in name)
    return wide * _WIDE_SIGN + (len(name) - wide) * _NARROW_SIGN


def _alt(way: ReadingPath, topics: Topics, lang: str) -> str:
    names = [topics[stop.topic].title.text(lang) for stop in way.stops]
    goal = topics[way.topic].title.text(lang)
    return Message("way.alt", goal=goal, steps=" → ".join(names)).text(lang)
