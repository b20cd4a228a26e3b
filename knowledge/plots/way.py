"""The way to a topic as a picture: topics in layers, each below what it needs, done ones ticked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from knowledge.content import Topics
from knowledge.plots.picture import ACCENT, INK, SOFT, Format, Picture, drawable_lang, finish, font_family, new_figure
from knowledge.recommend.way import Way
from knowledge.words import Message

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BOX_WIDTH, _LAYER_HEIGHT = 2.3, 0.85


def draw_way(way: Way, topics: Topics, *, lang: str = "en", form: Format = "svg") -> Picture:
    names = {stop.topic: topics[stop.topic].title.text(drawable_lang(lang, form)) for stop in way.stops}
    done = {stop.topic for stop in way.stops if stop.done}
    places = _places(way)
    columns = max(x for x, _ in places.values()) + 1
    layers = max(y for _, y in places.values()) + 1
    figure = new_figure(max(4.0, columns * _BOX_WIDTH), max(2.0, layers * _LAYER_HEIGHT))
    axes = figure.add_subplot()
    _draw(
        axes,
        way,
        places,
        {topic: ("✓ " if topic in done else "") + name for topic, name in names.items()},
        done,
        font_family(lang, form),
    )
    axes.set_xlim(-0.6, columns - 0.4)
    axes.set_ylim(layers - 0.5, -0.5)
    axes.axis("off")
    return finish(figure, form, _alt(way, topics, lang))


def _places(way: Way) -> dict[str, tuple[float, int]]:
    """Column and layer of each topic: a layer below the lowest of what it needs, rows centred."""
    needs: dict[str, set[str]] = {stop.topic: set() for stop in way.stops}
    for topic, need in way.needs:
        needs[topic].add(need)
    layer: dict[str, int] = {}
    for topic in needs:
        _settle(topic, needs, layer)
    rows: dict[int, list[str]] = {}
    for topic, at in layer.items():
        rows.setdefault(at, []).append(topic)
    widest = max(len(row) for row in rows.values())
    return {
        topic: ((widest - len(row)) / 2 + column, at) for at, row in rows.items() for column, topic in enumerate(row)
    }


def _settle(topic: str, needs: Mapping[str, set[str]], layer: dict[str, int]) -> int:
    if topic not in layer:
        layer[topic] = 1 + max((_settle(need, needs, layer) for need in sorted(needs[topic])), default=-1)
    return layer[topic]


def _draw(
    axes: Axes, way: Way, places: Mapping[str, tuple[float, int]], names: Mapping[str, str], done: set[str],
    family: list[str],
) -> None:  # fmt: skip
    for topic, need in way.needs:
        (x, y), (from_x, from_y) = places[topic], places[need]
        axes.annotate(
            "", (x, y - 0.22), xytext=(from_x, from_y + 0.22),
            arrowprops={"arrowstyle": "-|>", "color": SOFT, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
    for topic, (x, y) in places.items():
        goal = topic == way.topic
        color = SOFT if topic in done else ACCENT if goal else INK
        axes.text(
            x, y, names[topic], ha="center", va="center", fontsize=9, family=family, color="white" if goal else color,
            bbox={"boxstyle": "round,pad=0.45", "facecolor": ACCENT if goal else "white", "edgecolor": color},
        )  # fmt: skip


def _alt(way: Way, topics: Topics, lang: str) -> str:
    names = list(dict.fromkeys(topics[stop.topic].title.text(lang) for stop in way.stops))
    goal = topics[way.topic].title.text(lang)
    return Message("way.alt", goal=goal, steps=" → ".join(names)).text(lang)
