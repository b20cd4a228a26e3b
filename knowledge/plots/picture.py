"""What a drawing becomes, and the look that all drawings share."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Format = Literal["svg", "png"]
CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "PingFang SC")
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
    return Picture(out.getvalue(), "image/svg+xml" if form == "svg" else "image/png", alt)


def font_family(lang: str, form: Format) -> list[str]:
    """Fonts to try; for a Chinese PNG a font of this machine that has the characters."""
    return [*(cjk_fonts_here() if form == "png" else CJK_FONTS), "DejaVu Sans"] if lang == "zh" else ["DejaVu Sans"]


def cjk_fonts_here() -> list[str]:
    from matplotlib import font_manager

    known = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in CJK_FONTS if name in known]


def drawable_lang(lang: str, form: Format) -> str:
    """Chinese labels in a PNG need a Chinese font on this machine; without one they are drawn in English."""
    return lang if lang != "zh" or form == "svg" or cjk_fonts_here() else "en"
