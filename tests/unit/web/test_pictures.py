"""Pictures that pages draw are drawn once for all who would see the same, and for nobody else."""

from __future__ import annotations

import pytest

from knowledge.plots import Picture
from knowledge.plots.score_history import draw_history, tell_history
from web.pages.boards import HISTORY_PX
from web.pages.recommend import size_px
from web.pictures import MOST_KEPT, Pictures


class Drawer:
    """Draws what it is told to and notes it."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def draw(self, what: str) -> Picture:
        self.drawn.append(what)
        return Picture(what.encode(), "image/svg+xml", what)


async def test_a_picture_is_drawn_once_as_long_as_it_shows_the_same() -> None:
    pictures, drawer = Pictures(), Drawer()
    for what in ("ann's", "bob's", "ann's", "bob's"):
        assert (await pictures.drawn(("history", what), lambda what=what: drawer.draw(what))).alt == what  # type: ignore[misc]
    assert drawer.drawn == ["ann's", "bob's"]


async def test_what_was_looked_at_longest_ago_makes_room() -> None:
    pictures, drawer = Pictures(), Drawer()
    for what in ("kept", "let go", *map(str, range(MOST_KEPT - 1)), "kept", "let go"):
        await pictures.drawn(what, lambda what=what: drawer.draw(what))  # type: ignore[misc]
        await pictures.drawn("kept", lambda: drawer.draw("kept"))
    assert drawer.drawn.count("kept") == 1
    assert drawer.drawn.count("let go") == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scores", [(0.4,), (0.41, 0.37, 1.25, 0.9)])
def test_a_board_tells_the_size_and_the_words_of_a_history_before_it_is_drawn(
    scores: tuple[float, ...], lang: str
) -> None:
    picture = draw_history("Vector addition", scores, lang=lang)
    assert size_px(picture) == HISTORY_PX
    assert picture.alt == tell_history("Vector addition", scores, lang)
