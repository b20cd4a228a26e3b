"""What many tests need and takes long to make: made once in a test run, whichever process comes first, then copied.

Nothing here can be out of date: a run makes its own, the models' file is named by the digest of its weights, and the
embedder's work is kept by the text that was embedded. A data directory that gets both begins its first build like one
whose index was deleted, and does everything else of it.
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
    """The folder `models` of a data directory, with the packaged model in int8."""
    return made_once(factory, "models", lambda folder: open_embedder(cache=folder))


def work_done(factory: pytest.TempPathFactory) -> Path:
    """A data directory after its first build: models and embeddings of everything under content/."""
    return made_once(factory, "work", _build)


def _build(folder: Path) -> None:
    ours = {key: value for key, value in os.environ.items() if not key.startswith("WARPMATE_")}
    build = [sys.executable, "-m", "warpmate", "index", "build"]
    subprocess.run(build, env=ours | {"WARPMATE_DATA_DIR": str(folder)}, check=True, capture_output=True, timeout=400)


def give_models(factory: pytest.TempPathFactory, data_dir: Path) -> None:
    """Put the model where a data directory keeps it."""
    shutil.copytree(models(factory), data_dir / "models", ignore=shutil.ignore_patterns("lock", "made"))


def give_work(factory: pytest.TempPathFactory, data_dir: Path) -> None:
    """Put the model and the embedder's work where a data directory keeps them."""
    for part in ("models", "cache"):
        shutil.copytree(work_done(factory) / part, data_dir / part)
