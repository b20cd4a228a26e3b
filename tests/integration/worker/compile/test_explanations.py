"""Common mistakes, each as a source that NVRTC really refuses, and the finding that explains it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from worker.compile import Compiler
from worker.compile.nvcc import CompiledProgram
from worker.diagnosis import FindingCatalogue, explain, readable_log

FINDINGS = Path(__file__).parents[4] / "content" / "findings.toml"


@dataclass(frozen=True, slots=True)
class Mistake:
    finding: str
    line: int | None
    source: str


def body(text: str, before: str = "", after: str = "") -> str:
    """A kernel whose third line (plus those of `before`) is the text."""
    return f"{before}__global__ void f(float* x, int n) {{\n    int i = threadIdx.x;\n    {text}\n}}\n{after}"


MISTAKES = [
    Mistake("undeclared-name", 3, body("x[i] = y;")),
    Mistake("misspelt-type", 1, "__global__ void f(flaot* x, int n) { x[0] = 1; }\n"),
    Mistake("missing-semicolon", 4, body("int a = 1\n    x[i] = a;")),
    Mistake("non-ascii-operator", 3, body("x[i] = n ∕ 2;")),
    Mistake("full-width-punctuation", 3, body("x[i] = 1；")),
    Mistake("full-width-punctuation", 3, body("if （i < n） x[i] = 1;")),
    Mistake("full-width-punctuation", 3, body("printf(“hi”);")),
    Mistake("stray-character", 3, body("x[i] \u200b= 1;")),
    Mistake("elided-code", 3, body("...")),
    Mistake("host-call-from-device", 4, body("x[i] = host(n);", before="int host(int a) { return a; }\n")),
    Mistake("missing-global", 1, "void f(float* x, int n) { x[0] = n; }\n"),
    Mistake("main-in-kernel", 5, body("x[i]=1;", after="int main() { return 0; }\n")),
    Mistake("host-api-in-kernel", 3, body("cudaMalloc(&x, 4);")),
    Mistake("kernel-returns-value", 1, "__global__ int f(float* x) { return 1; }\n"),
    Mistake("kernel-called-directly", 4, body("g<<<1,1>>>(x);", before="__global__ void g(float*x){x[0]=1;}\n")),
    Mistake("unbounded-array-parameter", 1, "__global__ void f(float x[n][1], int n) { x[0][0]=1; }\n"),
    Mistake("unbounded-array-parameter", 1, "__global__ void f(float x[][], int n) { x[0][0]=1; }\n"),
    Mistake("markdown-fence", 1, body("x[i]=1;", before="```cuda\n", after="```\n")),
    Mistake("html-entity", 3, body("if (i &lt; n) x[i]=1;")),
    Mistake("line-numbers", 1, "1 __global__ void f(float* x, int n) {\n2    x[0] = 1;\n3 }\n"),
    Mistake("not-a-pointer", 3, body("n[i] = 1;")),
    Mistake("not-a-pointer", 3, body("*n = 1;")),
    Mistake(
        "wrong-argument-count",
        4,
        body("x[i] = h(1.0f);", before="__device__ float h(float a, float b) { return a; }\n"),
    ),
    Mistake(
        "wrong-argument-count", 4, body("x[i] = h(1.0f, 2.0f);", before="__device__ float h(float a) { return a; }\n")
    ),
    Mistake("type-mismatch", 4, body("x[i] = h(n);", before="__device__ float h(float* a) { return *a; }\n")),
    Mistake("const-assignment", 1, "__global__ void f(const float* x, int n) { x[0] = 1; }\n"),
    Mistake("redeclared", 3, body("int i = 2; x[i] = 1;")),
    Mistake("unknown-member", 3, body("x[i] = threadIdx.w;")),
    Mistake("undeclared-name", 3, body("x[i] = threadidx.x;")),
    Mistake("undeclared-name", 3, body("__syncthread(); x[i]=1;")),
    Mistake("host-header", 1, body("x[i]=1;", before="#include <vector>\n")),
    Mistake("standard-header", 1, body("x[i]=1;", before="#include <limits>\n")),
    Mistake("unavailable-header", 1, body("x[i]=1;", before="#include <thrust/device_vector.h>\n")),
    Mistake(
        "unavailable-header",
        2,
        body("x[i]=thrust::reduce(thrust::seq, x, x + n);", before="\n#include <thrust/reduce.h>\n"),
    ),
    Mistake("host-library", 3, body("std::vector<int> v; x[i]=1;")),
    Mistake("host-library", 4, body("std::cout << 1;", before="#include <iostream>\n")),
    Mistake("shared-initializer", 3, body("__shared__ float s[32] = {0}; x[i]=s[i];")),
    Mistake("dynamic-array-size", 3, body("__shared__ float s[n]; x[i]=s[0];")),
    Mistake(
        "conflicting-extern-shared",
        2,
        "__global__ void f(float* x) { extern __shared__ float s[]; x[0]=s[0]; }\n"
        "__global__ void g(int* x) { extern __shared__ int s[]; x[0]=s[0]; }\n",
    ),
    Mistake("removed-shuffle", 3, body("x[i] = __shfl_down(x[i], 1);")),
    Mistake("no-matching-overload", 3, body("atomicAdd(n, 1);")),
    Mistake("no-matching-overload", 3, body("atomicMax(x, 1.0f);")),
    Mistake("type-mismatch", 3, body("x[i] = fmaxf(x, 1);")),
    Mistake("no-matching-overload", 3, body("x[i] = max(1.0, n, 3);")),
    Mistake(
        "ambiguous-call",
        5,
        body("x[i] = h(1.0);", before="__device__ int h(float a){return 1;}\n__device__ int h(int a){return 1;}\n"),
    ),
    Mistake("unterminated-text", 3, body('printf("hi);')),
    Mistake("unterminated-comment", 1, body("x[i]=1;", before="/* hello\n")),
    Mistake("unmatched-directive", 5, body("x[i]=1;", after="#endif\n")),
    Mistake("unknown-preprocessor-line", 1, body("x[i]=1;", before="#inclde <a>\n")),
    Mistake("else-without-if", 3, body("if (i < n); x[i]=1; x[i]=2; else x[i] = 3;")),
    Mistake("missing-return", 3, body("return 1;")),
    Mistake("extra-brace", 4, body("x[i]=1; }")),
    Mistake("missing-brace", None, "__global__ void f(float* x, int n) {\n  if (n) {\n x[0]=1;\n}\n"),
    Mistake("missing-parenthesis", 3, body("x[i] = (n + 1;")),
    Mistake("missing-parenthesis", 3, body("x[i = 1;")),
    Mistake("name-is-keyword", 3, body("int new = 1; x[i]=new;")),
    Mistake(
        "half-operation", 2, "#include <cuda_fp16.h>\n__global__ void f(half* x) { x[0] = x[0] + 1.0f * x[1] + 2; }\n"
    ),
    Mistake("missing-include", 1, "__global__ void f(half* x) { x[0] = x[1]; }\n"),
    Mistake("inline-assembly", None, body('asm("frobnicate.u32 %0, 1;" : "=r"(i)); x[i]=i;')),
    Mistake("unresolved-function", None, body("x[i]=h(1);", before="__device__ float h(float a);\n")),
    Mistake("missing-include", 3, body("auto g = cooperative_groups::this_thread_block(); x[i]=1;")),
    Mistake("type-mismatch", 3, body("x[i] = x[i] % 2;")),
    Mistake("undeclared-name", 1, "__globl__ void f(float* x) { x[0]=1; }\n"),
    Mistake("undeclared-name", 3, body("__share__ float s[3]; x[i]=s[0];")),
    Mistake("template-without-arguments", None, "template<int B> __global__ void f(float* x, int n) { x[0]=B; }\n"),
]


@pytest.fixture(scope="module")
def catalogue() -> FindingCatalogue:
    return FindingCatalogue.load(FINDINGS)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.finding)
def test_a_common_mistake_is_explained(
    lasting_compiler: Compiler, catalogue: FindingCatalogue, mistake: Mistake
) -> None:
    compiled = lasting_compiler.compile(mistake.source, "sm_90a", ["f"])
    assert not compiled.ok
    first = explain(catalogue, compiled, mistake.source, ["f"])[0]
    assert (first.id, first.line) == (mistake.finding, mistake.line)
    assert first.severity == "error"
    assert set(first.message) == {"en", "zh"}


def test_at_least_forty_kinds_of_mistake_are_covered() -> None:
    assert len({mistake.finding for mistake in MISTAKES}) >= 40


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("x[i] = threadidx.x;", "threadIdx"),
        ("__syncthread();", "__syncthreads"),
        ("x[i] = blockdim.x;", "blockDim"),
        ("flaot v = 1; x[i] = v;", "float"),
        ("float total = 0; x[i] = totl;", "total"),
        ("retrun;", "return"),
        ("x[i] = sqrft(2.0f);", "sqrtf"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(
    lasting_compiler: Compiler, catalogue: FindingCatalogue, text: str, nearest: str
) -> None:
    source = body(text)
    compiled = lasting_compiler.compile(source, "sm_90a", ["f"])
    assert explain(catalogue, compiled, source, ["f"])[0].evidence["nearest"] == nearest


def test_an_unknown_name_far_from_all_others_gets_no_suggestion(
    lasting_compiler: Compiler, catalogue: FindingCatalogue
) -> None:
    source = body("x[i] = quux_zzz;")
    found = explain(catalogue, lasting_compiler.compile(source, "sm_90a", ["f"]), source, ["f"])[0]
    assert found.message["en"] == "quux_zzz is not declared here."


def test_what_no_rule_knows_is_quoted(lasting_compiler: Compiler, catalogue: FindingCatalogue) -> None:
    source = body("goto end;")
    found = explain(catalogue, lasting_compiler.compile(source, "sm_90a", ["f"]), source, ["f"])[0]
    assert found.id == "other-compile-error"
    assert 'label "end"' in found.message["en"]


def test_odd_characters_in_comments_and_strings_are_nobodys_mistake(
    lasting_compiler: Compiler, catalogue: FindingCatalogue
) -> None:
    source = body('printf("（好）……\\n"); x[i] = y; // 半角，全角；省略…')
    compiled = lasting_compiler.compile(source, "sm_90a", ["f"])
    assert [found.id for found in explain(catalogue, compiled, source, ["f"])] == ["undeclared-name"]


def test_a_launch_of_a_kernel_that_is_not_there_names_the_nearest(
    lasting_compiler: Compiler, catalogue: FindingCatalogue
) -> None:
    source = "__global__ void reduce(float* x) { x[0] = 1; }\n"
    compiled = lasting_compiler.compile(source, "sm_90a", ["reduc"])
    found = explain(catalogue, compiled, source, ["reduc"])[0]
    assert (found.id, found.evidence) == ("unknown-kernel", {"kernel": "reduc", "nearest": "reduce"})


def test_a_program_compiled_by_nvcc_is_explained_likewise(catalogue: FindingCatalogue) -> None:
    compiled = CompiledProgram(False, 'kernel.cu(3): error: identifier "flaot" is undefined\n', 0.0)
    assert explain(catalogue, compiled, "\n\nflaot x;\n")[0].id == "misspelt-type"


def test_a_member_never_reads_the_pragma_that_we_add(lasting_compiler: Compiler) -> None:
    """It asks for the names of the kernels that the launches speak of; the finding says what it means."""
    log = lasting_compiler.compile("__global__ void add(float* x) { x[0] = y; }\n", "sm_90a", ["ad"]).log
    assert "__nv_name_map" in log
    assert 'identifier "y" is undefined' in readable_log(log)
    assert not re.search(r"nv_name_map|nv_mangled_name|errors? detected", readable_log(log))


def test_a_log_without_it_is_left_as_it_is(lasting_compiler: Compiler) -> None:
    log = lasting_compiler.compile("__global__ void add(float* x) { x[0] = y; }\n", "sm_90a", ["add"]).log
    assert readable_log(log) == log
