"""The table of cards, found by forgiving names."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card as its datasheet says."""

    name: str
    aliases: tuple[str, ...]
    arch: str
    multiprocessors: int
    bandwidth_gb_per_s: float
    tflops: dict[str, float]
    """Dense peak by number format, in TFLOP/s."""


def cards() -> tuple[CardFacts, ...]:
    """Every card of cards.toml, in its order."""
    table = tomllib.loads(files("worker.hardware").joinpath("cards.toml").read_text(encoding="utf-8"))
    return tuple(
        CardFacts(
            name=row["name"],
            aliases=tuple(row["aliases"]),
            arch=row["arch"],
            multiprocessors=row["multiprocessors"],
            bandwidth_gb_per_s=float(row["bandwidth_gb_per_s"]),
            tflops={form: float(rate) for form, rate in row["tflops"].items()},
        )
        for row in table["card"]
    )


def find_card(name: str) -> CardFacts | None:
    """The card of that name or alias, whatever its case, spaces or vendor prefix; None if there is none."""
    wanted = _plain(name)
    return next((card for card in cards() if wanted in {_plain(card.name), *map(_plain, card.aliases)}), None)


def nearest_cards(name: str) -> tuple[str, ...]:
    """Names to offer when `find_card` found nothing."""
    known = {_plain(alias): card.name for card in cards() for alias in (card.name, *card.aliases)}
    near = difflib.get_close_matches(_plain(name), known, n=3, cutoff=0.3)
    return tuple(dict.fromkeys(known[key] for key in near))


def _plain(name: str) -> str:
    words = name.lower().replace("-", " ").replace("_", " ").split()
    return " ".join(word for word in words if word not in {"nvidia", "geforce", "tesla"})
