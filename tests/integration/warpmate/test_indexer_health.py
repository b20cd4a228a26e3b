"""The indexer's health check, as docker-compose.yml asks it: it lives, hangs, gets nothing done or is dead."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from knowledge.errors import SetupError
from tests import prepared
from tests.integration.warpmate.cli import Home
from warpmate import indexer_health

COMPOSE = Path(__file__).parents[3] / "docker-compose.yml"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


@contextmanager
def indexer(home: Home) -> Iterator[subprocess.Popen[str]]:
    """A running one; killed at the end of the block unless it has ended."""
    process = home.start("indexer")
    try:
        assert process.stdout is not None
        assert "is kept fresh" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def asked_by_compose(home: Home) -> subprocess.CompletedProcess[str]:
    services: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    how, *command = services["indexer"]["healthcheck"]["test"]
    assert how == "CMD"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = home.environment | {"PATH": path}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def aged(file: Path, by_s: float) -> None:
    then = time.time() - by_s
    os.utime(file, (then, then))


def test_an_indexer_that_lives_is_healthy_and_one_that_ended_is_not(home: Home) -> None:
    assert asked_by_compose(home).returncode == 1
    with indexer(home) as process:
        assert (asked := asked_by_compose(home)).returncode == 0, asked.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert "no indexer runs" in home.refusal("indexer", "--health")


def test_an_indexer_that_hangs_is_not_healthy(home: Home) -> None:
    """Stopped, it cannot touch its file; the file's age is what a minute of that would make it."""
    with indexer(home) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        aged(home.folder / indexer_health.BEAT, indexer_health.SILENT_S + 1)
        assert "dead or hangs" in asked_by_compose(home).stderr


def test_an_indexer_whose_rounds_are_never_completed_is_not_healthy(home: Home) -> None:
    with indexer(home):
        aged(home.folder / indexer_health.ROUND, indexer_health.IDLE_S + 1)
        assert "no round of upkeep was completed" in home.refusal("indexer", "--health")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_completed_round_counts_whoever_started_it(home: Home, tmp_path_factory: pytest.TempPathFactory) -> None:
    prepared.give_first_index(tmp_path_factory, home.folder)
    with indexer(home):
        aged(home.folder / indexer_health.ROUND, indexer_health.IDLE_S + 1)
        home.say("indexer", "--once")
        assert asked_by_compose(home).returncode == 0


async def test_it_goes_on_beating(tmp_path: Path) -> None:
    async with indexer_health.beating(tmp_path, every_s=0):
        aged(tmp_path / indexer_health.BEAT, indexer_health.SILENT_S + 1)
        with pytest.raises(SetupError):
            indexer_health.check(tmp_path)
        await until_healthy(tmp_path)


async def until_healthy(folder: Path) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                return indexer_health.check(folder)
            except SetupError:
                await asyncio.sleep(0)
