"""What the check of composed sentences drops of the planted ones, with floors; composed/README.md tells of them."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knowledge.ask.faithful.check import Checker
from knowledge.ask.open_ask import bridge_maker
from knowledge.content import load_glossary
from knowledge.text.language import language_of
from tests.folders import CONTENT

PLANTED = Path(__file__).parent / "composed"
HALVES = ("fitting", "kept")


def passages(half: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PLANTED / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


@cache
def dropped(half: str) -> Counter[str]:
    """How many sentences of each kind fall, the faithful ones among them."""
    checker = Checker(bridge_maker(load_glossary(CONTENT))(()))
    found: Counter[str] = Counter()
    for passage in passages(half):
        found["faithful"] += sum(bool(checker.fault(said, passage["text"])) for said in passage["faithful"])
        for said in passage["unfaithful"]:
            found[said["kind"]] += bool(checker.fault(said["text"], passage["text"]))
    return found


def planted(half: str) -> Counter[str]:
    return Counter(said["kind"] for passage in passages(half) for said in passage["unfaithful"])


def test_the_set_is_as_large_and_as_mixed_as_it_says() -> None:
    every = [passage for half in HALVES for passage in passages(half)]
    assert {passage["note"] for passage in passages("fitting")}.isdisjoint(
        passage["note"] for passage in passages("kept")
    )
    for key in ("unfaithful", "faithful"):
        said = [one if isinstance(one, str) else one["text"] for passage in every for one in passage[key]]
        assert len(said) == len(set(said)) >= 320
        assert min(Counter(map(language_of, said)).values()) >= 150


@pytest.mark.parametrize(("half", "floor", "ceiling"), [("fitting", 0.43, 0.05), ("kept", 0.35, 0.125)])
def test_the_check_drops_what_is_misstated_and_lets_rewordings_pass(half: str, floor: float, ceiling: float) -> None:
    kinds = planted(half)
    misstated = sum(count for kind, count in dropped(half).items() if kind != "faithful")
    assert misstated >= floor * sum(kinds.values())
    assert dropped(half)["faithful"] <= ceiling * sum(len(passage["faithful"]) for passage in passages(half))


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize(("kind", "floor"), [("unit", 0.85), ("number", 0.55), ("identifier", 0.5)])
def test_figures_units_and_names_are_held_to_the_passage(half: str, kind: str, floor: float) -> None:
    assert dropped(half)[kind] >= floor * planted(half)[kind]
