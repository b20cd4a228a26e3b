"""Pictures that pages draw, kept for who looks next: drawing one takes up to a fifth of a second of the processor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

from knowledge.plots import Picture

MOST_KEPT = 128


class Pictures:
    """The pictures that were looked at last, by all that they show: nobody is shown what another's would say."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Picture] = {}

    async def drawn(self, shows: Hashable, draw: Callable[[], Picture]) -> Picture:
        """Return the picture of what it shows, drawn beside the loop where it is not kept."""
        picture = self._kept.pop(shows, None)
        if picture is None:
            picture = await asyncio.to_thread(draw)
        self._kept[shows] = picture
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return picture
