"""A kernel of this folder through NVRTC and the emulator."""

from __future__ import annotations

from typing import Any, cast

from cuda.bindings import nvrtc

from tests.kernels.corpus import KernelCase
from worker.compile.headers import include_folders
from worker.emulator.options import MACROS, SOURCE_NAME, UNOPTIMISED
from worker.emulator.request import Buffer, Ctype, Emulation, Launch, Limits, Pointer, Request
from worker.emulator.run import emulate

ARCHITECTURE = "compute_80"


def nvrtc_options(architecture: str = ARCHITECTURE) -> tuple[str, ...]:
    """Options like those of the judge's plain build, for any architecture."""
    return (
        f"--gpu-architecture={architecture}",
        *UNOPTIMISED,
        "--std=c++17",
        "--device-as-default-execution-space",
        *(f"--define-macro={macro}" for macro in MACROS),
        *(f"--include-path={folder}" for folder in include_folders()),
    )


class CompileError(Exception):
    """Its text is NVRTC's log."""


def compile_source(source: str, options: tuple[str, ...], *, to_cubin: bool = False) -> bytes:
    """PTX, or a cubin for a real architecture."""
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), SOURCE_NAME.encode(), 0, [], [])
    try:
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise CompileError(_bytes(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode())
        if to_cubin:
            return _bytes(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program)
        return _bytes(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program).rstrip(b"\0")
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _bytes(size: Any, get: Any, program: Any) -> bytes:
    count: int = size(program)[1]
    # NVRTC writes into it, and the interpreter shares its bytes objects of length one.
    room: bytes = b" " * (count + 1)
    get(program, room)
    return room[:count]


def to_ptx(source: str, architecture: str = ARCHITECTURE) -> str:
    return compile_source(source, nvrtc_options(architecture)).decode()


def request_of(case: KernelCase, ptx: str, limits: Limits | None = None) -> Request:
    launches = tuple(
        Launch(
            start.kernel, start.grid, start.block, start.shared_bytes,
            tuple(Pointer(item) if isinstance(item, str) else item for item in start.arguments),
        )
        for start in case.launches
    )  # fmt: skip
    buffers = tuple(
        Buffer(item.name, cast(Ctype, item.ctype), item.elements, item.data, item.const) for item in case.buffers
    )
    return Request(ptx, launches, buffers, limits or Limits(seconds=20.0, blocks=200_000))


def run_case(case: KernelCase, limits: Limits | None = None) -> Emulation:
    return emulate(request_of(case, to_ptx(case.source), limits))
