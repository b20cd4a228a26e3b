"""What a CUDA error on the way through a member's launches says of the submission."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from worker.errors import ChildLost
from worker.messages import Message, message
from worker.protocol import Kind


@dataclass(frozen=True, slots=True)
class Ending:
    kind: Kind
    what: Message

    @property
    def remark(self) -> tuple[str, Mapping[str, Message]]:
        """The finding that tells what the card itself saw."""
        return "failed-on-card", {"what": self.what}


_ENDINGS: Mapping[int, Ending] = MappingProxyType(
    {
        1: Ending(Kind.LAUNCH_ERROR, message("card.launch-refused")),
        2: Ending(Kind.OUT_OF_MEMORY, message("card.out-of-memory")),
        700: Ending(Kind.MEMORY_ERROR, message("card.illegal-address")),
        701: Ending(Kind.LAUNCH_ERROR, message("card.too-few-resources")),
        702: Ending(Kind.TIMEOUT, message("card.too-slow")),
        710: Ending(Kind.RUNTIME_ERROR, message("card.assertion")),
        714: Ending(Kind.MEMORY_ERROR, message("card.stack")),
        715: Ending(Kind.RUNTIME_ERROR, message("card.illegal-instruction")),
        716: Ending(Kind.MEMORY_ERROR, message("card.misaligned")),
        717: Ending(Kind.MEMORY_ERROR, message("card.wrong-memory")),
        718: Ending(Kind.MEMORY_ERROR, message("card.program-counter")),
        719: Ending(Kind.RUNTIME_ERROR, message("card.broke-down")),
    }
)
"""By CUresult."""


_CRASHES = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL})


def blamed(lost: ChildLost, ptx: str) -> Ending:
    """What it means that a runner died; `lost` is raised again where the member's code had no part in it.

    Device printf is formatted by the driver in the runner's own process, from what the kernel passed: a %s of no
    string breaks it. Whoever kills a runner from outside, or a driver that breaks down by itself, is our trouble.
    """
    if lost.signal not in _CRASHES or "vprintf" not in ptx:
        raise lost
    return Ending(Kind.RUNTIME_ERROR, message("card.printf"))


def ending_of(code: int) -> Ending | None:
    """None for an error that no kernel causes: it is ours."""
    return _ENDINGS.get(code)
