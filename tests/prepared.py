"""What many tests need and takes long to make: made once in a test run, whichever process comes first, then copied.

Nothing here can be out of date: a run makes its own. A fresh machine that makes all of it by itself is for
tests/integration/test_installed.py. A data directory with the models and the embedder's work begins its first build
like one whose index was deleted, and does everything else of it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.library.embed import open_embedder
from knowledge.reader.model import Reader


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of this test run, shared by all its processes; who comes while it is being made waits."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"prepared-{name}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


def models(factory: pytest.TempPathFactory) -> Path:
    """The folder `models` of a data directory: the packaged model and the reader in int8, seconds of work each."""
    return made_once(factory, "models", _write_graphs)


def _write_graphs(folder: Path) -> None:
    open_embedder(cache=folder)
    Reader(folder)


def first_build(factory: pytest.TempPathFactory) -> Path:
    """A folder with a data directory, `data`, after the first build of everything under content/, and its report."""
    return made_once(factory, "first-build", lambda folder: _build(factory, folder))


def _build(factory: pytest.TempPathFactory, folder: Path) -> None:
    give_models(factory, folder / "data")
    ours = {key: value for key, value in os.environ.items() if not key.startswith("WARPMATE_")}
    build = [sys.executable, "-m", "warpmate", "index", "build", "--snippets", "0", "--json"]
    place = {"WARPMATE_DATA_DIR": str(folder / "data")}
    done = subprocess.run(build, env=ours | place, check=True, capture_output=True, timeout=400)
    (folder / "report.json").write_bytes(done.stdout)


def give_models(factory: pytest.TempPathFactory, data_dir: Path) -> None:
    """Put the models where a data directory keeps them: as links, for they are replaced and never written to."""
    ours = shutil.ignore_patterns("lock", "made")
    shutil.copytree(models(factory), data_dir / "models", ignore=ours, copy_function=os.link)


def give_work(factory: pytest.TempPathFactory, data_dir: Path) -> None:
    """Put the models and the embedder's work where a data directory keeps them."""
    give_models(factory, data_dir)
    shutil.copytree(first_build(factory) / "data" / "cache", data_dir / "cache")


def give_first_index(factory: pytest.TempPathFactory, data_dir: Path) -> None:
    """Make the data directory what a first build leaves: database, index, models and the embedder's work."""
    give_work(factory, data_dir)
    made = first_build(factory) / "data"
    shutil.copytree(made / "index", data_dir / "index")
    shutil.copy(made / "warpmate.db", data_dir)
