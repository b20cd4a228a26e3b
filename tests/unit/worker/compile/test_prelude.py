"""Before which sources the precompiled headers stand: those that include them, and mean the same behind them."""

from __future__ import annotations

import pytest

from worker.compile.prelude import helps

CG = "#include <cooperative_groups.h>\n"
CG_REDUCE = "#include <cooperative_groups/reduce.h>\n"
CUB = "#include <cub/cub.cuh>\n"
BLOCK_REDUCE = "#include <cub/block/block_reduce.cuh>\n"


@pytest.mark.parametrize(
    "source",
    [
        f"{CUB}__global__ void k() {{ cub::BlockReduce<int, 32> r; cub::Sum s; }}",
        f"#include <cuda_fp16.h>\n{CUB}#define N 4\nusing namespace cub;",
        f"{BLOCK_REDUCE}using R = cub::BlockReduce<float, 256>;",
        f"{BLOCK_REDUCE}#include <cub/warp/warp_scan.cuh>\ncub::BlockReduce<int, 1> a; cub::WarpScan<int> b;",
        f"// #define X\n/* #if */ #pragma once\n{CG}namespace cg = cooperative_groups;\nint y = reduce(1);",
        f"{CG}{CG_REDUCE}auto s = cooperative_groups::reduce(t, v, cooperative_groups::plus<int>());",
        "#include <cuda/atomic>\ncuda::atomic_ref<int, cuda::thread_scope_device> a(x);",
        "#include <cuda/atomic>\nint x = cuda::std::numeric_limits<int>::max();",
        "#include <cuda/pipeline>\nauto p = cuda::make_pipeline(); cuda::barrier<cuda::thread_scope_block>* b;",
    ],
)
def test_a_source_that_includes_what_it_names_goes_behind_the_prelude(source: str) -> None:
    assert helps(source)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("__global__ void k() {}", "it includes nothing"),
        ("#include <cuda_fp16.h>\n#include <mma.h>\n#include <cuda/std/cstdint>", "its headers are quick"),
        ("// #include <cub/cub.cuh>\n", "a comment includes nothing"),
        (f"#define N 4\n{CUB}", "a macro may change the header"),
        (f"#if __CUDA_ARCH__ > 700\n{CUB}#endif", "the header may not be wanted"),
        (f"{CG}cub::BlockReduce<int, 32> r;", "cub is not included"),
        ("#include <cub/block/block_scan.cuh>\ncub::BlockReduce<int, 32> r;", "another header of cub is"),
        ("#include <cub/block/block_scan.cuh>\nusing namespace cub;", "any name may be cub's"),
        (f"{CG}auto s = cooperative_groups::reduce(t, v);", "reduce has a header of its own"),
        (f"{CG}namespace cg = cooperative_groups;\nauto s = cg::inclusive_scan(t, v);", "scans have one as well"),
        (f"{CG}using namespace cooperative_groups;\nauto s = reduce(t, v);", "the name may be the library's"),
        (f"{CUB}cooperative_groups::thread_block b;", "cooperative groups are not included"),
        (f"{CUB}cuda::atomic<int>* a;", "atomics are not included"),
        (f"{CG}cuda::barrier<cuda::thread_scope_block>* b;", "barriers are not included"),
        (f"{CG}cuda::std::pair<int, int> p;", "pairs are not included"),
        (f"{CG}using namespace cuda;", "any name may be CUDA's"),
    ],
)  # fmt: skip
def test_a_source_that_might_mean_something_else_goes_without(source: str, why: str) -> None:
    assert not helps(source), why
