"""The table of cards with the source of each figure, found by forgiving names.

The entries stand in tables/*.toml, which members edit like content; CONTRIBUTING.md says how.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

CARD_FILES = ("data_centre", "geforce", "workstation", "amd", "others")
FIGURES = (
    "multiprocessors",
    "cores",
    "tensor_cores",
    "boost_mhz",
    "tensor_boost_mhz",
    "memory_gb",
    "memory_kind",
    "bus_bits",
    "gbit_per_s_per_pin",
    "bandwidth_gb_per_s",
    "l2_mib",
    "tdp_w",
    "year",
)
"""Beside these an entry has rates: `tflops.fp16` and so on."""
_MAKERS = ("nvidia", "geforce", "tesla", "amd", "instinct", "google", "apple", "huawei")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure was read; no address where it was worked out from others."""

    id: str
    title: str
    url: str | None


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card as its maker says."""

    name: str
    aliases: tuple[str, ...]
    maker: str
    kind: str
    """data-centre, desktop, workstation, embedded or computer."""
    arch: str
    """`sm_90` for NVIDIA's, the maker's own name otherwise."""
    half_rate_accumulation: bool
    """Tensor cores at half their rate where they accumulate in fp32, as on GeForce."""
    figures: Mapping[str, float | str]
    """Those of FIGURES that are known."""
    tflops: Mapping[str, float]
    """Dense peak by number format, in TFLOP/s."""
    source: str
    sources: Mapping[str, str]
    """Of figures that were read elsewhere than at `source`: `l2_mib`, `tflops`, `tflops.fp16`."""
    why_not: Mapping[str, str]
    """Why a figure cannot be recomputed from the others, by the figure."""

    @property
    def multiprocessors(self) -> int | None:
        return int(self.figures["multiprocessors"]) if "multiprocessors" in self.figures else None

    @property
    def bandwidth_gb_per_s(self) -> float | None:
        return float(self.figures["bandwidth_gb_per_s"]) if "bandwidth_gb_per_s" in self.figures else None

    def figure(self, name: str) -> float | str | None:
        """`l2_mib`, `tflops.fp16`; None where it is not known."""
        group, _, form = name.partition(".")
        return self.tflops.get(form) if group == "tflops" else self.figures.get(name)

    def source_of(self, figure: str) -> Source:
        return sources()[_stated(self.sources, figure) or self.source]

    def why_not_recomputed(self, figure: str) -> str | None:
        return _stated(self.why_not, figure)


@cache
def cards() -> tuple[CardFacts, ...]:
    """Every card of the tables, in their order."""
    return tuple(_card(row) for file in CARD_FILES for row in read_table(file)["card"])


@cache
def sources() -> Mapping[str, Source]:
    rows = read_table("sources")["source"]
    return MappingProxyType({id_: Source(id_, row["title"], row.get("url")) for id_, row in rows.items()})


def find_card(name: str) -> CardFacts | None:
    """The card of that name or alias, whatever its case, spaces or vendor prefix; None if there is none."""
    return cards_by_plain_name().get(plain_name(name))


def nearest_cards(name: str) -> tuple[str, ...]:
    """Names to offer when `find_card` found nothing."""
    known = cards_by_plain_name()
    near = difflib.get_close_matches(plain_name(name), known, n=3, cutoff=0.3)
    return tuple(dict.fromkeys(known[key].name for key in near))


@cache
def cards_by_plain_name() -> Mapping[str, CardFacts]:
    return MappingProxyType({plain_name(name): card for card in cards() for name in (card.name, *card.aliases)})


def plain_name(name: str) -> str:
    """Letters and digits alone, without the maker: `rtx4090` of `NVIDIA GeForce RTX 4090` and of `rtx-4090`."""
    words = "".join(character if character.isalnum() else " " for character in name.lower()).split()
    return "".join(word for word in words if word not in _MAKERS)


def card_key(name: str) -> str:
    """What jobs and workers call a card when they ask for one another: `h200`, whichever of its names was used."""
    found = find_card(name)
    return plain_name(found.name if found else name)


def read_table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("worker.hardware").joinpath("tables", f"{name}.toml").read_text(encoding="utf-8"))


def _card(row: Mapping[str, Any]) -> CardFacts:
    return CardFacts(
        name=row["name"],
        aliases=tuple(row["aliases"]),
        maker=row["maker"],
        kind=row["kind"],
        arch=row["arch"],
        half_rate_accumulation=row.get("half_rate_accumulation", False),
        figures=MappingProxyType({name: row[name] for name in FIGURES if name in row}),
        tflops=MappingProxyType({form: float(rate) for form, rate in row.get("tflops", {}).items()}),
        source=row["source"],
        sources=MappingProxyType(row.get("sources", {})),
        why_not=MappingProxyType(row.get("why_not", {})),
    )


def _stated(by_figure: Mapping[str, str], figure: str) -> str | None:
    """What is said of the figure itself, or else of its group."""
    return by_figure.get(figure) or by_figure.get(figure.partition(".")[0])
