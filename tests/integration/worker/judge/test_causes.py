"""Each mistake by the name of its cause, over real kernels: what is said leads to the mistake, not away from it."""

from __future__ import annotations

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from tests.styles import STYLES
from worker.protocol import Kind, Verdict

ADD = "__global__ void vector_add(const float* a, const float* b, float* c, int n)"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SUM = "__global__ void reduce_sum(const float* x, float* out, int n)"
COLLECT = "int t = threadIdx.x; float sum = 0; for (int i = t; i < n; i += blockDim.x) sum += x[i]; s[t] = sum;"


def found(verdict: Verdict) -> set[tuple[str, int | None]]:
    return {(finding.id, finding.line) for finding in verdict.findings if finding.severity != "hint"}


def test_a_structure_without_members_may_be_passed_by_value(verdict_on_ours: Judging) -> None:
    source = f"""
struct Plus {{ __device__ float operator()(float a, float b) const {{ return a + b; }} }};
template <class Op> __device__ float apply(float a, float b, Op op) {{ return op(a, b); }}
{ADD} {{ {INDEX} Plus plus; if (i < n) c[i] = apply(a[i], b[i], plus); }}
"""
    assert verdict_on_ours(source, "vector_add").verdict is Kind.ACCEPTED


@pytest.mark.parametrize(
    ("problem", "style"),
    [
        ("vector_add", "bitfields"),
        ("vector_add", "virtual_call"),
        ("vector_add", "optional_and_tuple"),
        ("int8_quantize", "argmax_struct"),
        ("conv1x1", "lambda_dispatch"),
        ("histogram", "ballot_of_bits"),
    ],
)
def test_right_kernels_that_were_accused_once_are_accepted(verdict_on: Judging, problem: str, style: str) -> None:
    source = (STYLES / problem / f"{style}.cu").read_text("utf-8")
    assert verdict_on(source, problem).verdict is Kind.ACCEPTED


PAIR = "struct Pair { float x, y; };"


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("Pair p; p.x = a[0];\ns[t] = p; Pair q = s[t];\nc[i] = q.x + s[t].y;", ("uninitialized-shared", 5)),
        ("float v[4]; if (t > 3) v[t % 4] = 1;\ns[t].x = v[t % 4];\nc[i] = s[t].x;", ("uninitialized-local", 4)),
        ("Pair p; if (t > 3) p.x = 1;\nPair q = p;\nc[i] = q.x;", ("uninitialized-local", 5)),
        ("\n\nc[i] = c[n - 1 - i];", ("uninitialized-global", 5)),
    ],
)
def test_what_was_never_set_is_told_where_it_is_read(
    verdict_on: Judging, body: str, finding: tuple[str, int]
) -> None:
    source = f"{PAIR}\n{ADD} {{ __shared__ Pair s[256]; {INDEX} int t = threadIdx.x; if (i >= n) return;\n{body}\n}}"
    verdict = verdict_on(source, "vector_add")
    assert (verdict.verdict, found(verdict)) == (Kind.UNINITIALIZED, {finding})


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ('printf("%s", (const char*)16);', "printf-no-string"),
        ('printf("%s", (const char*)(c + n));', "printf-no-string"),
        ('printf("%*d", 2000000000, i);', "printf-too-wide"),
        ('printf("%.99999f", 1.0);', "printf-too-wide"),
    ],
)
def test_a_printf_that_breaks_its_formatting_is_the_members_own(
    verdict_on_ours: Judging, statement: str, finding: str
) -> None:
    verdict = verdict_on_ours(
        f"{ADD} {{\n{INDEX}\nif (i < n) c[i] = a[i] + b[i];\nif (i == 0) {statement}\n}}", "vector_add"
    )
    assert verdict.verdict is Kind.RUNTIME_ERROR
    assert found(verdict) == {(finding, 4)}


def test_a_string_may_lie_in_any_memory(verdict_on_ours: Judging) -> None:
    source = f"""{ADD} {{
    __shared__ char s[4]; char l[4] = "abc"; {INDEX}
    if (threadIdx.x < 4) s[threadIdx.x] = "xyz"[threadIdx.x];
    __syncthreads();
    if (i < n) c[i] = a[i] + b[i];
    if (i == 0) printf("%s %s %.2s %-4s|%*d\\n", s, l, "constant", l, 3, 7);
}}"""
    verdict = verdict_on_ours(source, "vector_add")
    assert verdict.verdict is Kind.ACCEPTED
    assert verdict.output == "xyz abc co abc |  7\n"


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\r\n"])
def test_what_a_windows_editor_puts_around_a_text_is_no_error(verdict_on_ours: Judging, mark: str) -> None:
    source = f"{mark}//! launch vector_add<<<ceil_div(n, 64), 64>>>(a, b, c, n)\r\n{ADD} {{\r\n{INDEX}\r\n"
    assert verdict_on_ours(source + "if (i < n) c[i] = a[i] + b[i];\r\n}\r\n", "vector_add").verdict is Kind.ACCEPTED


