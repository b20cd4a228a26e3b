"""What the rules for compile errors look at and what they hand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worker.diagnosis.source import Source


@dataclass(frozen=True, slots=True)
class CompilerError:
    line: int | None
    text: str
    launch: bool
    """About a kernel that a launch names, not about the source's own text."""


@dataclass(frozen=True, slots=True)
class Context:
    source: Source
    kernels: Sequence[str]
    """What the launches name."""


Found = tuple[str, int | None, dict[str, Any]]
"""Finding id, line, evidence."""


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
