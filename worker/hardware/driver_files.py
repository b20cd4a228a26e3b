"""NVIDIA's driver on this host: its device files and its library, which a sandbox has to be shown."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

_LIBRARY = "libcuda.so.1"


def devices() -> tuple[Path, ...]:
    """The driver's device files, and those that every program expects."""
    fixed = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "null", "zero", "urandom")
    cards = sorted(Path("/dev").glob("nvidia[0-9]*"))
    return tuple(path for path in [*cards, *(Path("/dev") / name for name in fixed)] if path.exists())


@functools.cache
def driver_folders() -> tuple[Path, ...]:
    """Folders where libcuda lies, links followed too; none where there is no driver or no card."""
    if not Path("/dev/nvidiactl").exists():
        return ()
    found = next((path for path in _candidates() if path.exists()), None)
    return tuple(dict.fromkeys((found.parent, found.resolve().parent))) if found else ()


def _candidates() -> Iterator[Path]:
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if folder:
            yield Path(folder) / _LIBRARY
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    if Path(ldconfig).exists():
        listed = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False, timeout=10).stdout
        yield from (Path(path) for path in re.findall(rf"{re.escape(_LIBRARY)} .*=> (\S+)", listed))
    yield Path("/usr/local/nvidia/lib64") / _LIBRARY
