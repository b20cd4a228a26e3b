"""Cards side by side: a row for each quantity that one of them has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.calc.intensity import card_named
from knowledge.errors import BadInput
from knowledge.figures.lookup import CARD_SHEET, Figure, figure, quantity_name
from knowledge.words import Language, Message
from worker.hardware.cards import CardFacts, Source, cards, plain_name

MOST_CARDS = 4
OVERVIEW = (
    "year", "multiprocessors", "memory_gb", "bandwidth_gb_per_s", "tflops.fp32", "tflops.fp16", "tflops.bf16",
    "tdp_w",
)  # fmt: skip
"""The columns of the list of all cards."""


@dataclass(frozen=True, slots=True)
class Row:
    """One quantity: a figure for each card that has it, in the order of the cards."""

    quantity: str
    figures: tuple[Figure | None, ...]

    @property
    def name(self) -> Message:
        return quantity_name(self.quantity)


@dataclass(frozen=True, slots=True)
class Comparison:
    cards: tuple[CardFacts, ...]
    rows: tuple[Row, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """Each once, in the order in which they are met; a figure's number is its source's place here."""
        return tuple(dict.fromkeys(each.source for row in self.rows for each in row.figures if each))

    def as_json(self, language: Language) -> dict[str, Any]:
        return {
            "cards": [card.name for card in self.cards],
            "rows": [
                {
                    "quantity": row.quantity,
                    "name": language.say(row.name),
                    "figures": [each.as_json() if each else None for each in row.figures],
                }
                for row in self.rows
            ],
        }


def compared(names: tuple[str, ...]) -> Comparison:
    """One to four cards by any usual name; BadInput for a name that no card has."""
    found = tuple(dict.fromkeys(card_named(name).name for name in names))
    if not 1 <= len(found) <= MOST_CARDS:
        raise BadInput("error.card.count", most=MOST_CARDS)
    chosen = tuple(card_named(name) for name in found)
    rows = (Row(quantity, tuple(figure(card, quantity) for card in chosen)) for quantity in CARD_SHEET)
    return Comparison(chosen, tuple(row for row in rows if any(row.figures)))


def overview(sorted_by: str = "") -> tuple[tuple[CardFacts, Row], ...]:
    """Every card with the figures of OVERVIEW; by one of these the largest first, those without it last."""
    listed = [(card, Row("", tuple(figure(card, quantity) for quantity in OVERVIEW))) for card in cards()]
    if sorted_by in OVERVIEW:
        listed.sort(key=lambda pair: -float(pair[0].figure(sorted_by) or 0))
    return tuple(listed)


def card_choices(typed: str, most: int) -> tuple[str, ...]:
    """Names that begin with what was typed, without the maker, then those that hold it somewhere."""
    wanted = plain_name(typed)
    ranked = [(plain_name(card.name), card.name) for card in cards()]
    begins = [name for plain, name in ranked if plain.startswith(wanted)]
    holds = [name for plain, name in ranked if wanted in plain and name not in begins]
    return tuple((begins + holds)[:most])
