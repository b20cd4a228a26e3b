"""What a test may need beyond Python, how to tell whether it is here, and which package brings it."""

from __future__ import annotations

import functools
import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Need:
    present: Callable[[], bool]
    remedy: str


def _listens(port: int) -> Callable[[], bool]:
    def probe() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.3).close()
        except OSError:
            return False
        return True

    return probe


def _program(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def postgres_programs() -> str:
    """The folder of the server's programs, which Debian keeps out of the path; empty where there is none."""
    beside = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(beside[-1]) if beside else "")
    return str(Path(found).resolve().parent) if found else ""


def corpus() -> Path | None:
    """The mirror of real pages, where this machine has one."""
    named = os.environ.get("WARPMATE_CORPUS")
    beside = Path(__file__).parents[2] / "shared" / "corpus"
    folder = Path(named) if named else beside
    return folder if (folder / "manifest.jsonl").is_file() else None


def seeds() -> Path | None:
    """The group's own link lists, where this machine has them."""
    folder = Path(__file__).parents[2] / "shared" / "seeds"
    return folder if folder.is_dir() else None


NEEDS: dict[str, Need] = {
    "redis": Need(_listens(6379), "a Redis on 127.0.0.1:6379 (Debian: redis-server)"),
    "postgres": Need(_listens(5432), "a PostgreSQL on 127.0.0.1:5432 (Debian: postgresql)"),
    "pg_dump": Need(_program("pg_dump"), "Debian: postgresql-client"),
    "initdb": Need(lambda: bool(postgres_programs()), "the programs of a PostgreSQL server (Debian: postgresql)"),
    "faketime": Need(lambda: bool(list(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), "Debian: faketime"),
    "sqlite3": Need(_program("sqlite3"), "Debian: sqlite3"),
    "bubblewrap": Need(_program("bwrap"), "Debian: bubblewrap"),
    "c++": Need(_program("c++"), "Debian: g++"),
    "chromium": Need(_program("chromium", "chromium-browser"), "Debian: chromium"),
    "gpu": Need(lambda: Path("/dev/nvidia0").exists(), "a CUDA GPU; make gpu runs these"),
    "triton": Need(lambda: find_spec("triton") is not None, "pip install 'warpmate[triton]'"),
    "corpus": Need(lambda: corpus() is not None, "WARPMATE_CORPUS, a folder of pages with a manifest.jsonl"),
    "seeds": Need(lambda: seeds() is not None, "the group's link lists"),
}


@functools.cache
def missing(what: str) -> str | None:
    need = NEEDS[what]
    return None if need.present() else f"{what} is missing: {need.remedy}"
