"""Sources that attack the compiler: each ends quickly in a clear error with nothing of the host in it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from worker.compile import Compiler
from worker.compile.compiler import MAX_LOG_BYTES, MAX_SOURCE_BYTES
from worker.messages import worker_catalogue

KERNEL = "__global__ void k(float* x) { x[0] = 1; }\n"


def log_of(compiler: Compiler, source: str) -> str:
    """What the compiler says, or in its place why it was not asked or had to be stopped."""
    compiled = compiler.compile(source, "sm_90a", ["k"])
    assert not compiled.ok
    if compiled.remark is not None:
        (reason,) = compiled.remark[1].values()
        return worker_catalogue().text(reason, "en")
    assert compiled.log
    assert len(compiled.log) <= MAX_LOG_BYTES
    return compiled.log


@pytest.mark.parametrize("form", ['"{}"', "<{}>"])
@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/hostname", "/proc/self/environ", "/dev/zero", "/dev/stdin"])
def test_no_file_of_the_host_can_be_included(lasting_compiler_in_each: Compiler, path: str, form: str) -> None:
    """Secrets by #include, kjudge#82; a device file that stalls the build, judge0#64."""
    log = log_of(lasting_compiler_in_each, f"#include {form.format(path)}\n{KERNEL}")
    assert "cannot open source file" in log
    assert "root:" not in log
    assert socket.gethostname() not in log


def test_a_way_around_by_dots_leads_nowhere(lasting_compiler_in_each: Compiler) -> None:
    for depth in (1, 5, 12):
        assert "cannot open source file" in log_of(
            lasting_compiler_in_each, f'#include "{"../" * depth}etc/passwd"\n{KERNEL}'
        )


def test_has_include_tells_nothing_of_the_host(lasting_compiler_in_each: Compiler) -> None:
    probes = ["/etc/passwd", "/etc/shadow", "/usr/bin/python3", str(Path(__file__))]
    source = "".join(f'#if __has_include("{path}")\n#error found\n#endif\n' for path in probes) + KERNEL
    assert lasting_compiler_in_each.compile(source, "sm_90a", ["k"]).ok


def test_embed_brings_no_file(lasting_compiler_in_each: Compiler) -> None:
    log = log_of(lasting_compiler_in_each, f'const unsigned char bytes[] = {{\n#embed "/etc/passwd"\n}};\n{KERNEL}')
    assert "root:" not in log


@pytest.mark.parametrize(
    "line", ['.incbin \\"/etc/passwd\\"', '.file 1 \\"/etc/passwd\\"; .include \\"/etc/passwd\\"']
)
def test_inline_assembly_includes_nothing(lasting_compiler_in_each: Compiler, line: str) -> None:
    log = log_of(lasting_compiler_in_each, f'__global__ void k(float* x) {{ asm volatile("{line};"); }}')
    assert "root:" not in log


BOMBS = {
    "recursion": """
        template<int N> struct B { static constexpr int v = B<N - 1>::v + B<N + 1>::v; };
        __device__ int q = B<5>::v;
    """,
    "types": """
        template<class A, class B> struct P {};
        template<int N, class T> struct X { using t = typename X<N - 1, P<T, T>>::t; t a; };
        template<class T> struct X<0, T> { using t = T; };
        __device__ X<40, int>::t q;
    """,
    "constexpr": """
        constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
        __device__ long q[f(60)];
    """,
    "macros": """
        #define A(x) x x x x x x x x x x
        #define B(x) A(A(A(A(x))))
        #define C(x) B(B(x))
        __device__ int q = 0 C(+ 1);
    """,
    "unroll": """
        __global__ void u(float* x) {
        #pragma unroll
        for (int i = 0; i < 1000000; ++i) x[i] += x[i + 1] * x[i + 2];
        }
    """,
    "itself": "#include __FILE__\n",
    "itself by macro": '#define S "kernel.cu"\n#include S\n',
    "initialiser": "__device__ int q[1000000000] = {1};\n",
    "parentheses": f"__device__ int q = {'(' * 100000}1{')' * 100000};\n",
    "signs": f"__device__ int q = {'-' * 200000}1;\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_ends_in_time(impatient_compiler: Compiler, bomb: str) -> None:
    """Commands and loads at compile time, DMOJ#318. Where the compiler copes, the result is an ordinary one."""
    compiled = impatient_compiler.compile(bomb + KERNEL, "sm_90a", ["k"])
    assert compiled.ms <= 12_000
    assert compiled.ok or compiled.log or compiled.remark
    assert impatient_compiler.compile(KERNEL, "sm_90a", ["k"]).ok


def test_a_million_error_lines_become_a_short_log(lasting_compiler: Compiler) -> None:
    source = "#define E a; b; c; d; e; f; g; h;\n" + "E\n" * 40_000
    assert len(log_of(lasting_compiler, source).splitlines()) < 2000


def test_warnings_by_the_thousand_become_a_short_log(lasting_compiler: Compiler) -> None:
    lines = "".join(f"__device__ int f{i}() {{ int unused; return 1; }}\n" for i in range(4000))
    assert len(lasting_compiler.compile(lines + KERNEL, "sm_90a", ["k"]).log) <= MAX_LOG_BYTES


def test_ten_megabytes_are_refused_before_the_compiler_sees_them(lasting_compiler: Compiler) -> None:
    log = log_of(lasting_compiler, KERNEL + "// filler\n" * 1_000_000)
    assert log == f"it has 10000042 bytes, and at most {MAX_SOURCE_BYTES} are compiled"


@pytest.mark.parametrize(
    ("source", "says"),
    [("", "empty"), (" \n\t\n", "empty"), (f"{KERNEL}\0", "zero byte"), (f"// \ud800\n{KERNEL}", "Unicode")],
    ids=["nothing", "blank", "zero byte", "half a surrogate"],
)
def test_what_is_no_source_is_refused_in_one_line(lasting_compiler: Compiler, source: str, says: str) -> None:
    log = log_of(lasting_compiler, source)
    assert says in log
    assert "\n" not in log


@pytest.mark.parametrize(
    "trick",
    [
        '#pragma GCC poison float\n', "#pragma nv_mangled_name k\n", '#line 1 "/etc/passwd"\n#error here\n',
        "#pragma nv_diag_suppress 20\n#pragma push_macro(\"__global__\")\n#undef __global__\n#define __global__\n",
        "#define __global__ static\n", "#define void int\n",
    ],
)  # fmt: skip
def test_pragmas_and_macros_confuse_nobody_but_their_author(lasting_compiler: Compiler, trick: str) -> None:
    """Nor whoever is given the same child afterwards."""
    compiled = lasting_compiler.compile(trick + KERNEL, "sm_90a", ["k"])
    assert "root:" not in compiled.log
    assert lasting_compiler.compile(KERNEL, "sm_90a", ["k"]).ok


def test_a_launch_name_cannot_smuggle_code(compiler: Compiler) -> None:
    for name in ("k); __global__ void l(", "k<[]{ return 1; }()", "k\n#include </etc/passwd>"):
        compiled = compiler.compile(KERNEL, "sm_90a", [name])
        assert not compiled.ok
        assert "root:" not in compiled.log
