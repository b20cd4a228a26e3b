"""Figures of cards, side by side."""

from __future__ import annotations

from bot.markup import fence, link
from bot.render.card import Card, card
from knowledge.figures.compare import Comparison
from knowledge.words import Language

MOST_SOURCES = 6


def cards_card(comparison: Comparison, language: Language) -> Card:
    """Return the figures of each quantity in one line, and the sources."""
    lines = [
        f"{language.say(row.name)}\n    " + " | ".join(each.shown if each else "—" for each in row.figures)
        for row in comparison.rows
    ]
    sources = [link(source.title, source.url, 80) for source in comparison.sources[:MOST_SOURCES]]
    return card(
        "### " + " | ".join(card.name for card in comparison.cards),
        f"-# {language('card.sources')}{language('list.colon')}{language('list.clause').join(sources)}",
        fence("\n".join(lines), "", 2400),
    )
