"""Mistakes inside kernels: guards, barriers, races, shared memory, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knowledge.ask.pasted_code.source import Code, block_at, parenthesis_at

_GLOBAL_INDEX = (
    r"blockIdx\.x\s*\*\s*blockDim\.x\s*\+\s*threadIdx\.x|threadIdx\.x\s*\+\s*blockIdx\.x\s*\*\s*blockDim\.x"
)
_INDEX = re.compile(rf"\b(?P<name>\w+)\s*=\s*(?:{_GLOBAL_INDEX})\s*;")
_BY_THREAD = re.compile(r"threadIdx|\b(?:tid|lane|laneId|lane_id|idx|i|t|row|col)\b")
_HALVES = re.compile(r"\bfor\s*(?=\()")
_FOLD = re.compile(r"\b(\w+)\[\s*(\w+)\s*\]\s*\+=\s*\1\[\s*\2\s*\+\s*(\w+)\s*\]")
_UNROLLED = re.compile(r"(?:\b(\w+)\[\s*(\w+)\s*\]\s*\+=\s*\1\[\s*\2\s*\+\s*\d+\s*\]\s*;\s*){2,}")


def unguarded_index(code: Code) -> Iterator[str]:
    """A thread of a kernel writes at its index without asking whether the array is so long."""
    yield from _unguarded([kernel.body for kernel in code.kernels])


def unguarded_lines(code: Code) -> Iterator[str]:
    """The same in a few lines without their kernel, which may have left the guard out for brevity."""
    yield from _unguarded([] if code.kernels else [code.device])


def _unguarded(bodies: Sequence[str]) -> Iterator[str]:
    for body in bodies:
        found = _INDEX.search(body)
        if found is None:
            continue
        name = re.escape(found["name"])
        guarded = re.search(rf"\b(?:if|for|while|min)\b\s*\(|\?|\b{name}\b\s*[<>]", body)
        written = re.search(rf"\w+\[[^\]]*\b{name}\b[^\]]*\]\s*[-+*/]?=[^=]", body)
        if written and not guarded:
            yield Code(body).line_of(written.start())


def barrier_in_condition(code: Code) -> Iterator[str]:
    """`__syncthreads()` where only some threads of the block come by."""
    for condition, block, start in _conditions(code.device):
        if re.search(r"__syncthreads\s*\(|\bbarrier\.sync|\.sync\s*\(\s*\)", block) and _BY_THREAD.search(condition):
            yield Code(code.device).line_of(start)


def full_mask_in_condition(code: Code) -> Iterator[str]:
    """A shuffle that names all 32 lanes where not all of them come by."""
    for condition, block, start in _conditions(code.device):
        if re.search(r"__(?:shfl\w*|ballot|any|all)_sync\s*\(\s*(?:0x[fF]{8}u?|-1)\b", block) and re.search(
            r"(?:threadIdx|\blane\w*|\btid\b).*[<>]|&\s*31", condition
        ):
            yield Code(code.device).line_of(start)


def _conditions(text: str) -> Iterator[tuple[str, str, int]]:
    """Each `if`: its condition, what stands in it, and where it is."""
    for found in re.finditer(r"\bif\s*(?=\()", text):
        condition, end = parenthesis_at(text, found.end())
        yield condition, block_at(text, end), found.start()


def no_barrier_in_rounds(code: Code) -> Iterator[str]:
    """A reduction in shared memory whose rounds are not kept apart."""
    text = code.device
    for found in _HALVES.finditer(text):
        _, end = parenthesis_at(text, found.end())
        block = block_at(text, end)
        fold = _FOLD.search(block)
        if fold and not re.search(r"__syncthreads|\.sync\s*\(|__syncwarp", block):
            yield Code(block).line_of(fold.start())


def unrolled_without_order(code: Code) -> Iterator[str]:
    """The last warp of an old reduction: it counts on threads in lockstep."""
    found = _UNROLLED.search(code.device)
    if found:
        yield Code(code.device).line_of(found.start())


def unordered_update(code: Code) -> Iterator[str]:
    """Many threads add to one place without an atomic operation."""
    for kernel in code.kernels:
        for found in re.finditer(
            r"(?<![\w)\]*])\*\s*(?P<star>\w+)\s*(?:\+=|-=)|\(\s*\*\s*(?P<inner>\w+)\s*\)\s*(?:\+\+|\+=)"
            r"|\b(?P<first>\w+)\[\s*0\s*\]\s*(?:\+\+|\+=|-=)|\b(?P<bins>\w+)\[\s*(?:\(\s*int\s*\)\s*)?\w+\[(?!\s*\d+\s*\])[^\]]+\]\s*\]\s*(?:\+\+|\+=)",
            kernel.body,
        ):
            name = found["star"] or found["inner"] or found["first"] or found["bins"]
            alone = re.search(r"\bif\s*\([^)]*(?:threadIdx\.x|tid|\bi\b|idx)\s*==\s*0", kernel.body)
            shared = re.search(rf"__shared__[^;]*\b{name}\b", kernel.body)
            if not alone and (name in kernel.parameter_names or (shared and found["bins"])):
                yield Code(kernel.body).line_of(found.start())


def shared_size_at_run_time(code: Code) -> Iterator[str]:
    """A static shared array of a size that the compiler does not know."""
    known = {name for kernel in code.kernels for name in kernel.parameter_names}
    for found in re.finditer(r"(extern\s+)?__shared__\s+[\w:]+\s+\w+\s*\[([^\]]+)\]", code.text):
        size = found[2]
        names = set(re.findall(r"[A-Za-z_]\w*", size))
        if not found[1] and ("blockDim" in size or "gridDim" in size or names & known):
            yield code.line_of(found.start())


def kernel_returns_a_value(code: Code) -> Iterator[str]:
    for kernel in code.kernels:
        if kernel.returns != "void":
            yield f"__global__ {kernel.returns} {kernel.name}(…)"


def stride_of_one_block(code: Code) -> Iterator[str]:
    """A grid-stride loop that advances by one block."""
    for found in re.finditer(
        rf"\bfor\s*\(\s*\w+\s+(\w+)\s*=\s*(?:{_GLOBAL_INDEX})\s*;[^;]*;\s*\1\s*\+=\s*blockDim\.x\s*\)", code.device
    ):
        yield Code(code.device).line_of(found.start())


def shuffle_without_mask(code: Code) -> Iterator[str]:
    """The intrinsics of before CUDA 9, which name no lanes; HIP has them still."""
    if re.search(r"\bhip\w*|\bwarpSize\b", code.text):
        return
    found = re.search(r"\b__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)\s*\(", code.device)
    if found:
        yield Code(code.device).line_of(found.start())


def rows_along_the_warp(code: Code) -> Iterator[str]:
    """Neighbouring threads are a row apart: `x` of the thread picks the row."""
    for found in _INDEX.finditer(code.device):
        name = re.escape(found["name"])
        strided = re.search(rf"\w+\[\s*{name}\s*\*\s*\w+[^\]]*\]", code.device)
        if strided:
            yield Code(code.device).line_of(strided.start())


def column_of_a_tile(code: Code) -> Iterator[str]:
    """Threads of a warp read down a column of an unpadded tile: all in one bank."""
    for found in re.finditer(
        r"__shared__\s+(?:float|int|unsigned)\s+(\w+)\s*\[\s*\w+\s*\]\s*\[\s*(?:32|64|128|TILE\w*)\s*\]", code.device
    ):
        read = re.search(rf"\b{found[1]}\s*\[\s*(?:threadIdx\.x|tx)\s*\]\s*\[[^\]^]*\]", code.device)
        if read:
            yield Code(code.device).line_of(read.start())


def scattered_threads(code: Code) -> Iterator[str]:
    """`tid % (2 * s) == 0`: the threads that work lie in all warps."""
    found = re.search(r"\bif\s*\(\s*\(?\s*\w+(?:\.x)?\s*%\s*\(?\s*2\s*\*\s*\w+\s*\)?\s*\)?\s*==\s*0", code.device)
    if found:
        yield Code(code.device).line_of(found.start())
