"""What is made of a paste, whatever it holds: text of a member's never ends the judge."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from tests.pastes import ALL
from worker.pastes import Adapted, Told, look_at
from worker.problem import Problem, load

PROBLEMS = Path(__file__).parents[4] / "content" / "problems"
PIECES = (
    "(", ")", "{", "}", "[", "]", ";", "<<<", ">>>", '"', "'", "/*", "#define N N\n", "1e999", "08", "n / 0", "%",
    "cudaMalloc()", "cudaMemset()", "dim3 g(,);", "min()", "sizeof()", "template <", "return;", "a[", 'R"(',
)  # fmt: skip
WRAPPER = """__global__ void k(const float* a, const float* b, float* c, int n) {}
void solve(const float* a, const float* b, float* c, int n) { %s }
"""
BOMBS = {
    "macros of macros": "".join(f"#define A{n} A{n + 1} + A{n + 1}\n" for n in range(60))
    + WRAPPER % "k<<<A0, 1>>>(a, b, c, n);",
    "a number doubled often": WRAPPER % ("int x = n; " + "x = x + x; " * 99 + "k<<<x, 1>>>(a, b, c, n);"),
    "brackets": "void solve() {" + "(" * 60_000,
    "quotes": '"' * 60_000,
    "functions": "void f() {}" * 6_000,
    "a long sum": WRAPPER % ("int x = " + "n + " * 15_000 + "1; k<<<x, 1>>>(a, b, c, n);"),
    "strings of Python": "import torch\n" + '"""' * 20_001,
}


@cache
def problem(slug: str) -> Problem:
    return load(PROBLEMS / slug)


@pytest.mark.parametrize("seed", range(120))
def test_a_paste_that_something_was_changed_in_at_random_is_adapted_told_or_left_alone(seed: int) -> None:
    rng = random.Random(seed)
    path = rng.choice(ALL)
    text = path.read_text("utf-8")
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        text = text[:at] + (rng.choice(PIECES) + text[at:] if rng.random() < 0.5 else text[at + rng.randint(1, 20) :])
    made = look_at(text, problem(path.parent.name))
    assert made is None or isinstance(made, Adapted | Told)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_not_followed_to_its_end(name: str) -> None:
    assert not isinstance(look_at(BOMBS[name], problem("vector_add")), Adapted)


@pytest.mark.parametrize(
    ("host", "launch"),
    [
        ("k<<<(n + 255) / 256, 256>>>(a, b, c, n);", "k<<<ceil_div(n, 256), 256>>>(a, b, c, n)"),
        ("k<<<n / 256 + 1, 256>>>(a, b, c, n);", "k<<<(n / 256) + 1, 256>>>(a, b, c, n)"),
        ("k<<<ceil(n / 256), 256>>>(a, b, c, n);", "k<<<n / 256, 256>>>(a, b, c, n)"),
        ("k<<<ceil(1.0 * n / 256), 256>>>(a, b, c, n);", "k<<<ceil_div(n, 256), 256>>>(a, b, c, n)"),
        (
            "int t = 1 << 8; k<<<(n - 1) / t + 1, t>>>(a, b, c, n - 1);",
            "k<<<((n - 1) / 256) + 1, 256>>>(a, b, c, n - 1)",
        ),
        ("dim3 t(32, 8), g; g = dim3(n >> 3); k<<<g, t>>>(a, a, c, n);", "k<<<n / 8, dim3(32, 8)>>>(a, a, c, n)"),
        ("const auto t = std::min(n, 64); k<<<n, t>>>(a, b, c, n);", "k<<<n, min(n, 64)>>>(a, b, c, n)"),
    ],
)
def test_host_arithmetic_becomes_the_same_arithmetic_of_a_launch_line(host: str, launch: str) -> None:
    made = look_at(WRAPPER % host, problem("vector_add"))
    assert isinstance(made, Adapted), made
    assert made.launches == (f"//! launch {launch}",)


@pytest.mark.parametrize(
    "host",
    [
        "if (n > 100) k<<<1, 256>>>(a, b, c, n);",
        "if (n > 100) return; k<<<1, 256>>>(a, b, c, n);",
        "k<<<n ? 1 : 2, 256>>>(a, b, c, n);",
        "k<<<(unsigned)(n - 2000000000), 256>>>(a, b, c, n);",
        "n = 5; k<<<n, 256>>>(a + 1, b, c, n);",
        "k<<<n / 256.0, 256>>>(a, b, c, n);",
        "k<<<1, 256>>>(a, b, n);",
        "prepare(a); k<<<1, 256>>>(a, b, c, n);",
        "cudaStream_t s; cudaStreamCreate(&s); k<<<1, 256, 0, s>>>(a, b, c, n);",
        "float* t; cudaMalloc(&t, n); k<<<1, 256>>>(a, t, c, n);",
    ],
)
def test_what_a_launch_line_cannot_say_exactly_is_only_told(host: str) -> None:
    assert isinstance(look_at(WRAPPER % host, problem("vector_add")), Told)
