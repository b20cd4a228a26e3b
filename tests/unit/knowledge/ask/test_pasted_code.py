"""Mistakes in pasted code: each is found at its line, and no right kernel of ours is accused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knowledge.ask.intents import Intents
from knowledge.ask.pasted_code import mistakes_in, said_of
from knowledge.ask.pasted_code.mistakes import PERHAPS, SLOW, WRONG
from knowledge.words import core_languages
from tests.shipped_content import shipped_content

ROOT = Path(__file__).parents[4]
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
PASTED = {
    "kernel_returns": [
        "__global__ int add(int a, int b) { return a + b; }",
        "为什么不行\n__global__ float* get(float* x) { return x; }",
    ],
    "shared_size": [
        "__shared__ float s[blockDim.x];",
        "__global__ void f(float* x, int n) { __shared__ float s[n]; s[0] = x[0]; }",
    ],
    "block_too_large": ["dim3 block(32, 32, 2); k<<<1, block>>>(p);", "k<<<10, 2048>>>(d_x); nothing happens"],
    "range_power_of_two": ["why does tl.arange(0, 100) fail", "offs = tl.arange(0, 48)"],
    "bytes": [
        "cudaMemcpy(d_a, h_a, N, cudaMemcpyHostToDevice);",
        "float *d;\ncudaMalloc(&d, n);",
        "cudaMemset(d_a, 0, count);",
    ],
    "malloc_address": ["float* d_x;\ncudaMalloc(d_x, n * sizeof(float));"],
    "address_of_pointer": ["float *d_x;\ncudaMemcpy(&d_x, x, 4 * n, cudaMemcpyHostToDevice);"],
    "direction": ["cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyHostToDevice);"],
    "device_pointer": [
        "float *d; cudaMalloc(&d, 1024);\n*d = 1.0f;",
        'int *d_n;\ncudaMalloc((void**)&d_n, 4);\nk<<<1, 1>>>(d_n);\nprintf("%d", d_n[0]);',
    ],
    "copy_thrown_away": ["for x, y in loader:\n    x.cuda(); y.cuda()\n    out = model(x)", "batch.to(device)"],
    "view_pointer": ["my_op(x.t())", "out = my_ext.forward(w.transpose(0, 1))"],
    "barrier_in_condition": [
        "if (threadIdx.x < 64) { s[threadIdx.x] = x; __syncthreads(); }",
        "if (i < n) {\n  s[tid] = a[i];\n  __syncthreads();\n  b[i] = s[blockDim.x - 1 - tid];\n}",
    ],
    "mask_in_condition": ["if ((threadIdx.x & 31) < 16)\n    v += __shfl_xor_sync(0xffffffff, v, 8);"],
    "no_barrier": [
        "for (int s = blockDim.x / 2; s > 0; s >>= 1) {\n  if (tid < s) sd[tid] += sd[tid + s];\n}",
        "for(int st=128; st>0; st>>=1) if(t<st) s[t]+=s[t+st];",
    ],
    "unrolled": ["if (tid < 32) {\n  s[tid] += s[tid + 32];\n  s[tid] += s[tid + 16];\n  s[tid] += s[tid + 8];\n}"],
    "update": [
        "__global__ void k(float* s) { *s += 1.0f; }",
        "__global__ void h(const int* x, int* bins, int n) {\n  int i = threadIdx.x;\n  if (i < n) bins[x[i]]++;\n}",
    ],
    "block_stride": [
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * x[i];",
    ],
    "shuffle_without_mask": ["v += __shfl_down(v, 16);"],
    "dynamic_size": ["extern __shared__ float s[];\nk<<<grid, 256>>>(x);"],
    "rounded_down": [
        "n is 1000\nadd<<<n / 256, 256>>>(a, b, c, n);",
        "dim3 block(16, 16); dim3 grid(W / 16, H / 16);",
    ],
    "no_mask": ["offs = pid * BLOCK + tl.arange(0, BLOCK)\nx = tl.load(x_ptr + offs)"],
    "no_guard": [
        f"__global__ void k(float* x, int n) {{ {INDEX} x[i] = 2 * x[i]; }}",
        f"{INDEX}\nout[i] = a[i] + b[i];",
    ],
    "printf": ["int main() { hello<<<1, 32>>>(); return 0; }"],
    "rows_along_warp": [
        "int row = blockIdx.x * blockDim.x + threadIdx.x;\nif (row < H && c < W) out[row * W + c] = in[row * W + c];",
    ],
    "column_of_tile": ["__shared__ float t[32][32];\nx = t[threadIdx.x][threadIdx.y];"],
    "scattered_threads": [
        "for (int s = 1; s < n; s *= 2) {\n  if (tid % (2 * s) == 0) d[tid] += d[tid + s];\n  __syncthreads();\n}",
    ],
    "one_thread_blocks": ["k<<<n, 1>>>(x, n);"],
}
RIGHT = [
    "cudaMemcpy(d_a, h_a, n * sizeof(float), cudaMemcpyHostToDevice);",
    "size_t bytes = n * sizeof(float);\ncudaMalloc(&d_a, bytes);",
    "char *d; cudaMalloc(&d, n);",
    "add<<<(n + 255) / 256, 256>>>(a, b, c, n);",
    "const int n = 1024;\nadd<<<n / 256, 256>>>(a, b, c);",
    "extern __shared__ float s[];\nk<<<grid, 256, 256 * sizeof(float)>>>(x);",
    f"__global__ void k(float* x, int n) {{ {INDEX} if (i < n) x[i] *= 2; }}",
    "float *m; cudaMallocManaged(&m, 4);\n*m = 1.0f;",
    "x = x.cuda()\nmodel.cuda()",
    "if (blockIdx.x == 0) { __syncthreads(); }",
    "my_op(x.t().contiguous())",
    "int main() { hello<<<1, 32>>>(); cudaDeviceSynchronize(); return 0; }",
    "What is the difference between __syncthreads() and __syncwarp()?",
    "how do I choose the block size; is 128 fine?",
]


@pytest.mark.parametrize(("mistake", "message"), [(name, one) for name, all_ in PASTED.items() for one in all_])
def test_a_mistake_is_found_in_what_was_pasted(mistake: str, message: str) -> None:
    assert mistake in [found.id for found in mistakes_in(message)]


@pytest.mark.parametrize("message", RIGHT)
def test_right_code_and_plain_questions_have_no_mistake(message: str) -> None:
    assert mistakes_in(message) == ()


def test_every_mistake_has_an_example_here() -> None:
    assert PASTED.keys() == {*WRONG, *SLOW, *PERHAPS}


def _right_kernels() -> list[Path]:
    problems = (ROOT / "content/problems").glob("*/solutions/right/*")
    return sorted([*problems, *(ROOT / "tests/styles").rglob("*.cu"), *(ROOT / "tests/triton_styles").rglob("*.py")])


def test_no_right_kernel_of_ours_is_called_wrong() -> None:
    kernels = _right_kernels()
    assert len(kernels) > 350
    accused = {
        f"{file.parent.parent.name}/{file.name}: {found.id}"
        for file in kernels
        for found in mistakes_in(file.read_text(encoding="utf-8"))
        if found.id in WRONG
    }
    assert accused == set()


def test_no_code_of_our_notes_is_called_wrong() -> None:
    blocks = [
        block
        for file in sorted((ROOT / "content/notes").glob("*/*.md"))
        for block in re.findall(r"```\w*\n(.*?)```", file.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(blocks) > 200
    assert [found for block in blocks for found in mistakes_in(block) if found.id in WRONG] == []


def test_what_is_said_names_the_line_in_both_languages() -> None:
    (found,) = mistakes_in("看不懂为什么\ncudaMemcpy(d_a, h_a, N, cudaMemcpyHostToDevice);   结果只有四分之一")
    assert found.line == "cudaMemcpy(d_a, h_a, N, cudaMemcpyHostToDevice);"
    for code, word in (("en", "bytes"), ("zh", "字节")):
        said = core_languages()[code].say(said_of([found]))
        assert found.line in said
        assert word in said


def test_two_mistakes_are_told_one_after_the_other() -> None:
    found = mistakes_in("k<<<10, 2048>>>(d_x);\ncudaMemcpy(d_a, h_a, N, cudaMemcpyHostToDevice);")
    assert [one.id for one in found] == ["block_too_large", "bytes"]
    said = core_languages()["en"].say(said_of(found))
    assert said.index("2048") < said.index("bytes")


def test_pasted_code_is_told_apart_from_an_error_and_from_a_question() -> None:
    intents = Intents(shipped_content())
    assert (
        intents.of("__shared__ float s[blockDim.x];\nerror: expression must have a constant value").intent == "code"
    )
    assert intents.of("RuntimeError: CUDA error: an illegal memory access was encountered").intent == "error"
    assert intents.of("v += __shfl_down_sync(0xffffffff, v, 16);\ndo all lanes hold the sum?").intent == "question"
