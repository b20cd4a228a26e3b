"""The wheel of this checkout, built once in a test run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prepared import made_once

ROOT = Path(__file__).parents[1]
COMMIT = "0123456789ab"
"""The commit that these wheels say they were made from: the checkout's own changes while tests are written."""


def wheel(factory: pytest.TempPathFactory) -> Path:
    (found,) = made_once(factory, "wheel", lambda folder: build(ROOT, folder)).glob("*.whl")
    return found


def build(source: Path, folder: Path) -> None:
    """Build with the backend that pyproject.toml names, in the version that it names, which is installed here."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    environment = os.environ | {"SOURCE_COMMIT": COMMIT}
    subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True, timeout=100)
