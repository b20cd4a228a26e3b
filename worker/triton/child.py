"""Triton behind the sandbox's door: runs the member's file and compiles its kernels, as far as PTX."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

from worker.triton import ahead_of_time, member_module, member_text, reach
from worker.triton.wire import (
    REQUESTS,
    Compile,
    Describe,
    Described,
    Module,
    Reach,
    Reached,
    Request,
    Specialisation,
    Trouble,
)

__all__ = ["REQUESTS", "answer", "warm"]

_WARM_SOURCE = """import triton
import triton.language as tl


@triton.jit
def warm(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, tl.exp(part - tl.max(part, 0)) / tl.sum(part, 0), mask=at < n)
"""


def warm() -> None:
    """Compile a trifle for the emulator and for a card, so that everything is loaded before the doors close."""
    signature = (("x", "*fp32"), ("y", "*fp32"), ("n", "i32"), ("BLOCK", "constexpr"))
    what = Specialisation("warm", signature, (("BLOCK", 128),), ("x", "y"), 4, 3)
    for request in (Compile(_WARM_SOURCE, what, 80), Compile(_WARM_SOURCE, what, 90)):
        reply = answer(request)
        if not isinstance(reply, Module):
            raise RuntimeError(f"Triton does not compile: {reply}")


def answer(request: Request) -> Described | Module | Reached | Trouble:
    names: dict[str, Any] = {}
    try:
        if isinstance(request, Reach):
            return Reached(reach.overflows(request.source, request.launches))
        names = _loaded(request.source)
        kernels = member_module.functions(names)
        if isinstance(request, Describe):
            functions = tuple(member_module.described(name, *kernel) for name, kernel in kernels.items())
            return Described(functions, member_text.masked(request.source), member_text.notes(request.source))
        started = time.perf_counter()
        module = ahead_of_time.compiled(kernels[request.what.kernel][0], request.what, request.capability)
        return Module(*module, ms=(time.perf_counter() - started) * 1e3)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever the member's code raises is an answer
        return member_module.trouble(error, names)


@lru_cache(maxsize=1)
def _loaded(source: str) -> dict[str, Any]:
    """What the file defines: a child serves one submission, whose requests all bring the same source."""
    return member_module.load(source)
