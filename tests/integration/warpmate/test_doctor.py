"""`warpmate doctor` on installations that are whole, fresh, half set up, and broken."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.integration.warpmate.test_faults import warpmate

REDIS = "redis://127.0.0.1:6379/9"
PARTS = ["settings", "data", "content", "database", "models", "index", "judge", "broker", "discord", "language model"]


def examined(folder: Path, **more: str) -> tuple[int, dict[str, dict[str, Any]]]:
    done = warpmate(folder, "doctor", "--json", **more)
    parts = json.loads(done.stdout)["parts"]
    assert [part["part"] for part in parts] == PARTS
    return done.returncode, {part["part"]: part for part in parts}


@pytest.mark.needs("bubblewrap")
def test_a_fresh_machine_lacks_nothing_that_the_first_start_does_not_make(tmp_path: Path) -> None:
    code, found = examined(tmp_path)
    assert code == 0
    assert {part for part, one in found.items() if one["state"] == "ok"} == {
        "settings", "data", "content", "models", "judge",
    }  # fmt: skip
    assert "warpmate run makes it" in found["index"]["advice"]
    assert found["database"]["advice"] == "run: warpmate db upgrade"
    assert {found[part]["state"] for part in ("broker", "discord", "language model")} == {"off"}
    assert "emulator" in found["judge"]["finding"]


def test_what_is_set_and_does_not_answer_is_bad_and_says_so(tmp_path: Path) -> None:
    code, found = examined(
        tmp_path,
        WARPMATE_REDIS_URL="redis://127.0.0.1:1/0",
        WARPMATE_DISCORD_TOKEN="a.bot.token",
        WARPMATE_DISCORD_API_BASE="http://127.0.0.1:1/api/v10",
        WARPMATE_LLM_BASE_URL="http://127.0.0.1:1/v1",
    )
    assert code == 1
    assert {part for part, one in found.items() if one["state"] == "bad"} == {"broker", "discord"}
    assert "does not answer" in found["broker"]["finding"]
    assert "cannot be reached" in found["discord"]["finding"]
    assert found["language model"]["advice"] == "until it answers, excerpts stand alone"
    assert "WARPMATE_REDIS_URL" in found["settings"]["finding"]
    assert "a.bot.token" not in json.dumps(found)


@pytest.mark.needs("redis")
def test_a_broker_without_a_worker_names_the_command(tmp_path: Path) -> None:
    _, found = examined(tmp_path, WARPMATE_REDIS_URL=REDIS)
    assert (found["broker"]["state"], found["broker"]["advice"]) == ("warn", "start one on any host: warpmate worker")


def test_a_database_that_is_none_is_one_line_like_everything_else(tmp_path: Path) -> None:
    (tmp_path / "warpmate.db").write_bytes(b"this is no database" * 100)
    done = warpmate(tmp_path, "doctor")
    assert done.returncode == 1
    assert done.stderr == ""
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("✗ database")]
    assert "not an SQLite database; move it away" in line


def test_the_doctor_changes_nothing(tmp_path: Path) -> None:
    assert warpmate(tmp_path, "db", "upgrade").returncode == 0
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        before = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    _, found = examined(tmp_path)
    assert found["database"]["state"] == "ok"
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        assert connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall() == before
