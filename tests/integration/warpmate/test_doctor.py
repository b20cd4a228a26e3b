"""`warpmate doctor` on installations that are whole, fresh, half set up, and broken."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import prepared
from tests.integration.warpmate.test_faults import started, warpmate
from tests.needs import missing
from warpmate.doctor import here, judging
from warpmate.settings import Settings

Command = Callable[..., subprocess.CompletedProcess[str]]
REDIS = "redis://127.0.0.1:6379/9"
PARTS = [
    "warpmate", "settings", "data", "content", "database", "migrations", "models", "index",
    "sandbox", "compiler", "card", "broker", "discord", "language model",
]  # fmt: skip


def examined(folder: Path, command: Command = warpmate, **more: str) -> tuple[int, dict[str, dict[str, Any]]]:
    done = command(folder, "doctor", "--json", **more)
    parts = json.loads(done.stdout)["parts"]
    assert [part["part"] for part in parts] == PARTS
    return done.returncode, {part["part"]: part for part in parts}


@pytest.mark.needs("bubblewrap")
def test_a_fresh_machine_lacks_nothing_that_the_first_start_does_not_make(tmp_path: Path) -> None:
    code, found = examined(tmp_path, started)
    assert code == 0
    assert {part for part, one in found.items() if one["state"] == "ok"} == {
        "warpmate", "settings", "data", "content", "database", "models", "sandbox", "compiler",
    }  # fmt: skip
    assert "warpmate run makes it" in found["index"]["advice"]
    assert found["migrations"]["advice"] == "the next start brings it there; or now: warpmate db upgrade"
    assert {found[part]["state"] for part in ("broker", "discord", "language model")} == {"off"}
    assert "nvrtc" in found["compiler"]["finding"]


def test_what_is_set_and_does_not_answer_is_bad_and_says_so(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    prepared.give_models(tmp_path_factory, tmp_path)
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
def test_a_broker_without_a_worker_names_the_command(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    prepared.give_models(tmp_path_factory, tmp_path)
    _, found = examined(tmp_path, WARPMATE_REDIS_URL=REDIS)
    assert (found["broker"]["state"], found["broker"]["advice"]) == ("warn", "start one on any host: warpmate worker")


def test_a_database_that_is_none_is_one_line_like_everything_else(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    prepared.give_models(tmp_path_factory, tmp_path)
    (tmp_path / "warpmate.db").write_bytes(b"this is no database" * 100)
    done = warpmate(tmp_path, "doctor")
    assert done.returncode == 1
    assert done.stderr == ""
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("✗ database")]
    assert "not an SQLite database; move it away" in line


def test_a_database_of_a_newer_warpmate_is_told_from_an_older_one(tmp_path: Path) -> None:
    database = tmp_path / "warpmate.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    answers, migrations = asyncio.run(here.database(Settings(data_dir=tmp_path)))
    assert (answers.state, migrations.state) == ("ok", "bad")
    assert "update warpmate" in migrations.advice


def test_a_card_that_is_asked_for_and_absent_is_bad(tmp_path: Path) -> None:
    (found,) = asyncio.run(judging.card(Settings(data_dir=tmp_path, judge_backend="gpu")))
    assert (found.part, found.state) == ("card", "ok" if missing("gpu") is None else "bad")
    (found,) = asyncio.run(judging.card(Settings(data_dir=tmp_path, judge_backend="emulator")))
    assert found.state == "off"


def test_the_doctor_changes_nothing(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    prepared.give_models(tmp_path_factory, tmp_path)
    assert warpmate(tmp_path, "db", "upgrade").returncode == 0
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        before = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    _, found = examined(tmp_path)
    assert found["migrations"]["state"] == "ok"
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        assert connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall() == before
