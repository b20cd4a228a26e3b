"""The table of cards: found by any usual name, every figure with its source, derived figures recomputed."""

from __future__ import annotations

import pytest

from worker.hardware.architectures import architecture, architectures, cuda_versions
from worker.hardware.cards import (
    CARD_FILES,
    FIGURES,
    CardFacts,
    cards,
    find_card,
    nearest_cards,
    plain_name,
    read_table,
    sources,
)
from worker.hardware.occupancy import MAX_BLOCK_THREADS, MAX_SHARED_BYTES

NEAR = pytest.approx
VECTOR_FORMATS = ("fp64", "fp64_tensor")
"""Their rates hold at the boost clock, those of other formats at the tensor cores' where that differs."""
HALVED = ("tf32", "fp16", "bf16", "fp8")
FIELDS = {
    "name",
    "aliases",
    "maker",
    "kind",
    "arch",
    "source",
    "half_rate_accumulation",
    "tflops",
    "sources",
    "why_not",
}


def recomputed(card: CardFacts) -> dict[str, float | None]:
    """Every figure that follows from others, by the textbook; None where the entry lacks what it follows from."""
    known = card.figures
    machine = architecture(card.arch)
    found: dict[str, float | None] = {}
    if "bandwidth_gb_per_s" in known:
        parts = known.get("bus_bits"), known.get("gbit_per_s_per_pin")
        found["bandwidth_gb_per_s"] = float(parts[0]) / 8 * float(parts[1]) if parts[0] and parts[1] else None
    boost = float(known.get("boost_mhz", 0))
    for form in card.tflops:
        if form == "fp32":
            lanes = known.get("cores")
            found["tflops.fp32"] = float(lanes) * 2 * boost / 1e6 if lanes and boost else None
        else:
            clock = boost if form in VECTOR_FORMATS else float(known.get("tensor_boost_mhz", boost))
            rate = machine.flops_per_clock.get(form) if machine else None
            share = 0.5 if card.half_rate_accumulation and form in HALVED else 1.0
            count = float(known.get("multiprocessors", 0))
            if card.maker == "NVIDIA":
                found[f"tflops.{form}"] = count * rate * share * clock / 1e6 if rate and count and clock else None
    if machine and "cores" in known and "multiprocessors" in known:
        found["cores"] = machine.cores * float(known["multiprocessors"])
    return found


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.name)
def test_derived_figures_agree_within_three_percent_or_the_entry_says_why_not(card: CardFacts) -> None:
    for figure, expected in recomputed(card).items():
        reason = card.why_not_recomputed(figure)
        stated = float(card.figure(figure) or 0)
        agrees = expected is not None and stated == NEAR(expected, rel=0.03)
        assert agrees or reason, f"{figure}: {stated}, recomputed {expected}, and no reason is given"
    unneeded = [name for name in card.why_not if not name.startswith("tflops") and recomputed(card).get(name)]
    assert unneeded == [], "a reason for a figure that can be recomputed"


def test_the_table_is_wide_enough_for_a_group() -> None:
    assert len(cards()) >= 100
    assert {card.maker for card in cards()} == {"NVIDIA", "AMD", "Google", "Huawei", "Apple"}


def test_every_field_of_every_entry_is_known_and_every_source_is_used() -> None:
    used = {"cuda-guide", "cuda-release-notes", "ptx-isa"}
    reasons = read_table("sources")["why_not"]
    given = set()
    for file in CARD_FILES:
        for row in read_table(file)["card"]:
            assert row.keys() <= FIELDS | set(FIGURES), row["name"]
            used |= {row["source"], *row.get("sources", {}).values()}
            given |= set(row.get("why_not", {}).values())
    assert used == set(sources())
    assert given == set(reasons)


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.name)
def test_every_figure_has_a_source_with_an_address_or_was_worked_out(card: CardFacts) -> None:
    figures = [*card.figures, *(f"tflops.{form}" for form in card.tflops)]
    assert len(figures) >= 2
    for figure in figures:
        source = card.source_of(figure)
        assert source.title
        assert (source.url or "").startswith("https://") or source.id == "calculated"
    stated = {figure for figure in card.sources if card.figure(figure) is None and figure not in {"tflops", "arch"}}
    assert stated == set(), "a source for a figure that the entry lacks"


def test_no_two_cards_share_a_name() -> None:
    names = [(plain_name(name), card.name) for card in cards() for name in (card.name, *card.aliases)]
    owners: dict[str, set[str]] = {}
    for plain, owner in names:
        owners.setdefault(plain, set()).add(owner)
    assert {plain: owner for plain, owner in owners.items() if len(owner) > 1} == {}


@pytest.mark.parametrize("name", ["H200", "nvidia h200", "NVIDIA H200", "h200-sxm"])
def test_a_card_is_found_by_any_usual_name(name: str) -> None:
    found = find_card(name)
    assert found is not None
    assert found.name == "NVIDIA H200"


def test_an_unknown_card_gets_the_nearest_names() -> None:
    assert find_card("rtx 4900") is None
    assert "NVIDIA GeForce RTX 4090" in nearest_cards("rtx 4900")


def test_every_nvidia_card_has_an_architecture_whose_limits_are_known() -> None:
    assert {card.arch for card in cards() if card.maker == "NVIDIA"} <= set(architectures())


def test_the_toolkits_that_compile_for_an_architecture_are_in_their_table() -> None:
    versions = list(cuda_versions())
    for machine in architectures().values():
        assert machine.last_cuda is None or machine.last_cuda in versions
        if machine.first_cuda in versions:
            highest = cuda_versions()[machine.first_cuda].highest
            assert int(highest.removeprefix("sm_")) >= int(machine.name.removeprefix("sm_"))
        assert machine.capability.replace(".", "") == machine.name.removeprefix("sm_")
        assert machine.block_threads == MAX_BLOCK_THREADS
        assert machine.block_shared_bytes <= MAX_SHARED_BYTES
        assert machine.block_shared_bytes + machine.reserved_shared_bytes <= machine.shared_bytes
