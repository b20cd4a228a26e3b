"""NVRTC behind the sandbox's door."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from cuda.bindings import nvrtc

from worker.compile.request import Build, Built
from worker.emulator.options import SOURCE_NAME

REQUESTS = msgspec.msgpack.Decoder(Build)

WARM_SOURCE = b"__global__ void warm(float* x) { x[threadIdx.x] = sqrtf(x[threadIdx.x]); }"
WARM_ARCH = "sm_90a"


def warm() -> None:
    """Compile a trifle: NVRTC loads its built-ins on first use, which no longer could be opened later."""
    answer(Build(WARM_SOURCE, {}, (), (f"-arch={WARM_ARCH}",), log_bytes=1024))


def answer(request: Build) -> Built:
    started = time.perf_counter()
    headers = request.headers
    texts, titles = [text.encode() for text in headers.values()], [title.encode() for title in headers]
    created = nvrtc.nvrtcCreateProgram(request.source, SOURCE_NAME.encode(), len(headers), texts, titles)
    program = _checked(created)
    names = [name.encode() for name in request.names]
    for name in names:
        _checked(nvrtc.nvrtcAddNameExpression(program, name))
    options = [option.encode() for option in request.options]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    built = Built(int(status), _log(program)[: request.log_bytes])
    if status == nvrtc.nvrtcResult.NVRTC_SUCCESS:
        built = msgspec.structs.replace(
            built,
            ptx=_bytes(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX),
            cubin=_bytes(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN),
            lowered=tuple(_checked(nvrtc.nvrtcGetLoweredName(program, name)).decode() for name in names),
        )
    return msgspec.structs.replace(built, ms=(time.perf_counter() - started) * 1e3)


def _log(program: nvrtc.nvrtcProgram) -> bytes:
    return _bytes(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).rstrip(b"\0")


def _bytes(program: nvrtc.nvrtcProgram, size_of: Any, get: Any) -> bytes:
    size: int = _checked(size_of(program))
    # NVRTC writes into it, and the interpreter shares its bytes objects of length one.
    buffer = bytes(size + 1)
    _checked(get(program, buffer))
    return buffer[:size]


def _checked(result: Any) -> Any:
    """The value of a call of the bindings; a failure here is ours, not the member's."""
    status, *values = result
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise RuntimeError(f"NVRTC: {status.name}")
    return values[0] if values else None
