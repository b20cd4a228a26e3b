"""What a build adds to the files of the checkout: the commit that they were made from, for `warpmate --version`."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMIT_FILE = "warpmate/commit.txt"


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]
    """An editable install gets no file: there `warpmate --version` asks git, for the checkout goes on to change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        commit = os.environ.get("SOURCE_COMMIT") or described(Path(self.root))
        if commit and version != "editable":
            self.folder = tempfile.TemporaryDirectory(prefix="warpmate-build-")
            file = Path(self.folder.name) / "commit.txt"
            file.write_text(f"{commit}\n", encoding="utf-8")
            build_data["force_include"][str(file)] = COMMIT_FILE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


def described(root: Path) -> str:
    """Return the commit of a checkout, with a mark if files were changed since; empty where there is no git."""
    if not (root / ".git").exists():
        return ""
    asked = subprocess.run(
        ["git", "-C", root, "describe", "--always", "--dirty=+changes", "--exclude=*", "--abbrev=12"],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip() if asked.returncode == 0 else ""
