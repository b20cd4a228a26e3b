"""Which warpmate this is: its version, and the commit that it was made from."""

from __future__ import annotations

import importlib.metadata
import subprocess
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def version() -> str:
    return importlib.metadata.version("warpmate")


def checkout() -> Path | None:
    """Return the folder of the checkout that this code runs from; None where it was installed from a wheel."""
    root = _HERE.parent
    return root if (root / "pyproject.toml").is_file() else None


def commit() -> str:
    """Return what the build wrote down, or in a checkout what git says; empty where neither knows it."""
    written = _HERE / "commit.txt"
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    root = checkout()
    return _from_git(root) if root and (root / ".git").exists() else ""


def edition() -> str:
    """Return the version with its commit, as `warpmate --version` says it."""
    made_from = commit()
    return f"{version()} ({made_from})" if made_from else version()


def _from_git(root: Path) -> str:
    try:
        asked = subprocess.run(
            ["git", "-C", root, "describe", "--always", "--dirty=+changes", "--exclude=*", "--abbrev=12"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""
