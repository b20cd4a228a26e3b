"""The command line as somebody types it: another process, its exit code, its two streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.integration.warpmate import forks

WARPMATE = [sys.executable, "-m", "warpmate"]


@dataclass(frozen=True, slots=True)
class Home:
    """A data directory with nothing else of this machine's settings, but for those that a test gives."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        ours = ("WARPMATE_", "COLUMNS")  # pytest's own processes are told how wide the terminal is
        kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        return kept | {"WARPMATE_DATA_DIR": str(self.folder), "WARPMATE_HTTP_PORT": "0"} | dict(self.settings)

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return forks.run(arguments, self.environment | more, self.folder.parent)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Beside the test, with its standard output to be read; whoever starts it ends it."""
        return subprocess.Popen(
            [*WARPMATE, *arguments],
            env=self.environment,
            cwd=self.folder.parent,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def json(self, *arguments: str) -> Any:
        """The one document on standard output; nothing else may be said."""
        return json.loads(self.say(*arguments, "--json"))

    def refusal(self, *arguments: str, **more: str) -> str:
        """Exit code 1 and one line."""
        done = self.run(*arguments, **more)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        (line,) = done.stderr.splitlines()
        return line.removeprefix("warpmate: ")
