"""Whatever is wrong around warpmate ends in one clear line, exit code 1, and no damaged data."""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests import prepared
from tests.integration.warpmate import forks

WARPMATE = [sys.executable, "-m", "warpmate"]
SET_CHILD_SUBREAPER = 36  # of prctl(2)


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WARPMATE_")}
    return kept | {"WARPMATE_DATA_DIR": str(folder), "WARPMATE_HTTP_PORT": "0"} | more


def started(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that begins from nothing."""
    command, around = [*WARPMATE, *arguments], environment(folder, **more)
    return subprocess.run(command, env=around, capture_output=True, text=True, timeout=100, check=False)


def warpmate(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command, forked from a process that has begun."""
    return forks.run(arguments, environment(folder, **more), Path.cwd())


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The single line on standard error; standard output must be empty."""
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("warpmate: ")
    return line


@contextmanager
def serving(folder: Path, *options: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running `warpmate run` and its address."""
    process = subprocess.Popen(
        [*WARPMATE, "run", *options],
        env=environment(folder, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("warpmate serves on http://"), first or process.communicate()[1]
        yield process, first.split()[-1]
    finally:
        process.terminate()  # it ends the process that makes a first index, which without it goes on for a while
        try:
            process.communicate(timeout=60)
        finally:
            process.kill()


@pytest.fixture
def with_index(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose first index is made."""
    prepared.give_first_index(tmp_path_factory, tmp_path / "data")
    return tmp_path / "data"


@contextmanager
def orphans_adopted() -> Iterator[None]:
    """Whatever the block starts and leaves behind becomes a child of this process; none may live on."""
    libc = ctypes.CDLL(None)
    before = children()
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
        assert [pid for pid in children() - before if not ends(pid)] == []
    finally:
        libc.prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def children() -> set[int]:
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


def ends(pid: int, within_s: float = 10) -> bool:
    """Whether this child is dead, or dies yet; then it is buried."""
    process = os.pidfd_open(pid)
    try:
        dead, _, _ = select.select([process], [], [], within_s)
    finally:
        os.close(process)
    return bool(dead and os.waitpid(pid, 0))


def integrity(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "warpmate.db")) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def test_a_malformed_setting(tmp_path: Path) -> None:
    assert "WARPMATE_HTTP_PORT: " in one_line(started(tmp_path, "run", WARPMATE_HTTP_PORT="eighty"))


def test_an_unknown_setting(tmp_path: Path) -> None:
    assert "did you mean WARPMATE_REDIS_URL" in one_line(warpmate(tmp_path, "run", WARPMATE_REDIS_UR="redis://x"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("no-such-command",), "No such command 'no-such-command'; see warpmate --help"),
        (("ask",), "Missing argument 'text'; see warpmate ask --help"),
        (("problems", "show", "a", "b"), "Got unexpected extra argument(s) (b); see warpmate problems show --help"),
        (("submit", "x.cu", "--backend", "cpu"), "is not one of 'auto', 'gpu', 'emulator', 'compile'; see warpmate"),
        (("--colour",), "No such option: --colour; see warpmate --help"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_one_line_and_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "x.cu").touch()
    done = warpmate(tmp_path, *(str(tmp_path / one) if one == "x.cu" else one for one in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("warpmate: ")
    assert told in line


def test_a_command_that_was_left_out_brings_the_help(tmp_path: Path) -> None:
    done = warpmate(tmp_path, "db")
    assert (done.returncode, done.stdout) == (2, "")
    assert "upgrade  Bring the database to the newest revision." in done.stderr


def test_a_data_directory_that_cannot_be_made(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert "WARPMATE_DATA_DIR" in one_line(warpmate(file / "below", "run"))


@pytest.mark.needs("bubblewrap")
def test_a_data_directory_on_a_read_only_file_system(tmp_path: Path) -> None:
    command = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(tmp_path), str(tmp_path), *WARPMATE, "run"]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert "cannot be written" in one_line(done)


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    assert warpmate(tmp_path, "db", "upgrade").returncode == 0
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
        before = list(connection.iterdump())
    assert "newer warpmate" in one_line(warpmate(tmp_path, "run"))
    with closing(sqlite3.connect(tmp_path / "warpmate.db")) as connection:
        assert list(connection.iterdump()) == before


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "warpmate.db").write_bytes(b"these are my holiday pictures, not a database" * 100)
    before = (tmp_path / "warpmate.db").read_bytes()
    assert "not an SQLite database" in one_line(warpmate(tmp_path, "run"))
    assert (tmp_path / "warpmate.db").read_bytes() == before


def test_a_database_server_that_is_not_there(tmp_path: Path) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    told = one_line(warpmate(tmp_path, "db", "upgrade", WARPMATE_DATABASE_URL=url))
    assert told.endswith("the database server does not answer; start it or check WARPMATE_DATABASE_URL")


def test_a_content_folder_that_is_none(tmp_path: Path) -> None:
    told = one_line(warpmate(tmp_path, "problems", "list", WARPMATE_CONTENT_DIR=str(tmp_path / "none")))
    assert f"{tmp_path / 'none'} holds no topics.yaml; set WARPMATE_CONTENT_DIR" in told


def test_a_second_instance_on_the_same_data_directory(with_index: Path) -> None:
    with serving(with_index) as (first, _address):
        line = one_line(warpmate(with_index, "run"))
        assert f"process {first.pid}" in line
        assert first.poll() is None


def test_a_port_that_is_taken(tmp_path: Path, with_index: Path) -> None:
    with serving(with_index) as (_first, address):
        port = address.rsplit(":", 1)[1]
        assert "WARPMATE_HTTP_PORT" in one_line(warpmate(tmp_path / "second", "run", WARPMATE_HTTP_PORT=port))


def test_a_fresh_machine_serves_before_its_first_index_is_made(tmp_path: Path) -> None:
    with serving(tmp_path) as (_process, address):
        with urlopen(f"{address}/preparing") as answer:
            assert "The library is being prepared" in json.load(answer)["text"]
        with urlopen(f"{address}/problems/vector_add") as page:
            assert page.status == 200
        assert not (tmp_path / "index" / "current").exists()


def test_a_discord_that_cannot_be_reached_keeps_nobody_from_the_site(with_index: Path) -> None:
    nobody = {"WARPMATE_DISCORD_TOKEN": "a.bot.token", "WARPMATE_DISCORD_API_BASE": "http://127.0.0.1:1/api/v10"}
    with orphans_adopted(), serving(with_index, **nobody) as (process, address):
        assert process.stderr is not None
        told = next(line for line in process.stderr if "Discord" in line)
        assert "cannot be reached" in told
        with urlopen(f"{address}/readyz") as answer:
            stands = json.load(answer)
        assert datetime.fromisoformat(stands.pop("discord_since")) <= datetime.now(UTC)
        assert stands == {"status": "ok", "discord": "away"}
        with urlopen(f"{address}/status") as page:
            assert "cannot be reached; it is tried again" in page.read().decode()
        body = json.dumps({"source": "int main() { return 0; }"}).encode()
        with urlopen(Request(f"{address}/api/v1/submissions", body, {"Content-Type": "application/json"})) as taken:
            assert taken.status == 202
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_cleanly_and_leaves_nothing_running(tmp_path: Path, number: signal.Signals) -> None:
    with orphans_adopted(), serving(tmp_path) as (process, _address):
        process.send_signal(number)
        _out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")
    assert warpmate(tmp_path, "db", "upgrade").returncode == 0  # the lock is free again
    assert integrity(tmp_path) == "ok"


@pytest.mark.needs("bubblewrap")
def test_a_full_disk_is_told_and_damages_nothing(tmp_path: Path) -> None:
    """On a file system of 4 MiB: fill it, try to serve, free it, serve on."""
    script = f"""
        set -u
        {sys.executable} -m warpmate db upgrade >/dev/null || exit 90
        cat /dev/zero > $WARPMATE_DATA_DIR/filler 2>/dev/null
        {sys.executable} -m warpmate run; echo "first: $?"
        {sys.executable} -m warpmate db forget local:nobody; echo "second: $?"
        rm $WARPMATE_DATA_DIR/filler
        {sys.executable} -m warpmate db upgrade >/dev/null; echo "third: $?"
        {sys.executable} -c 'import os, sqlite3; print(*sqlite3.connect(
            os.environ["WARPMATE_DATA_DIR"] + "/warpmate.db").execute("PRAGMA integrity_check").fetchone())'
    """
    command = ["bwrap", "--dev-bind", "/", "/", "--size", str(4 << 20), "--tmpfs", str(tmp_path), "sh", "-c", script]
    done = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines() == ["first: 1", "second: 1", "third: 0", "ok"], done.stderr
    assert [line.startswith("warpmate: ") for line in done.stderr.splitlines()] == [True, True]
    assert "No space left" in done.stderr
