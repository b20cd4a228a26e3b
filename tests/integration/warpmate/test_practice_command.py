"""`warpmate hint` and `warpmate editorial` as somebody types them, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home

ADA = ("--member", "local:ada")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def test_hints_open_one_by_one(home: Home) -> None:
    first = home.say("hint", "softmax", *ADA)
    assert "Hint 1 of 3" in first
    assert "Hint 2 of 3" not in first
    assert "one by one" in home.refusal("hint", "softmax", "--number", "3", *ADA)
    assert "提示 2 / 3" in home.say("hint", "softmax", "--lang", "zh", *ADA)
    opened = home.json("hint", "softmax", *ADA)
    assert (len(opened["opened"]), opened["hints"]) == (3, 3)
    assert "warpmate editorial softmax" in home.say("hint", "softmax", *ADA)
    assert "no problem is called 'no_such'" in home.refusal("hint", "no_such", *ADA)


def test_the_explanation_waits_until_somebody_gives_up(home: Home) -> None:
    assert "--give-up" in home.refusal("editorial", "softmax", *ADA)
    told = home.say("editorial", "softmax", "--give-up", "--lang", "zh", *ADA)
    assert "达到上限的" in told
    assert "__global__" not in told
    assert "__global__" in home.say("editorial", "softmax", "--code", *ADA)
    steps = home.json("editorial", "softmax", *ADA)["steps"]
    assert [step["solution"] for step in steps] == [None, "thread_per_row", "block_per_row", "row_in_registers", None]
    assert steps[3]["times"][0]["time_us"] < steps[1]["times"][0]["time_us"]
