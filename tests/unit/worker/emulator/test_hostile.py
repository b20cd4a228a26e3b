"""Hostile PTX and sources: a clear verdict within the limits, and nothing of theirs is ever executed."""

from __future__ import annotations

import builtins
import time

import numpy as np
import pytest

from tests.kernels.emulated import CompileError, to_ptx
from tests.unit.worker.emulator.oracles import Empty, request, run
from worker.emulator.parse.module import parse
from worker.emulator.refusal import Refusal
from worker.emulator.request import Launch, Limits, Request
from worker.emulator.run import emulate
from worker.emulator.translate.kernel import translate
from worker.messages import message, worker_catalogue
from worker.protocol import Kind

HEADER = ".version 9.0\n.target sm_80\n.address_size 64\n"
INJECTIONS = [
    "add.u32 %0, %1, __import__('os').system('true');",
    "add.u32 %0, %1, 1);import os;(1;",
    "__import__('os').u32 %0, %1;",
    "add.__class__.u32 %0, %1, 1;",
    "mov.u32 %0, S.memory;",
    "mov.u32 %0, K0;",
    "ld.global.u32 %0, [g.batch];",
    "mov.u32 %0, %%tid.__class__;",
    "{ .reg .u32 S; mov.u32 S, 1; mov.u32 %0, S; }",
    "{ .reg .u32 np<4>; mov.u32 np1, 1; mov.u32 %0, np1; }",
    "{ x1: mov.u32 %0, 1; }",
    "lambda.u32 %0, %1;",
    "bra.uni __builtins__;",
    "{ .shared .b32 exec[4]; mov.u32 %0, exec; }",
    'mov.u32 %0, 0x1; // "\\n import os',
    "shf.l.wrap.b32 %0, %1, %1, 0x7fffffffffffffffffffffffff;",
    "lop3.b32 %0, %1, %1, %1, -99999;",
    "bfe.u32 %0, %1, 4000000000, 4000000000;",
    "prmt.b32 %0, %1, %1, 0xffffffff",
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_inline_assembly_runs_nothing_of_its_own(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(builtins, "__import__", _watching(called, builtins.__import__))
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    source = (
        'extern "C" __global__ void k(unsigned* o) { unsigned r, x = threadIdx.x; '
        f'asm volatile("{escaped}" : "=r"(r) : "r"(x)); '
        "o[threadIdx.x] = r; }"
    )
    try:
        ptx = to_ptx(source)
    except CompileError:
        return
    emulation = emulate(request(ptx, [Empty(32, "uint32")], block=32))

    assert emulation.ending in (Kind.RAN, Kind.UNSUPPORTED, Kind.RUNTIME_ERROR)
    assert "os" not in called


def _watching(called: list[str], real):  # type: ignore[no-untyped-def]
    def watch(name, *rest, **options):  # type: ignore[no-untyped-def]
        called.append(name)
        return real(name, *rest, **options)

    return watch


def test_generated_code_holds_no_text_of_the_submission() -> None:
    source = (
        'extern "C" __global__ void k(const float* secret_name, float* other_name) { __shared__ float tile_name[32]; '
        "tile_name[threadIdx.x] = secret_name[threadIdx.x]; other_name[threadIdx.x] = tile_name[threadIdx.x]; }"
    )
    module = parse(to_ptx(source), "submission.cu")
    program = translate(module, module.entry("k") or 0)

    assert "name" not in program.source


@pytest.mark.parametrize(
    "ptx",
    [
        "",
        "\0" * 100,
        "{" * 5000,
        "(" * 100_000,
        HEADER + ".visible .entry k() { ret; ",
        HEADER + ".visible .entry k() { ret; } }",
        HEADER + ".visible .entry k() { bra nowhere; }",
        HEADER + ".visible .entry k() { add.u32 %r1, %r2, %r3; ret; }",
        HEADER + ".visible .entry k() { .reg .b32 %r<3>; add.u32 ; ret; }",
        HEADER + ".visible .entry k() { .reg .b32 %r<3>; add.u32 %r1; ret; }",
        HEADER + ".visible .entry k() { .reg .b32 %r<3>; mov.u32 [%r1], 4; ret; }",
        HEADER + ".visible .entry k() { .reg .pred %p<2>; @%p1 ret; }",
        HEADER + ".visible .entry k() { .reg .b999 %r<3>; ret; }",
        HEADER + ".visible .entry k() { x: ret; x: ret; }",
        HEADER + ".visible .entry k() { " + "{" * 100 + "}" * 100 + " ret; }",
        HEADER + ".global .align 3 .b8 x[4];",
        HEADER + ".global .b8 x[99999999999999];",
        HEADER + ".global .b32 x[2] = {1, 2, 3, 4, 5};",
        HEADER + '.file 1 "' + "a" * 100_000 + '"\n.visible .entry k() { ret; }',
        HEADER + ".visible .entry k() { .reg .b32 %r<3>; brx.idx %r1, table; ret; }",
        HEADER + ".visible .entry k() { call nowhere; ret; }",
        HEADER + ".visible .entry k() { add.u32 \u0661, 1, 2; ret; }",
    ],
)
def test_malformed_ptx_ends_in_a_verdict(ptx: str) -> None:
    emulation = emulate(Request(ptx, (Launch("k", (1, 1, 1), (32, 1, 1), 0, ()),), ()))

    assert emulation.ending in (Kind.UNSUPPORTED, Kind.RAN)
    said = worker_catalogue().texts(emulation.reason) if emulation.reason else {}
    assert all(len(text) < 300 and "\n" not in text for text in said.values())


def test_every_broken_prefix_of_a_real_module_is_refused_politely() -> None:
    ptx = to_ptx('extern "C" __global__ void k(int* o) { for (int i = 0; i < 4; i++) o[threadIdx.x] = i; }')
    start, end = ptx.index(".visible") + 20, ptx.rindex("ret;")
    for cut in range(start, end, 37):
        with pytest.raises(Refusal):
            parse(ptx[:cut], "submission.cu")


EMPTY = 'extern "C" __global__ void k() {}'


@pytest.mark.parametrize(
    ("grid", "block", "shared", "ending"),
    [
        ((1 << 31, 1, 1), (1, 1, 1), 0, Kind.RUNTIME_ERROR),
        ((1, 1 << 16, 1), (1, 1, 1), 0, Kind.RUNTIME_ERROR),
        ((1 << 30, 1, 1), (1024, 1, 1), 0, Kind.UNSUPPORTED),
        ((1, 1, 1), (2048, 1, 1), 0, Kind.RUNTIME_ERROR),
        ((1, 1, 1), (1, 1, 128), 0, Kind.RUNTIME_ERROR),
        ((0, 1, 1), (32, 1, 1), 0, Kind.RUNTIME_ERROR),
        ((1, 1, 1), (32, 1, 1), 1 << 20, Kind.RUNTIME_ERROR),
        ((1, 1, 1), (32, 1, 1), -4, Kind.RUNTIME_ERROR),
    ],
)
def test_an_impossible_launch_is_refused(
    grid: tuple[int, int, int], block: tuple[int, int, int], shared: int, ending: Kind
) -> None:
    emulation = emulate(Request(to_ptx(EMPTY), (Launch("k", grid, block, shared, ()),), ()))

    assert emulation.ending == ending


def test_too_many_or_too_few_arguments_are_refused() -> None:
    emulation = emulate(Request(to_ptx(EMPTY), (Launch("k", (1, 1, 1), (32, 1, 1), 0, (1, 2)),), ()))

    assert emulation.ending is Kind.UNSUPPORTED


def test_a_kernel_that_is_not_there_is_named() -> None:
    emulation = emulate(Request(to_ptx(EMPTY), (Launch("other", (1, 1, 1), (32, 1, 1), 0, ()),), ()))

    assert emulation.reason == message("emulator.unreadable", detail="there is no kernel called other")


def test_a_buffer_beyond_the_memory_limit_is_refused() -> None:
    limits = Limits(memory_bytes=1 << 20)
    emulation = run('extern "C" __global__ void k(float* o) {}', [Empty(1 << 22)], limits=limits)

    assert emulation.ending is Kind.OUT_OF_MEMORY


def test_a_huge_grid_stops_at_its_budget() -> None:
    source = 'extern "C" __global__ void k(float* o) { for (int i = 0; i < 1000; i++) if (o) o[0] = 0; }'
    limits = Limits(seconds=1.0, thread_instructions=20_000_000)
    started = time.monotonic()
    emulation = run(source, [Empty(1)], grid=100_000, block=1024, limits=limits)

    assert emulation.ending is Kind.TIMEOUT
    assert time.monotonic() - started < 15


def test_printing_for_ever_is_cut_off() -> None:
    source = 'extern "C" __global__ void k() { for (;;) printf("%s%d\\n", "spam", threadIdx.x); }'
    limits = Limits(seconds=1.0, printed_bytes=2000)
    emulation = run(source, [], block=64, limits=limits)

    assert emulation.ending is Kind.TIMEOUT
    assert len(emulation.printed) <= 2000


def test_printf_with_hostile_formats_prints_something_harmless() -> None:
    source = (
        'extern "C" __global__ void k() { printf("%n%9999999d%*.*f%", 5, 999999999, 999999999, 2.0); '
        'printf((const char*)0x123456789abcULL); printf("{0.__class__} %(x)s\\n"); }'
    )
    emulation = run(source, [], block=1)

    assert emulation.ending in (Kind.RAN, Kind.RUNTIME_ERROR)
    assert len(emulation.printed) < 30_000


def test_recursion_without_end_is_a_finding() -> None:
    source = (
        "__device__ __noinline__ int down(int n) { return n == -1 ? 0 : 1 + down(n + 1); }\n"
        'extern "C" __global__ void k(int* o) { o[threadIdx.x] = down(threadIdx.x); }'
    )
    emulation = run(source, [Empty(32, "int32")], block=32)

    assert [item.id for item in emulation.observations] == ["endless-recursion"]


@pytest.mark.slow
def test_a_giant_switch_runs() -> None:
    cases = " ".join(f"case {n}: r = {n * 7 + 1}; break;" for n in range(1500))
    body = f"int r = 0; switch (x[threadIdx.x]) {{ {cases} }} o[threadIdx.x] = r;"
    source = f'extern "C" __global__ void k(const int* x, int* o) {{ {body} }}'
    x = np.arange(0, 1600, 25, dtype=np.int32)
    emulation = run(source, [x, Empty(64, "int32")], block=64)

    np.testing.assert_array_equal(emulation.outputs["p1"].array, np.where(x < 1500, x * 7 + 1, 0))


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('asm volatile("wgmma.fence.sync.aligned;");', "wgmma"),
        ('asm volatile("cp.async.bulk.commit_group;");', "cp.async.bulk"),
        ('asm volatile("setmaxnreg.inc.sync.aligned.u32 40;");', "setmaxnreg"),
        ("free(malloc(4));", "malloc"),
    ],
)
def test_what_needs_a_gpu_is_refused_by_name(body: str, named: str) -> None:
    ptx = to_ptx(f'extern "C" __global__ void k() {{ {body} }}', "compute_90a")
    emulation = emulate(Request(ptx, (Launch("k", (1, 1, 1), (32, 1, 1), 0, ()),), ()))

    assert emulation.ending is Kind.UNSUPPORTED
    assert emulation.reason is not None
    assert named in worker_catalogue().text(emulation.reason, "zh")
