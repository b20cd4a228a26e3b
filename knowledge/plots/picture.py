"""What a drawing becomes, and the look that all drawings share."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Format = Literal["svg", "png"]
CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "PingFang SC")
ANY_GLYPH = "Last Resort High-Efficiency"
"""Comes with matplotlib and has a box for every character: what is drawn with it is never looked at."""
INK, SOFT, ACCENT, WARM = "#1f2933", "#9aa5b1", "#0b6e4f", "#c2410c"


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes
    media_type: str
    alt: str
    """The same in words, for whoever does not see it."""


def new_figure(width_inches: float, height_inches: float) -> Figure:
    """A figure of its own: nothing of matplotlib's global state is touched, so threads do not meet."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width_inches, height_inches), layout="constrained", facecolor="white")


def finish(figure: Figure, form: Format, alt: str) -> Picture:
    import matplotlib as mpl

    out = io.BytesIO()
    # Text stays text in SVG: readers find it, screens scale it, and the browser brings the Chinese font.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "warpmate"}):
        figure.savefig(out, format=form, dpi=144, metadata={"Date": None} if form == "svg" else None)
    if form == "png":
        return Picture(out.getvalue(), "image/png", alt)
    readers = ", ".join((*(f"'{name}'" for name in CJK_FONTS), "sans-serif"))
    return Picture(out.getvalue().replace(f"'{ANY_GLYPH}'".encode(), readers.encode()), "image/svg+xml", alt)


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
