"""What a compiled kernel declares and uses, read from its PTX and from ptxas' own report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Parameter:
    kind: Literal["word", "float", "bytes"]
    """word: an integer or a pointer; bytes: a structure, half among them."""
    bytes: int


@dataclass(frozen=True, slots=True)
class Kernel:
    entry: str
    """Name in the PTX and the cubin."""
    params: tuple[Parameter, ...]
    registers: int
    spill_bytes: int
    """Stores and loads that registers overflowed into, in bytes of code, not of traffic."""
    stack_bytes: int
    shared_bytes: int
    """Static."""
    barriers: int


_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)")
_PARAM = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.([a-z]+)(\d+)\b[^\[,]*(?:\[(\d+)\])?")
_INFO = re.compile(r"Compiling entry function '([^']+)'")
_PROPERTIES = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers(?:, used (\d+) barriers)?")
_SHARED = re.compile(r"(\d+) bytes smem")
_PTXAS = re.compile(r"^(?:\s*\d+ bytes stack frame,|ptxas info\s*:|ptxas\s+\.).*\n?", re.MULTILINE)


def kernels(ptx: str, log: str) -> tuple[Kernel, ...]:
    """Every entry of the module, in the order of the PTX."""
    report = _report(log)
    return tuple(_kernel(match[1], match[2], report.get(match[1], "")) for match in _ENTRY.finditer(ptx))


def from_report(log: str) -> tuple[Kernel, ...]:
    """What ptxas tells where no PTX is at hand: everything but the parameters."""
    return tuple(_kernel(entry, "", text) for entry, text in _report(log).items())


def without_report(log: str) -> str:
    """The log that a person reads: warnings and errors, not ptxas' figures."""
    return _PTXAS.sub("", log).strip()


def _report(log: str) -> dict[str, str]:
    """ptxas' lines by entry function."""
    parts = _INFO.split(log)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _kernel(entry: str, params: str, report: str) -> Kernel:
    properties, used, shared = _PROPERTIES.search(report), _USED.search(report), _SHARED.search(report)
    return Kernel(
        entry,
        tuple(_parameter(match) for match in _PARAM.finditer(params)),
        int(used[1]) if used else 0,
        int(properties[2]) + int(properties[3]) if properties else 0,
        int(properties[1]) if properties else 0,
        int(shared[1]) if shared else 0,
        int(used[2] or 0) if used else 0,
    )


def _parameter(match: re.Match[str]) -> Parameter:
    letters, bits, count = match[1], int(match[2]), match[3]
    if count is not None:
        return Parameter("bytes", int(count) * bits // 8)
    return Parameter("float" if letters == "f" else "word", bits // 8)
