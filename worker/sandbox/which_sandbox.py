"""Which sandbox this host has: bubblewrap, else Landlock with seccomp; without either nothing hostile is read."""

from __future__ import annotations

from typing import Literal

from worker.errors import SandboxMissing
from worker.sandbox import bubblewrap, lockdown

Kind = Literal["bubblewrap", "landlock"]

REMEDY = (
    "no sandbox on this host: install bubblewrap (Debian, Ubuntu: apt install bubblewrap) and allow user "
    "namespaces, or run a Linux kernel 5.13 or newer with Landlock and seccomp"
)


def choose() -> Kind:
    """The stronger sandbox that works here, or SandboxMissing with what to install."""
    if bubblewrap.supported():
        return "bubblewrap"
    if lockdown.supported():
        return "landlock"
    raise SandboxMissing(REMEDY)
