"""What this card reaches, by kernels that do nothing else: the ceilings of every attainable fraction."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from cuda.bindings import driver

from worker.gpu.driver import call, upload
from worker.gpu.stopwatch import Stopwatch
from worker.gpu.wire import Bits

_RUNS = 7
_BLOCK = 256
_FMA_STEPS, _FMA_CHAINS = 1024, 16
_TENSOR_STEPS = 8192
_VECTOR_BYTES, _BLOCK_VECTORS = 16, 1024


class RunTool(Protocol):
    """One of the referee's kernels with these arguments: ints are 64 bits wide, floats double."""

    def __call__(self, name: str, grid: tuple[int, int, int], /, *args: int | float | Bits) -> None: ...


def measure(
    run_tool: RunTool, device: driver.CUdevice, stream: driver.CUstream, tensor_multiply_adds: Sequence[int]
) -> dict[str, float]:
    """GB/s as "memory" (copying) and "memory_read", GFLOP/s by the names of `Bench.peak`.

    What cannot be measured on this card is left out.
    """
    watch = Stopwatch(stream)
    rates = _memory(run_tool, device, watch)
    blocks = 16 * _multiprocessors(device)
    out = int(call(driver.cuMemAlloc(blocks * _BLOCK * 8)))
    fmas = blocks * _BLOCK * _FMA_STEPS * _FMA_CHAINS
    for name, flops in (("float", 2), ("double", 2), ("half", 4)):
        best_us = _best_us(watch, partial(run_tool, f"fma_{name}", (blocks, 1, 1), out))
        rates[name] = flops * fmas / best_us / 1e3
    rates["half"] = max(
        rates["half"], 2 * rates["float"]
    )  # two halves for a float; no card has less, a few have more
    seeds = _random_bits()
    for name, multiply_adds in zip(("half_tensor", "int8_tensor"), tensor_multiply_adds, strict=False):
        tool = f"tensor_{name.removesuffix('_tensor')}"
        steps = Bits(_TENSOR_STEPS.to_bytes(4, "little"))
        best_us = _best_us(watch, partial(run_tool, tool, (blocks, 1, 1), out, seeds, steps))
        warps = blocks * _BLOCK // 32
        rates[name] = 2 * multiply_adds * warps * _TENSOR_STEPS / best_us / 1e3
    for address in (out, seeds):
        call(driver.cuMemFree(address))
    watch.forget()
    return rates


def _memory(run_tool: RunTool, device: driver.CUdevice, watch: Stopwatch) -> dict[str, float]:
    """Copying, where read and written bytes both count, and reading alone, which is faster."""
    size = min(2 << 30, int(call(driver.cuDeviceTotalMem(device))) // 8 >> 20 << 20)
    vectors = size // _VECTOR_BYTES
    grid = (-(-vectors // _BLOCK_VECTORS), 1, 1)
    source, target = (int(call(driver.cuMemAlloc(size))) for _ in range(2))
    call(driver.cuMemsetD8(source, 7, size))
    copy_us = _best_us(watch, lambda: run_tool("copy_streaming", grid, source, target, vectors))
    read_us = _best_us(watch, lambda: run_tool("read_streaming", grid, source, vectors, target))
    for address in (source, target):
        call(driver.cuMemFree(address))
    copied, read = 2 * size / copy_us / 1e3, size / read_us / 1e3
    return {"memory": copied, "memory_read": max(read, copied)}


def _best_us(watch: Stopwatch, work: Callable[[], None]) -> float:
    watch.record(work)
    return min(watch.run()[0] for _ in range(_RUNS))


def _random_bits() -> int:
    """1024 words from the operating system: matrix units draw less power, hence run faster, on zeros."""
    address = int(call(driver.cuMemAlloc(4096)))
    upload(address, os.urandom(4096))
    return address


def _multiprocessors(device: driver.CUdevice) -> int:
    attribute = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    return int(call(driver.cuDeviceGetAttribute(attribute, device)))
