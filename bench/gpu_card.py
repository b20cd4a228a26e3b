"""What every measurement on a card needs: compile, launch, time by events, and the card's own ceilings."""

from __future__ import annotations

import ctypes
import importlib.util
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cuda.bindings import driver, nvrtc

FLUSH_BYTES = 1 << 30
"""Far more than the L2 cache, and long enough (0.3 ms) to hide the launching from Python behind it."""
COPY_BYTES = 4 << 30

TOOLS = r"""
#include <cuda_fp16.h>

__device__ unsigned long long mix(unsigned long long i, unsigned long long seed) {
    unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
    return (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
}

template <typename T>
__global__ void fill(T* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < elements; i += gridDim.x * 256ull) {
        data[i] = T(float(mix(i, seed) >> 40) * (2.0f / 16777216.0f) - 1.0f);
    }
}

template <>
__global__ void fill(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < elements; i += gridDim.x * 256ull) {
        data[i] = int(mix(i, seed) >> 40) % 2001 - 1000;
    }
}

// Accepts; whatever is not shown to be right, NaN included, is counted.
template <typename T, typename E>
__global__ void tally(const T* got, const E* expected, const double* magnitude, unsigned long long elements,
                      double share, double floor, unsigned long long* wrong) {
    unsigned long long mine = 0;
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < elements; i += gridDim.x * 256ull) {
        double size = fmax(fabs(double(expected[i])), magnitude ? magnitude[i] : 0.0);
        if (share < 0.0) size = 1.0;  // rule absolute
        double distance = fabs(double(got[i]) - double(expected[i]));
        mine += !(got[i] == T(expected[i]) || distance <= fabs(share) * size + floor);
    }
    if (mine) atomicAdd(wrong, mine);
}

__global__ void copy(const float4* from, float4* to, unsigned long long vectors) {
    unsigned long long i = blockIdx.x * 1024ull + threadIdx.x;
    float4 v[4];
    for (int k = 0; k < 4; ++k) if (i + k * 256 < vectors) v[k] = __ldcs(from + i + k * 256);
    for (int k = 0; k < 4; ++k) if (i + k * 256 < vectors) __stcs(to + i + k * 256, v[k]);
}

__global__ void multiply_add(float* out, float factor) {
    float sum[16];
    for (int k = 0; k < 16; ++k) sum[k] = threadIdx.x + k;
    for (int step = 0; step < 4096; ++step) {
#pragma unroll
        for (int k = 0; k < 16; ++k) sum[k] = fmaf(sum[k], factor, 0.5f);
    }
    float total = 0.0f;
    for (int k = 0; k < 16; ++k) total += sum[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
"""


def call(answer: tuple[Any, ...]) -> Any:
    """The results of a CUDA call, or RuntimeError with its error."""
    if int(answer[0]) != 0:
        raise RuntimeError(str(answer[0]))
    return answer[1] if len(answer) == 2 else answer[1:]


@dataclass(frozen=True)
class Module:
    functions: Mapping[str, Any]
    """By the name written in the source, template arguments included."""


def include_options() -> list[bytes]:
    """Where the CUDA headers are: in the wheels, else in the toolkit."""
    folders = [Path("/usr/local/cuda/include")]
    for name in ("nvidia.cu13", "nvidia.cuda_runtime"):
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            continue
        for place in (found.submodule_search_locations or []) if found else []:
            folders.insert(0, Path(place) / "include")
    return [f"-I{folder}{end}".encode() for folder in folders if folder.is_dir() for end in ("", "/cccl")]


def compile_module(source: str, arch: str, kernels: list[str]) -> Module:
    program = call(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, None, None))
    for name in kernels:
        call(nvrtc.nvrtcAddNameExpression(program, name.encode()))
    options = [f"--gpu-architecture={arch}".encode(), b"--std=c++17", b"-default-device", *include_options()]
    if int(nvrtc.nvrtcCompileProgram(program, len(options), options)[0]) != 0:
        log = b" " * (
            call(nvrtc.nvrtcGetProgramLogSize(program)) + 1
        )  # never of one byte: those are shared by the interpreter
        nvrtc.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.decode(errors="replace"))
    image = b" " * call(nvrtc.nvrtcGetCUBINSize(program))
    call(nvrtc.nvrtcGetCUBIN(program, image))
    module = call(driver.cuModuleLoadData(image))
    functions = {}
    for name in kernels:
        lowered = call(nvrtc.nvrtcGetLoweredName(program, name.encode()))
        functions[name] = call(driver.cuModuleGetFunction(module, lowered))
    return Module(functions)


