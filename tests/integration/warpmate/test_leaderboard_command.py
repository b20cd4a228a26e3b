"""`warpmate leaderboard` as somebody types it, in both languages."""

from __future__ import annotations

from pathlib import Path

from tests.integration.warpmate.cli import Home


def test_an_empty_board_says_what_else_there_is(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    assert "--predicted" in home.say("leaderboard", "softmax")
    assert "no kernel" in home.say("leaderboard", "softmax", "--predicted", "--language", "triton").lower()
    assert "预测：一块 NVIDIA L4" in home.say("leaderboard", "softmax", "--predicted", "--card", "l4", "--lang", "zh")
    assert home.json("leaderboard", "softmax", "--predicted")["card"] == "NVIDIA H200"
    assert "no time can be predicted on abacus" in home.refusal(
        "leaderboard", "softmax", "--predicted", "--card", "abacus"
    )
    assert "There is no problem named" in home.refusal("leaderboard", "no_such")
