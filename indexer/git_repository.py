"""A Git repository's newest commit in a folder of ours: fetched where it moved, and nothing of it is run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from knowledge.errors import OperatorError

WITHIN_S = 300
_SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "-c", "core.symlinks=false")
"""No hook is run, no address starts a program, and no link leads out of the folder."""
_ON_THE_WEB = {"github.com": "blob/HEAD", "gitee.com": "blob/HEAD", "gitlab.com": "-/blob/HEAD"}
_HOSTED = re.compile(r"(?:https://|ssh://git@|git@)(?P<host>[\w.-]+)[/:](?P<path>[\w./-]+?)(?:\.git)?/?")


def is_address(place: str) -> bool:
    return "://" in place or place.startswith("git@")


def is_repository(place: str) -> bool:
    """Tell a repository, which is fetched, from a folder that is read as it lies."""
    return is_address(place) or place.rstrip("/").endswith(".git")


def bring_up_to_date(address: str, folder: Path) -> None:
    """Make the folder hold the repository's newest commit; OperatorError says in one clause why it cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").is_dir():
        _git(folder, "init", "--quiet")
    for left in (folder / ".git").glob("*.lock"):  # by a git that was killed; one process at a time is here
        left.unlink(missing_ok=True)
    _git(folder, "fetch", "--quiet", "--depth", "1", "--no-tags", "--", address, "HEAD")
    _git(folder, "reset", "--quiet", "--hard", "FETCH_HEAD")


def web_address(repository: str) -> str:
    """Return where the files of a repository are read in a browser; empty where no host is known to show them."""
    hosted = _HOSTED.fullmatch(repository)
    if hosted is None or hosted["host"] not in _ON_THE_WEB:
        return ""
    return f"https://{hosted['host']}/{hosted['path']}/{_ON_THE_WEB[hosted['host']]}"


def _git(folder: Path, *arguments: str) -> None:
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}
    environment = {key: value for key, value in os.environ.items() if key not in {"GIT_DIR", "GIT_WORK_TREE"}}
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments], cwd=folder, env=environment | quiet | {"LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=WITHIN_S, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise OperatorError("git is not installed; a repository of notes is read with it") from None
    except subprocess.TimeoutExpired:
        raise OperatorError(f"git took longer than {WITHIN_S} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"]
        raise OperatorError(f"git: {without_secrets(said[-1])[:300]}")


def without_secrets(said: str) -> str:
    """Return it without the user and the password that an address in it may hold."""
    return re.sub(r"://[^/\s]+@", "://", said)
