"""The data directory: made, tried and held by one serving process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from knowledge.errors import DataDirError


def prepare(folder: Path) -> Path:
    """Return the directory, made if need be; a write proves that it is writable."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"\0" * 4096)
        probe.unlink()
    except OSError as error:
        with suppress(OSError):
            probe.unlink()
        reason = error.strerror or str(error)
        raise DataDirError(
            f"the data directory {folder} cannot be written ({reason}); free it or set WARPMATE_DATA_DIR to another"
        ) from error
    return folder


def share_index(folder: Path, shared: Path) -> None:
    """Have the index of this data directory be a folder that other processes have as well, by a link to it."""
    link = folder / "index"
    shared.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        link.symlink_to(shared.absolute(), target_is_directory=True)
    if link.resolve() != shared.resolve():
        raise DataDirError(f"{link} is not the folder of WARPMATE_INDEX_DIR; move it away, then that one is used")


_TAKEN = {
    "warpmate": "another warpmate (process {holder}) already serves from {folder}; "
    "stop it or set WARPMATE_DATA_DIR to another directory",
    "indexer": "another warpmate (process {holder}) is filling the library in {folder}; try again when it is done",
}


@contextmanager
def held(folder: Path, name: str = "warpmate") -> Iterator[None]:
    """Hold the lock: one process may serve from a data directory, or fill it; the kernel drops it when that dies."""
    with (folder / f"{name}.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise DataDirError(_TAKEN[name].format(holder=holder, folder=folder)) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
