"""How long does the emulator need for the kernels of a course, with every check on?

    python bench/emulator.py [--out bench/results/emulator.json]

`first` includes reading and translating the PTX, `again` is what every further case of a submission costs; `counted`
counts sectors and bank conflicts as well, which the targets allow for.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.kernels.emulated import to_ptx
from worker.emulator.request import Buffer, Launch, Pointer, Request
from worker.emulator.run import emulate
from worker.protocol import Kind

RUNS = 7
MILLION = 1_000_000

ADD = """extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = a[i] + b[i];
}"""

NAIVE = """extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; j++) s += a[r * n + j] * b[j * n + c];
    o[r * n + c] = s;
}"""

TILED = """extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    __shared__ float s[16][16], t[16][16];
    int y = threadIdx.y, x = threadIdx.x, r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x;
    float sum = 0;
    for (int q = 0; q < n; q += 16) {
        s[y][x] = a[r * n + q + x];
        t[y][x] = b[(q + y) * n + c];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += s[y][j] * t[j][x];
        __syncthreads();
    }
    o[r * n + c] = sum;
}"""

HISTOGRAM = """extern "C" __global__ void k(const unsigned char* a, unsigned* o, int n) {
    __shared__ unsigned h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[a[i]], 1u);
    __syncthreads();
    atomicAdd(&o[threadIdx.x], h[threadIdx.x]);
}"""

REDUCTION = """extern "C" __global__ void k(const float* a, float* o, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = (i < n ? a[i] : 0) + (i + 256 < n ? a[i + 256] : 0);
    __syncthreads();
    for (int j = 128; j > 0; j >>= 1) {
        if (t < j) s[t] += s[t + j];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}"""


@dataclass(frozen=True)
class Task:
    name: str
    source: str
    arrays: tuple[Any, ...]
    output: Buffer
    scalars: tuple[int, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    target_ms: float | None


def tasks() -> list[Task]:
    rng = np.random.default_rng(0)

    def floats(count: int) -> Any:
        return rng.standard_normal(count).astype(np.float32)

    square = (floats(65536), floats(65536))
    product = Buffer("o", "f32", 65536)
    bytes_in = (rng.integers(0, 256, MILLION).astype(np.uint8),)
    bins = Buffer("o", "u32", 256, bytes(1024))
    pair = (floats(100_000), floats(100_000))
    wide, line = (16, 16, 1), (256, 1, 1)
    return [
        Task("vector add, 1e5", ADD, pair, Buffer("o", "f32", 100_000), (100_000,), (391, 1, 1), line, 15),
        Task("matmul naive, 256^3", NAIVE, square, product, (256,), wide, wide, 100),
        Task("matmul tiled, 256^3", TILED, square, product, (256,), wide, wide, 200),
        Task("histogram, 1e6", HISTOGRAM, bytes_in, bins, (MILLION,), (128, 1, 1), line, 60),
        Task(
            "block reduction, 1e6", REDUCTION, (floats(MILLION),), Buffer("o", "f32", 1954), (MILLION,),
            (1954, 1, 1), line, None,
        ),
    ]  # fmt: skip


def request_of(task: Task, ptx: str, *, counts: bool) -> Request:
    ctypes = {"float32": "f32", "uint8": "u8"}
    inputs = tuple(
        Buffer(f"p{place}", ctypes[array.dtype.name], array.size, array.tobytes(), const=True)  # type: ignore[arg-type]
        for place, array in enumerate(task.arrays)
    )
    pointers = tuple(Pointer(item.name) for item in (*inputs, task.output))
    launch = Launch("k", task.grid, task.block, 0, (*pointers, *task.scalars))
    return Request(ptx, (launch,), (*inputs, task.output), count_requests=counts)


def measure(task: Task) -> dict[str, Any]:
    ptx = to_ptx(task.source)
    first, again, counted = list[float](), list[float](), list[float]()
    emulation = emulate(request_of(task, ptx, counts=True))
    for run in range(RUNS):
        for fresh, counts, into in (
            (f"{ptx}\n// {run}\n", False, first), (ptx, False, again), (ptx, True, counted)
        ):  # fmt: skip
            request = request_of(task, fresh, counts=counts)
            started = time.process_time()
            emulation = emulate(request)
            into.append((time.process_time() - started) * 1e3)
    if emulation.ending is not Kind.RAN or emulation.observations:
        raise SystemExit(f"{task.name}: {emulation.ending} {emulation.reason} {emulation.observations}")
    instructions = emulation.counts[0].thread_instructions
    return {
        "name": task.name, "target_ms": task.target_ms, "first_ms": round(statistics.median(first), 1),
        "again_ms": round(statistics.median(again), 1), "counted_ms": round(statistics.median(counted), 1),
        "counted_best_ms": round(min(counted), 1), "thread_instructions": instructions,
        "ns_per_thread_instruction": round(statistics.median(counted) * 1e6 / instructions, 2),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the emulator.")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    print(f"processor time in ms, every check on, load {os.getloadavg()[0]:.1f}")
    rows = []
    for task in tasks():
        row = measure(task)
        rows.append(row)
        target = f"target {row['target_ms']:.0f}" if row["target_ms"] else ""
        print(
            f"{row['name']:22} first {row['first_ms']:7.1f}  again {row['again_ms']:7.1f}  "
            f"counted {row['counted_ms']:7.1f} (best {row['counted_best_ms']:.1f})  "
            f"{row['ns_per_thread_instruction']:5.2f} ns per thread-instruction  {target}"
        )
    if options.out:
        machine = platform.processor() or platform.machine()
        load = round(os.getloadavg()[0], 1)
        facts = {
            "machine": machine,
            "cores": os.cpu_count(),
            "load": load,
            "date": time.strftime("%Y-%m-%d"),
            "rows": rows,
        }
        options.out.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
