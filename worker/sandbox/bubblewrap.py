"""bubblewrap: a process in namespaces of its own, seeing only the files that it is given."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from worker.sandbox.policy import Policy


@functools.cache
def supported() -> bool:
    """Whether it is installed, and allowed to make its namespaces here (some containers forbid that)."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    probe = [program, "--unshare-all", "--ro-bind", "/", "/", "--cap-drop", "ALL", "true"]
    return subprocess.run(probe, capture_output=True, check=False, timeout=10).returncode == 0


def wrap(command: list[str], policy: Policy, extra: Iterable[str] = ()) -> list[str]:
    """The command line that runs `command` inside."""
    program = shutil.which("bwrap") or "bwrap"  # whole, for it is looked up again in an empty environment
    wrapped = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name, value in {"PATH": "/usr/bin:/bin", **policy.environment}.items():
        wrapped += ["--setenv", name, value]
    # First of all mounts: what is readable may itself lie below /tmp.
    if policy.tmp_bytes:
        wrapped += ["--size", str(policy.tmp_bytes), "--tmpfs", "/tmp"]  # noqa: S108  # private to the sandbox
    for path in _outermost((*policy.startup, *policy.readable)):
        wrapped += (
            ["--symlink", str(path.readlink()), str(path)]
            if path.is_symlink()
            else ["--ro-bind", str(path), str(path)]
        )
    if policy.scratch:
        wrapped += ["--size", str(policy.scratch_bytes), "--tmpfs", str(policy.scratch)]
    if policy.proc:
        wrapped += ["--proc", "/proc"]
    for device in policy.devices:
        wrapped += ["--dev-bind", str(device), str(device)]
    return [*wrapped, "--chdir", "/", *extra, "--remount-ro", "/", "--", *command]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Existing paths, those inside another left out."""
    present = sorted({path for path in paths if path.exists()})
    kept: list[Path] = []
    for path in present:
        if not kept or not path.is_relative_to(kept[-1]):
            kept.append(path)
    return kept
