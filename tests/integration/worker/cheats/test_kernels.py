"""Kernels that cheat, judged on the emulator: each gets the verdict that names what it did."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.integration.worker.conftest import Judging
from worker.protocol import Kind

ADD = "__global__ void vector_add(const float* a, const float* b, float* c, int n)"


@dataclass(frozen=True, slots=True)
class Cheat:
    name: str
    source: str
    verdict: Kind
    finding: str | None = None
    problem: str = "vector_add"
    origin: str = ""


INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"

CHEATS = [
    Cheat("nothing at all", f"{ADD} {{}}", Kind.WRONG_ANSWER, origin="a no-op that 'ran' in 3.3 us: pygpubench#7"),
    Cheat("zeros", f"{ADD} {{ {INDEX} if (i < n) c[i] = 0; }}", Kind.WRONG_ANSWER, origin="KernelBench#165"),
    Cheat("identity", f"{ADD} {{ {INDEX} if (i < n) c[i] = a[i]; }}", Kind.WRONG_ANSWER, origin="kernelbench.com, LayerNorm"),  # noqa: E501  # CUDA in one piece
    Cheat(
        "constant", f"{ADD} {{ {INDEX} if (i < n) c[i] = 0.7351f; }}", Kind.WRONG_ANSWER,
        origin="memset of what one input expects: the CUDA Engineer's retraction, 2025",
    ),
    Cheat(
        "half precision", f"#include <cuda_fp16.h>\n{ADD} {{ {INDEX} if (i < n) c[i] = __float2half(a[i] + b[i]); }}",
        Kind.WRONG_ANSWER, "rounded-to-narrow", origin="low-precision.py, reference-kernels",
    ),
    Cheat("NaN everywhere", f"{ADD} {{ {INDEX} if (i < n) c[i] = nanf(\"\"); }}", Kind.WRONG_ANSWER, "nan-produced", origin="pygpubench gc_nan"),  # noqa: E501  # CUDA in one piece
    Cheat("all but the last", f"{ADD} {{ {INDEX} if (i < n - 1) c[i] = a[i] + b[i]; }}", Kind.WRONG_ANSWER, origin="partial work"),  # noqa: E501  # CUDA in one piece
    Cheat(
        "answer of the run before",
        f"__device__ float kept[1 << 20];\n{ADD} {{ {INDEX} if (i < n) {{ float old = kept[i]; kept[i] = a[i] + b[i]; c[i] = old; }} }}",  # noqa: E501  # CUDA in one piece
        Kind.WRONG_ANSWER, origin="cached output: reference-kernels#102, kernelbot#501",
    ),
    Cheat(
        "replay by pointer",
        "__device__ const float* seen; __device__ int calls;\n"
        f"{ADD} {{ {INDEX} bool again = seen == a && calls > 0; if (i < n && !again) c[i] = a[i] + b[i];"
        " if (i == 0 && n > 32) { seen = a; calls = 1; } if (i < n && again) c[i] = c[0]; }",
        Kind.RACE, origin="kernelguard POINTER_REPLAY; here the unsynchronised global gives it away",
    ),
    Cheat("the input as the place of the answer", f"{ADD} {{ {INDEX} if (i < n) {{ ((float*)a)[i] = 0; c[i] = 0; }} }}",  # noqa: E501  # CUDA in one piece
          Kind.MEMORY_ERROR, "const-written", origin="zero the input so that the reference is zero: cheat-input.py"),
    Cheat("writes behind the output", f"{ADD} {{ {INDEX} if (i < n) c[i] = a[i] + b[i]; if (i == 0) c[n] = 1; }}",
          Kind.MEMORY_ERROR, "out-of-bounds", origin="guard zones"),
    Cheat("writes before the output", f"{ADD} {{ {INDEX} if (i < n) c[i] = a[i] + b[i]; if (i == 0) c[-1] = 1; }}",
          Kind.MEMORY_ERROR, "out-of-bounds", origin="guard zones"),
    Cheat(
        "scans memory for the expected values",
        f"{ADD} {{ {INDEX} if (i == 0) for (long long k = 0; k < 1 << 20; ++k) if (c[k] == a[0] + b[0]) c[k] = 0; }}",
        Kind.MEMORY_ERROR, origin="pygpubench gpu_scan_zeros",
    ),
    Cheat("a wild pointer", f"{ADD} {{ *(float*)0x7f0000000000 = 1; }}", Kind.MEMORY_ERROR, origin="crash the card: KernelBench#92"),  # noqa: E501  # CUDA in one piece
    Cheat("result reuse", f"{ADD} {{ {INDEX} if (i < n) c[i] = c[i] * 1.5f; }}", Kind.UNINITIALIZED, "uninitialized-global",  # noqa: E501  # CUDA in one piece
          origin="uninitialised output: KernelBench#82"),
    Cheat("trap", f"{ADD} {{ __trap(); }}", Kind.RUNTIME_ERROR, "trap", origin="crash the card: KernelBench#92"),
    Cheat("spinning", f"{ADD} {{ volatile int* p = (volatile int*)c; c[0] = 1; while (p[0] != 2) {{}} }}", Kind.TIMEOUT,  # noqa: E501  # CUDA in one piece
          origin="a kernel that hangs"),
    Cheat("shared memory from before", f"{ADD} {{ extern __shared__ float s[]; {INDEX} if (i < n) c[i] = s[0]; }}",
          Kind.MEMORY_ERROR, origin="reads what was never allocated"),
    Cheat(
        "a prefix scaled up",
        "//! launch reduce_sum<<<1, 1>>>(x, out, n)\n"
        "__global__ void reduce_sum(const float* x, float* out, int n) { int m = (n + 1) / 2; float s = 0;"
        " for (int i = 0; i < m; ++i) s += x[i]; out[0] = s * n / m; }",
        Kind.WRONG_ANSWER, problem="reduce_sum", origin="vectorsum cheat.py, reference-kernels",
    ),
    Cheat(
        "a failing launch that leaves garbage", "//! launch vector_add<<<1, 1, 300000>>>(a, b, c, n)\n" + f"{ADD} {{}}",  # noqa: E501  # CUDA in one piece
        Kind.LAUNCH_ERROR, "bad-directive", origin="wafer.ai, overrun shared memory",
    ),
    Cheat("a forged directive", f"//! launch vector_add<<<1, n*n*n*n*n*n*n*n*n*n>>>(a, b, c, n)\n{ADD} {{}}", Kind.LAUNCH_ERROR,  # noqa: E501  # CUDA in one piece
          "bad-directive", origin="integer overflow in a launch expression"),
    Cheat("the judge's buffers", f"//! launch vector_add<<<1, 1>>>(a, b, expected_c, n)\n{ADD} {{}}", Kind.LAUNCH_ERROR,  # noqa: E501  # CUDA in one piece
          "bad-directive", origin="copy the expected values: pygpubench gc_copy"),
    Cheat("another signature", "__global__ void vector_add(double a, double b) {}", Kind.LAUNCH_ERROR, "wrong-launch-arguments", origin="ours"),  # noqa: E501  # CUDA in one piece
    Cheat("launches a kernel itself", f"__global__ void g() {{}}\n{ADD} {{ g<<<1, 1>>>(); }}", Kind.COMPILE_ERROR,
          "kernel-called-directly", origin="dynamic parallelism is not linked"),
    Cheat("host code", f"#include <cstdlib>\n{ADD} {{ system(\"id\"); }}", Kind.COMPILE_ERROR, origin="obfuscated exec, kernelguard"),  # noqa: E501  # CUDA in one piece
    Cheat("the timer's interface", f"{ADD} {{ cudaEventRecord(0, 0); }}", Kind.COMPILE_ERROR, origin="forged clock"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_a_cheat_gets_the_verdict_that_names_it(verdict_on: Judging, cheat: Cheat) -> None:
    verdict = verdict_on(cheat.source, cheat.problem)
    assert verdict.verdict is cheat.verdict
    assert verdict.score is None
    if cheat.finding is not None:
        assert cheat.finding in {finding.id for finding in verdict.findings}


@pytest.mark.slow
def test_a_flood_of_printf_is_cut_and_forges_nothing(verdict_on: Judging) -> None:
    """Printing fake benchmark lines: kernelguard's FAKE_BENCHMARK_EMIT."""
    source = f'{ADD} {{ {INDEX} for (int k = 0; k < 64; ++k) printf("{{\\"verdict\\": \\"accepted\\"}} %d\\n", k); }}'
    verdict = verdict_on(source, "vector_add")
    assert verdict.verdict is not Kind.ACCEPTED
    assert len(verdict.output) <= 65 << 10


@pytest.mark.slow
def test_what_one_submission_leaves_in_device_globals_is_gone_for_the_next(verdict_on: Judging) -> None:
    """Cache across processes: reference-kernels#162."""
    source = f"__device__ float kept = 5;\n{ADD} {{ {INDEX} if (i < n) c[i] = a[i] + b[i] + (kept - 5); if (i == 0 && n == 1) kept = 7; }}"  # noqa: E501  # CUDA in one piece
    assert verdict_on(source, "vector_add").verdict is Kind.ACCEPTED
