"""One member's scores on one problem, attempt by attempt, with the best so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from knowledge.plots.picture import ACCENT, INK, SOFT, Format, Picture, drawable_lang, finish, font_family, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORDS = {
    "en": {
        "x": "attempt", "y": "score", "best": "best so far",
        "alt": "{n} timed attempts at {problem}: the first scored {first:.3f}, the best {best:.3f}.",
    },
    "zh": {
        "x": "第几次", "y": "得分", "best": "目前最好",
        "alt": "{problem}：{n} 次计时成绩，第一次 {first:.3f}，最好 {best:.3f}。",
    },
}  # fmt: skip


def draw_history(problem: str, scores: Sequence[float], *, lang: str = "en", form: Format = "svg") -> Picture:
    """Scores in the order of handing in; at least one."""
    from matplotlib.ticker import MaxNLocator

    words, family = WORDS[drawable_lang(lang, form)], font_family(lang, form)
    figure = new_figure(7.2, 2.8)
    axes: Axes = figure.add_subplot()
    attempts = range(1, len(scores) + 1)
    axes.step(attempts, list(accumulate(scores, max)), where="post", color=ACCENT, linewidth=2, label=words["best"])
    axes.plot(attempts, scores, "o", color=INK, markersize=5)
    axes.set_ylim(0, max(1.0, *scores) * 1.05)
    axes.set_xlim(0.5, len(scores) + 0.5)
    axes.set_xlabel(words["x"], family=family, color=INK)
    axes.set_ylabel(words["y"], family=family, color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(visible=True, axis="y", color=SOFT, alpha=0.3, linewidth=0.6)
    axes.legend(frameon=False, loc="lower right", prop={"family": family})
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    told = WORDS["zh" if lang == "zh" else "en"]["alt"]
    return finish(figure, form, told.format(n=len(scores), problem=problem, first=scores[0], best=max(scores)))
