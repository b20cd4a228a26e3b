"""Which operation made the first NaN and the first infinity.

numpy calls back when an operation raises one of the processor's floating-point flags, and for nothing else, so this
costs nothing where all numbers stay finite. A NaN or an infinity that comes in with the inputs raises no flag.
"""

from __future__ import annotations

import re
import sys
from types import FrameType

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.request import Unbounded
from worker.emulator.translate.kernel import GENERATED
from worker.emulator.translate.program import Program

LIMIT = 12
"""Operations that are told: the first ones matter."""

_OPERATIONS = frozenset(
    {"fma32", "exp2", "log2", "reciprocal_root", "sine", "cosine", "apply", "coarse_reciprocal",
     "coarse_reciprocal_root"}
)  # fmt: skip
"""Functions that are an instruction; others calculate on the way to a result what the result does not show."""

_INSIDE = frozenset({"infinities-subtracted", "infinities-met", "zero-times-infinity"})
"""How a function of a library makes its NaN on purpose, for an argument at which it has no value."""

_NAMES = re.compile(r"\b[xtK]\d+\b")


class Finiteness:
    """Of one request. `program` is the kernel that runs."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._seen: set[tuple[object, int, str]] = set()
        self.program: Program | None = None
        self.made: list[Unbounded] = []

    def raised(self, flag: str, _: int) -> None:
        """What numpy calls, with the name of the flag."""
        caller = sys._getframe(1)  # noqa: SLF001 - the only way to the line that runs
        frame: FrameType | None = caller
        while frame is not None and frame.f_code.co_filename != GENERATED:
            frame = frame.f_back
        if frame is None or self.program is None or len(self.made) >= LIMIT:
            return
        key = (frame.f_code, frame.f_lineno, flag)
        if key in self._seen or (caller is not frame and caller.f_code.co_name not in _OPERATIONS):
            return
        self._seen.add(key)
        what = self.program.arithmetic.get(frame.f_lineno)
        if what is None or (how := self._how(flag, what.opcode, frame)) is None:
            return
        if how in _INSIDE and self.program.sites[what.site].in_header:
            how = "undefined"
        line = self._findings.line(frame.f_locals["g"].frame, what.site)
        self.made.append(Unbounded(flag == "invalid value", how, line))

    def _how(self, flag: str, opcode: str, frame: FrameType) -> str | None:
        if flag == "overflow":
            return "overflow"
        if flag == "divide by zero":
            return {"lg2": "log-of-zero", "rsqrt": "root-of-zero"}.get(opcode, "division-by-zero")
        if opcode == "div":
            return "infinity-by-infinity" if self._infinite(frame) else "zero-by-zero"
        if opcode in ("sqrt", "rsqrt"):
            return "root-of-negative"
        if opcode == "mul":
            return "zero-times-infinity"
        names = {"add": "infinities-subtracted", "sub": "infinities-subtracted", "lg2": "log-of-negative"}
        return names.get(opcode, "infinities-met" if opcode == "fma" else None)

    def _infinite(self, frame: FrameType) -> bool:
        """Whether a number on this line is infinite."""
        assert self.program is not None  # noqa: S101 - `raised` looked
        text = self.program.source.split("\n")[frame.f_lineno - 1].partition("=")[2]
        values = [frame.f_locals[name] for name in _NAMES.findall(text) if name in frame.f_locals]
        return any(bool(np.isinf(one).any()) for one in values if np.asarray(one).dtype.kind == "f")
