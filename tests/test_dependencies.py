"""Mistakes made on purpose in what we depend on: `make lint` asks deptry, and deptry names each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
ROOMS = ("warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker")


def complaints(folder: Path, pyproject: str, planted: str) -> str:
    """What deptry says of our rooms with this pyproject.toml and these lines in one more file; empty when content."""
    (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    no_data = shutil.ignore_patterns("__pycache__", "static", "templates")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=no_data)
    (folder / "knowledge" / "planted.py").write_text(planted, encoding="utf-8")
    asked = subprocess.run(
        [sys.executable, "-c", "from deptry.cli import deptry; deptry()", "--no-ansi", *ROOMS],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if asked.returncode == 0 else asked.stdout + asked.stderr


def test_each_kind_of_mistake_is_named(tmp_path: Path) -> None:
    planted = "import requests\nimport trafilatura\nimport nowhere_to_be_found\n"
    said = complaints(tmp_path, PYPROJECT.replace("app = [\n", 'app = [\n    "colorama",\n', 1), planted)
    assert "planted.py:1:8: DEP003 'requests'" in said, "imported, not declared"
    assert "planted.py:2:8: DEP004 'trafilatura'" in said, "declared for tests, imported by a room"
    assert "planted.py:3:8: DEP001 'nowhere_to_be_found'" in said, "installed by nobody"
    assert "DEP002 'colorama'" in said, "declared, not imported"
    assert "Found 4 dependency issues" in said, "and nothing else is wrong with what we ship"
