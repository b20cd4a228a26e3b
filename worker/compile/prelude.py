"""Headers that take the compiler a second, read once: a precompiled header before the source that includes them.

The prelude holds more than a source asked for, and what compiles has to be what compiles without it. So it stands
before a source only if each name that it would bring comes from a header that the source includes, and what fails
with it is compiled again without.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from worker.sandbox import GIB
from worker.sandbox.policies import PRELUDE

NAME = "warpmate_prelude.cuh"

NEEDED_BYTES = 4 * GIB
"""Of memory that is free when they are made: two files of 233 MB, and 233 MB for each compiler that uses one."""

_GROUPS, _CUB, _CUDA = "cooperative_groups", "cub/", "cuda/"

TEXT = """#include <cub/cub.cuh>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
"""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$", re.MULTILINE)
_HEADER = re.compile(r'[<"]([^>"]+)[>"]')
_OF_CUB = re.compile(r"\bcub\s*::\s*(\w+)")
_OF_CUDA = re.compile(r"\bcuda\s*::\s*(\w+)(?:\s*::\s*(\w+))?")
_QUALIFIED = re.compile(r"::\s*(\w+)")
_OPENED = re.compile(r"\busing\s+namespace\s+(\w+)")

_OF_GROUPS = {
    "cooperative_groups/reduce.h": {"reduce", "reduce_update_async", "plus", "less", "greater", "bit_and", "bit_or"}
    | {"bit_xor"},
    "cooperative_groups/scan.h": {"inclusive_scan", "exclusive_scan"},
    "cooperative_groups/memcpy_async.h": {"memcpy_async", "wait", "wait_prior"},
}
_ATOMIC = re.compile(r"atomic\w*|thread_scope\w*|memory_order\w*")
_BARRIER = re.compile(r"barrier|pipeline\w*|make_pipeline|memcpy_async|aligned_size_t|thread_scope\w*")


def options(precompiled: Path) -> list[str]:
    """What a compiler is told on top, that uses it."""
    return [f"--pre-include={NAME}", f"--use-pch={precompiled}", "--pch-messages=false"]


def place(common: Sequence[str]) -> Path:
    """The file of builds with these options: for a card, or for the emulator."""
    return PRELUDE / "shown" / ("card.pch" if "-lineinfo" in common else "emulator.pch")


def helps(source: str) -> bool:
    """Whether the source includes what the prelude holds, and would mean the same behind it."""
    code = _COMMENT.sub(" ", source)
    directives = _DIRECTIVE.findall(code)
    headers = [found.group(1) for word, rest in directives if word == "include" and (found := _HEADER.match(rest))]
    heavy = [header for header in headers if _is_heavy(header)]
    if not heavy:
        return False
    last = max(at for at, (word, rest) in enumerate(directives) if word == "include" and heavy[-1] in rest)
    if any(word not in ("include", "pragma") for word, _ in directives[:last]):
        return False  # a macro may change what a header says
    return (
        _cub_is_included(code, headers) and _groups_are_included(code, headers) and _cuda_is_included(code, headers)
    )


def _is_heavy(header: str) -> bool:
    return header.startswith((_GROUPS, _CUB)) or header in ("cuda/atomic", "cuda/barrier", "cuda/pipeline")


def _cub_is_included(code: str, headers: Sequence[str]) -> bool:
    """`cub::BlockReduce` is of cub/block/block_reduce.cuh; with cub/cub.cuh everything is there."""
    if "cub/cub.cuh" in headers or not re.search(r"\bcub\b", _without_includes(code)):
        return True
    there = {"".join(part.title() for part in Path(header).stem.split("_")) for header in headers}
    return "cub" not in _OPENED.findall(code) and set(_OF_CUB.findall(code)) <= there


def _groups_are_included(code: str, headers: Sequence[str]) -> bool:
    text = _without_includes(code)
    if _GROUPS not in text:
        return True
    if not any(header.startswith(_GROUPS) for header in headers):
        return False
    words = set(re.findall(r"\w+", text) if _GROUPS in _OPENED.findall(text) else _QUALIFIED.findall(text))
    return all(header in headers or not words & names for header, names in _OF_GROUPS.items())


def _cuda_is_included(code: str, headers: Sequence[str]) -> bool:
    """Of `cuda::` what atomics, barriers and pipelines bring; of `cuda::std::` only what every header has."""
    if "cuda" in _OPENED.findall(code):
        return False
    atomic = any(header.startswith(_GROUPS) for header in headers) or "cuda/atomic" in headers
    barrier = "cuda/barrier" in headers or "cuda/pipeline" in headers
    return all(
        below == "numeric_limits"
        if name == "std"
        else (atomic and _ATOMIC.fullmatch(name)) or (barrier and _BARRIER.fullmatch(name))
        for name, below in _OF_CUDA.findall(code)
    )


def _without_includes(code: str) -> str:
    return _DIRECTIVE.sub("", code)


def memory_suffices() -> bool:
    """Whether this host has room for it."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        kib = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
        limit = Path("/sys/fs/cgroup/memory.max")
        allowed = limit.read_text(encoding="ascii").strip() if limit.is_file() else "max"
    except (OSError, StopIteration):
        return False
    return kib << 10 >= NEEDED_BYTES and (allowed == "max" or int(allowed) >= NEEDED_BYTES)
