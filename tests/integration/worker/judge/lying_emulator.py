"""The emulator's child after a submission took it over: what it answers stands in a comment of the PTX."""

from __future__ import annotations

from worker.emulator.child import REQUESTS, warm
from worker.emulator.request import Emulation, Observation, Request
from worker.messages import message
from worker.protocol import Kind

__all__ = ["REQUESTS", "answer", "warm"]


def _seen(name: str) -> Emulation:
    """A run that ended early, so that nobody asks for its outputs."""
    return Emulation(Kind.RUNTIME_ERROR, None, {}, (Observation(name, 1, (0, 0, 0), (0, 0, 0)),), (), "")


LIES = {
    "a finding that does not exist": _seen("unheard-of"),
    "words that are no finding": _seen("between"),
    "a finding that lacks its evidence": _seen("misspelt-type"),
    "a reason that does not exist": Emulation(Kind.UNSUPPORTED, message("unheard-of"), {}, (), (), ""),
    "no output": Emulation(Kind.RAN, None, {}, (), (), ""),
}


def answer(request: Request) -> Emulation:
    return next(emulation for name, emulation in LIES.items() if f"// {name}" in request.ptx)
