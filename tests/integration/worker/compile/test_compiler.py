"""NVRTC in the sandbox: what comes back for honest sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from worker.compile import Compiler, open_compiler
from worker.sandbox import choose

ADD = "__global__ void add(const float* a, float* b, int n) { if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x]; }"


def test_a_kernel_becomes_ptx_and_a_cubin_with_its_declaration(compiler: Compiler) -> None:
    compiled = compiler.compile(ADD, "sm_90a", ["add"])
    assert compiled.ok
    assert compiled.cubin.startswith(b"\x7fELF")
    assert ".target sm_90a" in compiled.ptx
    kernel = compiled.kernel("add")
    assert [(param.kind, param.bytes) for param in kernel.params] == [("word", 8), ("word", 8), ("word", 4)]
    assert 4 <= kernel.registers <= 32
    assert kernel.spill_bytes == 0


def test_a_template_instance_is_found_by_the_name_in_the_launch(lasting_compiler: Compiler) -> None:
    source = """template <int BLOCK> __global__ void tile(float* x) {
        __shared__ float s[BLOCK];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[BLOCK - 1 - threadIdx.x]; }"""
    compiled = lasting_compiler.compile(source, "sm_90a", ["tile<128>", "tile<64>"])
    assert compiled.kernel("tile<128>").shared_bytes == 512
    assert compiled.kernel("tile<64>").shared_bytes == 256


def test_for_the_emulator_no_access_is_optimised_away(lasting_compiler: Compiler) -> None:
    dead = "__global__ void k(const float* x, float* y) { float unused = x[999]; y[0] = 1.0f; }"
    compiled = lasting_compiler.compile(dead, "sm_90a", ["k"])
    assert "ld.global" not in compiled.ptx
    assert "ld.f32" in compiled.plain_ptx


def test_no_source_can_tell_that_it_is_built_for_the_emulator(lasting_compiler: Compiler) -> None:
    compiled = lasting_compiler.compile(f"#ifdef __CUDACC_DEBUG__\n#error caught\n#endif\n{ADD}", "sm_90a", ["add"])
    assert compiled.plain_ptx != compiled.ptx


def test_every_kind_of_parameter_is_read_from_the_ptx(lasting_compiler: Compiler) -> None:
    source = """#include <cuda_fp16.h>
    __global__ void k(char a, short b, long long c, float d, double e, half f, float4 g) {}"""
    params = lasting_compiler.compile(source, "sm_90a", ["k"]).kernels[0].params
    assert [(param.kind, param.bytes) for param in params] == [
        ("word", 1), ("word", 2), ("word", 8), ("float", 4), ("float", 8), ("bytes", 2), ("bytes", 16),
    ]  # fmt: skip


def test_registers_that_do_not_fit_are_reported_as_spills(lasting_compiler: Compiler) -> None:
    source = """__global__ void __launch_bounds__(1024, 2) heavy(float* x) {
        float v[96];
        #pragma unroll
        for (int i = 0; i < 96; ++i) v[i] = x[i * 1024 + threadIdx.x];
        for (int r = 0; r < 8; ++r) {
            #pragma unroll
            for (int i = 0; i < 96; ++i) v[i] = v[i] * v[(i * 7 + 1) % 96] + x[r];
        }
        #pragma unroll
        for (int i = 0; i < 96; ++i) x[i * 1024 + threadIdx.x] = v[i];
    }"""
    assert lasting_compiler.compile(source, "sm_90a", ["heavy"]).kernels[0].spill_bytes > 0


HEADERS = (
    "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "mma.h", "cooperative_groups.h", "cooperative_groups/reduce.h",
    "cub/cub.cuh", "cub/block/block_scan.cuh", "cuda/std/array", "cuda/atomic", "cuda/barrier", "cuda_runtime.h",
    "stdio.h", "stdint.h", "cstdint", "math.h", "cfloat", "climits", "device_launch_parameters.h",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("header", HEADERS)
def test_the_headers_that_kernels_use_can_be_included(lasting_compiler: Compiler, header: str) -> None:
    assert lasting_compiler.compile(f"#include <{header}>\n{ADD}", "sm_90a", ["add"]).log == ""


def test_either_sandbox_lets_all_of_these_headers_be_read(compiler: Compiler) -> None:
    assert (
        compiler.compile("".join(f"#include <{header}>\n" for header in HEADERS) + ADD, "sm_90a", ["add"]).log == ""
    )


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_89", "sm_90a", "sm_100"])
def test_other_cards_are_compiled_for_as_well(lasting_compiler: Compiler, arch: str) -> None:
    assert f".target {arch}" in lasting_compiler.compile(ADD, arch, ["add"]).ptx


def test_the_log_names_no_folder_of_the_host(lasting_compiler: Compiler) -> None:
    log = lasting_compiler.compile("#include <thrust/device_vector.h>\n", "sm_90a").log
    assert "cuda/thrust" in log
    assert str(Path.home()) not in log
    assert "site-packages" not in log


def test_the_same_source_is_compiled_once(tmp_path: Path) -> None:
    with open_compiler(choose(), tmp_path) as compiler:
        first = compiler.compile(ADD, "sm_90a", ["add"])
        again = compiler.compile(ADD, "sm_90a", ["add"])
        other = compiler.compile(ADD, "sm_80", ["add"])
    assert (first.cached, again.cached, other.cached) == (False, True, False)
    assert again.cubin == first.cubin
    assert again.kernels == first.kernels


def test_a_damaged_cache_entry_is_compiled_anew(tmp_path: Path) -> None:
    with open_compiler(choose(), tmp_path) as compiler:
        compiler.compile(ADD, "sm_90a", ["add"])
        for entry in tmp_path.iterdir():
            entry.write_bytes(entry.read_bytes()[:100])
        again = compiler.compile(ADD, "sm_90a", ["add"])
    assert again.ok
    assert not again.cached
