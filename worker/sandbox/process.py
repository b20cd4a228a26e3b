"""A sandboxed process as its owner sees it, whoever started it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Ends:
    """Descriptors that a process gets: its end of the talk, and where it prints."""

    channel: int
    stdout: int
    stderr: int


class Process(Protocol):
    @property
    def pid(self) -> int: ...

    def status(self) -> int | None:
        """How it ended, negative for a signal; None while it runs."""

    def wait(self, seconds: float) -> None:
        """Until it has ended, but no longer than this."""

    def end(self) -> None:
        """Kill it, and see that it is gone."""

    def release(self) -> None:
        """Give back what was needed to reach it; it has ended."""


Start = Callable[[Ends], Process]


class Started:
    """A command of its own, in a session of its own."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], ends: Ends) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=ends.stdout,
            stderr=ends.stderr,
            pass_fds=(ends.channel,),
            env=dict(environment),
            cwd="/",
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def status(self) -> int | None:
        return self._process.poll()

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def release(self) -> None:
        """Nothing: it was reaped when it ended."""