def solution(problem: str, name: str) -> str:
    return (CONTENT / "problems" / problem / "solutions" / "right" / f"{name}.cu").read_text("utf-8")


COLUMN_SUMS = f"""
//! launch reduce_sum<<<1, 32>>>(x, out, n)
{SUM} {{
    int each = (n + 31) / 32; float sum = 0;
    for (int k = threadIdx.x * each; k < min(n, threadIdx.x * each + each); ++k)
        sum += x[k];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) out[0] = sum;
}}"""


@pytest.mark.parametrize(
    ("problem", "source", "advised"),
    [
        ("transpose", solution("transpose", "naive"), {("uncoalesced", 14)}),
        ("dense_sigmoid", solution("dense_sigmoid", "thread_per_row"), {("strided-access", 14)}),
        ("hgemm", solution("hgemm", "naive"), {("uncoalesced", 15)}),
        ("reduce_sum", COLUMN_SUMS, {("uncoalesced", 6)}),
        ("conv1x1", solution("conv1x1", "four_pixels"), set()),
        ("conv3x3", solution("conv3x3", "registers_and_shuffles"), set()),
        ("transpose", solution("transpose", "padded_tile"), set()),
        ("transpose", solution("transpose", "wide_tile"), set()),
        ("conv1x1", solution("conv1x1", "thread_per_output"), set()),
        ("dense_sigmoid", solution("dense_sigmoid", "warp_per_row"), set()),
        ("hgemm", solution("hgemm", "wmma_simple"), set()),
        ("hgemm", solution("hgemm", "wmma_tiles"), set()),
        ("histogram", solution("histogram", "global_atomics"), set()),
        ("matmul", solution("matmul", "naive"), set()),
        ("vector_add", solution("vector_add", "vectorised"), set()),
    ],
)
def test_coalescing_is_advised_from_what_was_counted(
    verdict_on_ours: Judging, problem: str, source: str, advised: set[tuple[str, int]]
) -> None:
    verdict = verdict_on_ours(source, problem)
    assert verdict.verdict is Kind.ACCEPTED
    assert {one for one in found(verdict) if one[0] in ("uncoalesced", "strided-access")} == advised


HALF_WARP = """
#include <mma.h>
using namespace nvcuda;
//! launch hgemm<<<dim3(n / 16, m / 16), 16>>>(a, b, c, m, n, k)
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * k + p, k);
        wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * k + p, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, wmma::mem_row_major);
}"""

UNALIGNED_ROWS = """
#include <cuda_fp16.h>
//! launch hgemm<<<dim3(n / 16, m / 16), 32>>>(a, b, c, m, n, k)
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ half s[16 * 18];
    for (int i = threadIdx.x; i < 256; i += 32) s[i / 16 * 18 + i % 16] = a[i / 16 * k + i % 16];
    __syncthreads();
    unsigned r, at = (unsigned)__cvta_generic_to_shared(s + threadIdx.x % 8 * 18);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at));
    c[threadIdx.x] = r;
}"""

VOLATILE_WARP = f"""
{SUM} {{
    __shared__ float s[256]; {COLLECT} __syncthreads();
    for (int h = 128; h > 16; h /= 2) {{ if (t < h) s[t] += s[t + h]; __syncthreads(); }}
    if (t < 16) {{
        volatile float* v = s;
        v[t] += v[t + 16]; v[t] += v[t + 8]; v[t] += v[t + 4]; v[t] += v[t + 2]; v[t] += v[t + 1];
    }}
    if (t == 0) out[0] = s[0];
}}"""

FORGOTTEN_BYTES = f"""
{SUM} {{
    extern __shared__ float s[]; {COLLECT}
    __syncthreads();
    if (t == 0) {{ float all = 0; for (int k = 0; k < 256; ++k) all += 1; out[0] = all; }}
}}"""

QUARTETS = f"""
//! launch vector_add<<<ceil_div(n, 1024), 256>>>(a, b, c, n)
{ADD} {{
    {INDEX}
    if (i * 4 >= n) return;
    float4 u = ((const float4*)a)[i];
    c[i * 4] = u.x + b[i * 4];
}}"""

