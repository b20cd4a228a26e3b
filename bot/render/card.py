"""The one look of all replies: a coloured container of texts and rows of buttons, within what Discord takes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import discord

from bot.markup import cut

TEXT_BUDGET = 3700
"""The most characters in all texts of a card; Discord takes 4,000, and a note may be added beneath."""
MOST_COMPONENTS = 40
"""In one message, the container and what stands in a row counted too."""
_CLOSING_NOTE = 40


class Tone(Enum):
    PLAIN = 0x5865F2
    GOOD = 0x2E8B57
    BAD = 0xC0392B
    WARN = 0xD68910
    QUIET = 0x7F8C8D


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Card:
    """A view with the files that it shows; files are opened anew whenever it is sent."""

    view: discord.ui.LayoutView
    uploads: tuple[Upload, ...] = field(default=())

    def files(self) -> list[discord.File]:
        return [discord.File(io.BytesIO(upload.data), upload.name) for upload in self.uploads]


Part = str | discord.ui.Item[Any] | None


def card(*parts: Part, tone: Tone = Tone.PLAIN, pictures: Sequence[tuple[Upload, str]] = ()) -> Card:
    """Texts, rows and separators from top to bottom; pictures with their alt texts before the first row.

    The last texts are cut first when all of them together are too long.
    """
    kept = _within_budget([part for part in parts if part])
    items: list[discord.ui.Item[Any]] = [discord.ui.TextDisplay(p) if isinstance(p, str) else p for p in kept]
    if pictures:
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery(
            *(discord.MediaGalleryItem(f"attachment://{up.name}", description=alt[:1024]) for up, alt in pictures)
        )
        first_row = next((n for n, item in enumerate(items) if isinstance(item, discord.ui.ActionRow)), len(items))
        items.insert(first_row, gallery)
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*items, accent_colour=tone.value))
    return Card(view, tuple(upload for upload, _ in pictures))


def room_beside(*parts: Part) -> int:
    """Count the components that Discord still takes in a card of these parts."""
    rows = [part.children for part in parts if isinstance(part, discord.ui.ActionRow)]
    return MOST_COMPONENTS - 1 - sum(1 for part in parts if part) - sum(map(len, rows))


def with_file(made: Card, upload: Upload) -> Card:
    """Return the card with a file shown beneath it."""
    made.view.add_item(discord.ui.File(f"attachment://{upload.name}"))
    return Card(made.view, (*made.uploads, upload))


def with_note(made: Card, line: str) -> Card:
    """Return the card with a line in small print beneath it, unchanged if the line is empty."""
    if line:
        made.view.add_item(discord.ui.TextDisplay(f"-# {line}"))
    return made


def _within_budget(parts: list[str | discord.ui.Item[Any]]) -> list[str | discord.ui.Item[Any]]:
    over = sum(len(part) for part in parts if isinstance(part, str)) - TEXT_BUDGET
    kept: list[str | discord.ui.Item[Any]] = []
    for part in reversed(parts):
        if isinstance(part, str) and over > 0:
            shorter = cut(part, max(_CLOSING_NOTE, len(part) - over))
            over -= len(part) - len(shorter)
            part = shorter  # noqa: PLW2901  the part as it is kept
        kept.append(part)
    return kept[::-1]


def ruler() -> discord.ui.Separator[Any]:
    return discord.ui.Separator()
