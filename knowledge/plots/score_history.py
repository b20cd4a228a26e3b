"""One member's scores on one problem, attempt by attempt, with the best so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from knowledge.plots.picture import (
    Format,
    Picture,
    drawable_lang,
    finish,
    font_family,
    new_axes,
    new_figure,
    palette_of,
)
from knowledge.words import Message, core_languages

SIZE_INCHES = (7.2, 2.8)
"""Width and height, whatever the scores are."""


def draw_history(problem: str, scores: Sequence[float], *, lang: str = "en", form: Format = "svg") -> Picture:
    """Scores in the order of handing in; at least one."""
    from matplotlib.ticker import MaxNLocator

    language, family = core_languages()[drawable_lang(lang, form)], font_family(lang, form)
    colours = palette_of(form)
    figure = new_figure(*SIZE_INCHES, colours)
    axes = new_axes(figure, colours)
    attempts = range(1, len(scores) + 1)
    axes.step(
        attempts,
        list(accumulate(scores, max)),
        where="post",
        color=colours.accent,
        linewidth=2,
        label=language("history.best"),
    )
    axes.plot(attempts, scores, "o", color=colours.ink, markersize=5)
    axes.set_ylim(0, max(1.0, *scores) * 1.05)
    axes.set_xlim(0.5, len(scores) + 0.5)
    axes.set_xlabel(language("history.attempt"), family=family, color=colours.ink)
    axes.set_ylabel(language("history.score"), family=family, color=colours.ink)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(visible=True, axis="y", color=colours.faint, linewidth=0.6)
    axes.legend(frameon=False, loc="lower right", prop={"family": family}, labelcolor=colours.ink)
    return finish(figure, form, tell_history(problem, scores, lang))


def tell_history(problem: str, scores: Sequence[float], lang: str = "en") -> str:
    """The picture in words, which costs no drawing."""
    return Message("history.alt", n=len(scores), problem=problem, first=scores[0], best=max(scores)).text(lang)
