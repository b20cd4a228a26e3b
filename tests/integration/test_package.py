"""The installed package has everything that the checkout has: scripts, templates, word lists, migrations."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("warpmate", "bot", "web", "knowledge", "indexer", "worker")


@pytest.mark.slow
def test_a_wheel_lacks_nothing_that_lies_in_a_room(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            tmp_path,
            source,
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    here = {
        path.relative_to(source).as_posix() for room in ROOMS for path in (source / room).rglob("*") if path.is_file()
    }
    assert here - packed == set()
