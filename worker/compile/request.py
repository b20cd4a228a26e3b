"""What the sandboxed NVRTC is asked and what it answers."""

from __future__ import annotations

from msgspec import Struct


class Build(Struct, frozen=True):
    """One source with one set of options."""

    source: bytes
    headers: dict[str, str]
    """Name to text, of headers that stand nowhere on disk."""
    names: tuple[str, ...]
    """Kernels whose names in the module are wanted, as they are written in a launch."""
    options: tuple[str, ...]
    log_bytes: int
    """At most this much of the log comes back."""


class Built(Struct, frozen=True):
    """How a build went; without `ptx` it failed and the log says why."""

    status: int
    """NVRTC's own."""
    log: bytes
    ptx: bytes = b""
    cubin: bytes = b""
    lowered: tuple[str, ...] = ()
    """The names that were asked for, in the module."""
    ms: float = 0.0

    @property
    def ok(self) -> bool:
        return bool(self.ptx)
