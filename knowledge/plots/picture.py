"""What a drawing becomes, and the look that all drawings share, in light and in dark."""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["svg", "png"]
CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "PingFang SC")
ANY_GLYPH = "Last Resort High-Efficiency"
"""Comes with matplotlib and has a box for every character: what is drawn with it is never looked at."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a drawing; no two are the same, so that each can be told in a finished one."""

    paper: str
    ink: str
    soft: str
    faint: str
    accent: str
    on_accent: str
    warm: str


LIGHT = Palette("#fffffe", "#1f2933", "#66727e", "#e4e7eb", "#0b6e4f", "#fefefe", "#c2410c")
DARK = Palette("#171f1b", "#e7ede9", "#a3b1a9", "#2b3731", "#4fc79b", "#06251a", "#f0996b")


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes
    media_type: str
    alt: str
    """The same in words, for whoever does not see it."""


def palette_of(form: Format) -> Palette:
    """An SVG has both schemes, its reader's holds. Nobody knows the scheme of who looks at a PNG; Discord, which gets
    them, is dark unless a member changes it.
    """
    return LIGHT if form == "svg" else DARK


def new_figure(width_inches: float, height_inches: float, colours: Palette) -> Figure:
    """A figure of its own: nothing of matplotlib's global state is touched, so threads do not meet."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width_inches, height_inches), facecolor=colours.paper)


def new_axes(figure: Figure, colours: Palette) -> Axes:
    """Axes to the left and below that fill the figure, all of it in the palette's colours."""
    figure.set_layout_engine("constrained")
    axes: Axes = figure.add_subplot()
    axes.set_facecolor(colours.paper)
    axes.tick_params(which="both", color=colours.soft, labelcolor=colours.ink)
    for name, spine in axes.spines.items():
        spine.set_visible(name in {"left", "bottom"})
        spine.set_color(colours.soft)
    return axes


def finish(figure: Figure, form: Format, alt: str) -> Picture:
    import matplotlib as mpl

    out = io.BytesIO()
    # Text stays text in SVG: readers find it, screens scale it, and the browser brings the Chinese font.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "warpmate"}):
        figure.savefig(out, format=form, dpi=144, metadata={"Date": None} if form == "svg" else None)
    if form == "png":
        return Picture(out.getvalue(), "image/png", alt)
    readers = ", ".join((*(f"'{name}'" for name in CJK_FONTS), "sans-serif"))
    data = _in_both_schemes(out.getvalue()).replace(f"'{ANY_GLYPH}'".encode(), readers.encode())
    return Picture(data, "image/svg+xml", alt)


def _in_both_schemes(svg: bytes) -> bytes:
    """Each colour as a variable that the reader's scheme sets."""
    for name, colour in asdict(LIGHT).items():
        svg = svg.replace(colour.encode(), f"var(--{name})".encode())
    light, dark = (";".join(f"--{name}:{colour}" for name, colour in asdict(each).items()) for each in (LIGHT, DARK))
    style = f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    return svg.replace(b"<defs>", style.encode() + b"<defs>", 1)


def font_family(lang: str, form: Format) -> list[str]:
    """Fonts of this machine. Chinese text of an SVG is only measured here: its reader's machine has the font."""
    if lang != "zh":
        return ["DejaVu Sans"]
    return [*cjk_fonts_here(), "DejaVu Sans", *([ANY_GLYPH] if form == "svg" else [])]


def cjk_fonts_here() -> list[str]:
    from matplotlib import font_manager

    known = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in CJK_FONTS if name in known]


def drawable_lang(lang: str, form: Format) -> str:
    """Chinese labels in a PNG need a Chinese font on this machine; without one they are drawn in English."""
    return lang if lang != "zh" or form == "svg" or cjk_fonts_here() else "en"
