"""The program `warpmate`: the command line, or one line where an installation lacks what the command line needs."""

from __future__ import annotations

import sys

OURS = ("warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker")


def main() -> None:
    try:
        from warpmate.cli import main as command_line
    except ModuleNotFoundError as error:
        if not error.name or error.name.partition(".")[0] in OURS:
            raise
        print(_worker_alone(error.name), file=sys.stderr)  # noqa: T201  standard error is this program's own
        raise SystemExit(1) from None
    command_line()


def _worker_alone(lacking: str) -> str:
    return (
        f"warpmate: {lacking} is not installed, as after installing warpmate without [app]: that is a worker alone, "
        "which python -m worker starts; everything else comes with warpmate[app]"
    )