SKIPPED = f"""
{SUM} {{
    __shared__ float s[256]; {COLLECT} __syncthreads();
    for (int h = 128; h > 0; h /= 2)
        if (t < h) {{
            s[t] += s[t + h];
            __syncthreads();
        }}
    if (t == 0) out[0] = s[0];
}}"""

COUNTERS = """
__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        bins[x[i]]++;
    __syncthreads();
    counts[threadIdx.x] = bins[threadIdx.x];
}"""


@pytest.mark.parametrize(
    ("problem", "source", "kind", "finding"),
    [
        ("hgemm", HALF_WARP, Kind.BARRIER, ("partial-warp", 13)),
        ("hgemm", UNALIGNED_ROWS, Kind.MEMORY_ERROR, ("misaligned", 9)),
        ("reduce_sum", VOLATILE_WARP, Kind.RACE, ("missing-warp-sync", 7)),
        ("reduce_sum", FORGOTTEN_BYTES, Kind.MEMORY_ERROR, ("shared-not-given", 3)),
        ("vector_add", QUARTETS, Kind.MEMORY_ERROR, ("vector-past-end", 6)),
        ("reduce_sum", SKIPPED, Kind.BARRIER, ("exited-barrier", 7)),
        ("histogram", COUNTERS, Kind.RACE, ("lost-update", 7)),
        ("histogram", COUNTERS.replace("bins[x[i]]++", "bins[x[i]] += 1"), Kind.RACE, ("lost-update", 7)),
    ],
)  # fmt: skip
def test_a_mistake_is_named_once_by_its_cause(
    verdict_on_ours: Judging, problem: str, source: str, kind: Kind, finding: tuple[str, int]
) -> None:
    verdict = verdict_on_ours(source, problem)
    assert (verdict.verdict, found(verdict)) == (kind, {finding})


@pytest.mark.parametrize("step", ["s[t] += s[t + h];", "s[t] = s[t] + s[t + h];"])
def test_a_step_of_a_reduction_lacks_a_barrier_and_no_atomic(verdict_on_ours: Judging, step: str) -> None:
    source = SKIPPED.replace("            __syncthreads();\n", "").replace("s[t] += s[t + h];", step)
    assert {name for name, _ in found(verdict_on_ours(source, "reduce_sum"))} == {"missing-barrier"}


@pytest.mark.parametrize(
    ("problem", "source"),
    [
        ("reduce_sum", SKIPPED.replace("            __syncthreads();\n", "            __syncwarp();\n")),
        ("transpose", """__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int row = blockIdx.y * 32 + threadIdx.y; row < min(rows, (int)blockIdx.y * 32 + 32); row += 8)
        if (col < cols) y[col * cols + row] = x[row * cols + col];
}"""),
    ],
)  # fmt: skip
def test_where_something_worse_was_seen_the_numbers_are_not_explained(
    verdict_on_ours: Judging, problem: str, source: str
) -> None:
    told = {name for name, _ in found(verdict_on_ours(source, problem))}
    assert told
    assert not told & {"precision-loss", "outputs-unwritten", "nan-produced"}


WRONG_BLOCK = f"""
//! launch reduce_sum<<<1, 192>>>(x, out, n)
{SUM} {{
    __shared__ float s[192]; {COLLECT} __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {{ if (t < h) s[t] += s[t + h]; __syncthreads(); }}
    if (t == 0) out[0] = s[0];
}}"""

ANOTHER_FORMULA = f"""__global__ void sigmoid(const float* x, float* y, int n) {{
    {INDEX}
    if (i < n) y[i] = 0.5f * (x[i] / (1.0f + fabsf(x[i]))) + 0.5f;
}}"""


@pytest.mark.parametrize(("problem", "source"), [("reduce_sum", WRONG_BLOCK), ("sigmoid", ANOTHER_FORMULA)])
def test_a_wrong_formula_that_comes_near_somewhere_is_no_rounding(
    verdict_on_ours: Judging, problem: str, source: str
) -> None:
    verdict = verdict_on_ours(source, problem)
    assert verdict.verdict is Kind.WRONG_ANSWER
    assert "precision-loss" not in {name for name, _ in found(verdict)}


HALVES = f"#include <cuda_fp16.h>\n{ADD} {{ {INDEX} if (i < n) c[i] = __half2float(__float2half(a[i] + b[i])); }}"


def test_half_precision_is_named(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(HALVES, "vector_add")
    assert found(verdict) == {("rounded-to-narrow", 2)}
    assert verdict.findings[0].evidence["type"] == "half"
