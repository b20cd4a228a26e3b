"""A launch of which only the first blocks run: what they do is counted, at sizes that nobody could run whole."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kernels.emulated import compile_source
from worker.emulator.request import Buffer, Launch, Limits, Pointer, Request, Sample
from worker.emulator.run import emulate
from worker.protocol import Kind

GIBI = 1 << 28
"""Elements of a gibibyte of floats."""

SOURCE = """
extern "C" __global__ void add(const float* a, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = a[i] + 1.0f;
}
extern "C" __global__ void every_eighth(const float* a, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (8 * i < n) o[8 * i] = a[8 * i];
}
extern "C" __global__ void twice(const float* a, float* o, int n) {
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    o[i] = s[127 - threadIdx.x] + a[i];
}
extern "C" __global__ void walk(const float* a, float* o, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    o[threadIdx.x] = sum;
}"""


@pytest.fixture(scope="module")
def request_() -> Request:
    """A thousand blocks and more over a gibibyte, of which two are run."""
    buffers = (Buffer("a", "f32", GIBI, const=True), Buffer("o", "f32", GIBI))
    limits = Limits(memory_bytes=1 << 40, blocks=200)
    return Request(
        compile_source(SOURCE, ["--gpu-architecture=compute_80"]).decode(), (), buffers, limits, sampled_threads=256
    )


def sampled(request: Request, kernel: str) -> Sample:
    launch = Launch(kernel, (1 << 20, 1, 1), (128, 1, 1), 0, (Pointer("a"), Pointer("o"), GIBI))
    emulation = emulate(replace(request, launches=(launch,)))
    assert (emulation.ending, emulation.observations) == (Kind.RAN, ())
    (counts,) = emulation.counts
    assert counts.sample is not None
    return counts.sample


def test_the_first_blocks_stand_for_the_grid(request_: Request) -> None:
    sample = sampled(request_, "add")
    assert sample.blocks == 2
    assert (sample.read, sample.written) == ({"a": 32}, {"o": 32})  # 256 floats of four bytes in sectors of 32
    figures = sample.figures
    assert (figures["global_requests"], figures["global_lines"], figures["stored_sectors"]) == (16, 16, 32)
    assert (figures["global_waits"], figures["barriers"], figures["flops"]) == (8, 0, 256)  # a wait for each warp


def test_scattered_accesses_take_a_line_each_where_neighbours_share_one(request_: Request) -> None:
    figures = sampled(request_, "every_eighth").figures
    assert (figures["global_lines"], figures["stored_sectors"]) == (2 * 64, 256)


def test_what_a_block_reads_twice_is_fetched_once(request_: Request) -> None:
    sample = sampled(request_, "twice")
    assert sample.figures["global_sectors"] == 3 * 32
    assert sample.figures["block_read_sectors"] == sample.read["a"] == 32
    assert (sample.figures["barriers"], sample.figures["shared_waits"]) == (8, 8)


def test_what_takes_too_long_is_stopped(request_: Request) -> None:
    launch = Launch("walk", (1, 1, 1), (32, 1, 1), 0, (Pointer("a"), Pointer("o"), GIBI))
    assert emulate(replace(request_, launches=(launch,))).ending is Kind.TIMEOUT
