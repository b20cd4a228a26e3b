"""`warpmate card`: the figures of cards, side by side, with their sources."""

from __future__ import annotations

from typing import Annotated

import typer

from knowledge.figures.compare import compared
from knowledge.words import ENGLISH
from warpmate.options import AsJson, Lang, language_named
from warpmate.render import as_json, say, table

Names = Annotated[list[str], typer.Argument(help="One to four cards, for instance h100, 'rtx 4090' or mi300x.")]


def register(app: typer.Typer) -> None:
    app.command()(card)


def card(names: Names, lang: Lang = ENGLISH, json: AsJson = False) -> None:
    """Figures of cards from the table of hardware, side by side, with their sources."""
    language, comparison = language_named(lang), compared(tuple(names))
    if json:
        as_json(comparison.as_json(language))
        return
    numbers = {source: number for number, source in enumerate(comparison.sources, start=1)}
    rows = [
        (language.say(row.name), *(f"{each.shown} [{numbers[each.source]}]" if each else "" for each in row.figures))
        for row in comparison.rows
    ]
    table("", (language("card.figure"), *(card.name for card in comparison.cards)), rows)
    for source, number in numbers.items():
        say(f"[{number}] {source.title} {source.url or ''}".rstrip())