def launch(
    function: Any, grid: tuple[int, int, int], block: tuple[int, int, int], shared: int, args: list[Any]
) -> None:
    """args: ctypes values, each as wide as the kernel declares."""
    if shared > 48 << 10:
        call(
            driver.cuFuncSetAttribute(
                function, driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared
            )
        )
    pointers = (ctypes.c_void_p * max(1, len(args)))(*(ctypes.addressof(arg) for arg in args))
    call(driver.cuLaunchKernel(function, *grid, *block, shared, 0, ctypes.addressof(pointers), 0))


def number(function: Any, index: int, value: int) -> Any:
    """An integer at the width of the kernel's parameter."""
    size = call(driver.cuFuncGetParamInfo(function, index))[1]
    return ctypes.c_int64(value) if size == 8 else ctypes.c_int32(value)


class Card:
    """The device, its measuring tools and its ceilings."""

    def __init__(self) -> None:
        call(driver.cuInit(0))
        device = call(driver.cuDeviceGet(0))
        call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(device))))
        attribute = driver.CUdevice_attribute
        major, minor, self.multiprocessors = (
            call(driver.cuDeviceGetAttribute(a, device))
            for a in (
                attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
            )
        )
        self.arch = f"sm_{major}{minor}" + ("a" if major >= 9 else "")
        self.name = call(driver.cuDeviceGetName(128, device)).split(b"\0")[0].decode()
        self._events = [call(driver.cuEventCreate(0)) for _ in range(2)]
        self._flush = call(driver.cuMemAlloc(FLUSH_BYTES))
        fills = [f"fill<{kind}>" for kind in ("float", "half", "int")]
        whole = [f"tally<{kind}, {kind}>" for kind in ("int", "unsigned", "signed char", "long long")]
        tallies = ["tally<float, double>", "tally<half, double>", *whole]
        self._tools = compile_module(TOOLS, self.arch, [*fills, *tallies, "copy", "multiply_add"])

    def tool(self, name: str) -> Any:
        return self._tools.functions[name]

    def time_us(self, work: Callable[[], None]) -> float:
        """By events around the work, which is queued while the flush of the L2 cache still runs."""
        call(driver.cuMemsetD8Async(self._flush, 1, FLUSH_BYTES, 0))
        call(driver.cuEventRecord(self._events[0], 0))
        work()
        call(driver.cuEventRecord(self._events[1], 0))
        call(driver.cuCtxSynchronize())
        return float(call(driver.cuEventElapsedTime(*self._events))) * 1e3

    def copy_gb_per_s(self) -> float:
        """Bytes read plus bytes written, by the better of the driver's copy and a kernel of 16-byte accesses."""
        with allocated(COPY_BYTES) as source, allocated(COPY_BYTES) as target:
            call(driver.cuMemsetD8(source, 7, COPY_BYTES))
            vectors = COPY_BYTES // 16
            args = [ctypes.c_uint64(int(source)), ctypes.c_uint64(int(target)), ctypes.c_uint64(vectors)]
            ways = (
                lambda: call(driver.cuMemcpyDtoD(target, source, COPY_BYTES)),
                lambda: launch(self.tool("copy"), (-(-vectors // 1024), 1, 1), (256, 1, 1), 0, args),
            )
            return max(2 * COPY_BYTES / statistics.median(self.time_us(way) for _ in range(10)) / 1e3 for way in ways)

    def fma_gflop_per_s(self) -> float:
        blocks = 16 * self.multiprocessors
        with allocated(blocks * 512 * 4) as out:
            args = [ctypes.c_uint64(int(out)), ctypes.c_float(0.999)]
            run = lambda: launch(self.tool("multiply_add"), (blocks, 1, 1), (512, 1, 1), 0, args)  # noqa: E731
            return blocks * 512 * 4096 * 16 * 2 / statistics.median(self.time_us(run) for _ in range(10)) / 1e3


@contextmanager
def allocated(size: int) -> Iterator[Any]:
    pointer = call(driver.cuMemAlloc(max(size, 256)))
    try:
        yield pointer
    finally:
        call(driver.cuMemFree(pointer))
