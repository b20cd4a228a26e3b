"""Cards side by side, the list of all of them, and the names that a member is offered while typing."""

from __future__ import annotations

import pytest

from knowledge.errors import BadInput
from knowledge.figures.compare import MOST_CARDS, OVERVIEW, card_choices, compared, overview
from knowledge.words import read_languages
from worker.hardware.cards import cards


def test_a_comparison_has_a_row_for_what_any_card_has_and_none_for_what_all_lack() -> None:
    both = compared(("h100", "tpu v5p"))
    rows = {row.quantity: row.figures for row in both.rows}
    assert [each.shown if each else None for each in rows["memory_gb"]] == ["80 GB", "95 GB"]
    assert rows["boost_mhz"][1] is None
    assert all(any(figures) for figures in rows.values())
    assert "tflops.fp4" not in rows


def test_every_figure_of_a_comparison_has_a_numbered_source() -> None:
    both = compared(("h100", "rtx 4090", "mi300x", "m4 max"))
    assert {each.source for row in both.rows for each in row.figures if each} == set(both.sources)
    told = both.as_json(read_languages()["zh"])
    assert told["cards"] == ["NVIDIA H100 SXM", "NVIDIA GeForce RTX 4090", "AMD Instinct MI300X", "Apple M4 Max"]
    assert "显存带宽" in {row["name"] for row in told["rows"]}


def test_a_card_named_twice_is_compared_once() -> None:
    assert [card.name for card in compared(("H100", "nvidia-h100-sxm")).cards] == ["NVIDIA H100 SXM"]


@pytest.mark.parametrize("names", [(), ("h900",), tuple(card.name for card in cards()[: MOST_CARDS + 1])])
def test_no_card_an_unknown_one_or_too_many_are_refused_in_both_languages(names: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        compared(names)
    assert refused.value.text("en") != refused.value.text("zh")


@pytest.mark.parametrize("quantity", OVERVIEW)
def test_the_list_holds_every_card_and_sorts_by_any_column(quantity: str) -> None:
    listed = overview(quantity)
    at = OVERVIEW.index(quantity)
    values = [float(each.value) if (each := row.figures[at]) else 0.0 for _, row in listed]
    assert values == sorted(values, reverse=True)
    assert {card.name for card, _ in listed} == {card.name for card in cards()}


def test_a_member_is_offered_the_cards_that_begin_with_what_was_typed() -> None:
    assert card_choices("rtx 409", 25) == ("NVIDIA GeForce RTX 4090",)
    assert card_choices("nvidia h1", 2) == ("NVIDIA H100 SXM", "NVIDIA H100 PCIe")
    assert len(card_choices("", 25)) == 25
