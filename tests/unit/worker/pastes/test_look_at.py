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
        "int x = 1; x = n / 256.0; k<<<x, 256>>>(a, b, c, n);",
        "dim3 t = (16, 16); k<<<1, t>>>(a, b, c, n);",
        "k<<<1, 256>>>(a, b, c, n); return cudaMemcpy(c, a, n, cudaMemcpyDeviceToDevice);",
        "cudaDeviceSynchronize(), prepare(a); k<<<1, 256>>>(a, b, c, n);",
    ],
)
def test_what_a_launch_line_cannot_say_exactly_is_only_told(host: str) -> None:
    assert isinstance(look_at(WRAPPER % host, problem("vector_add")), Told)


HELPED = """__global__ void k(const float* a, const float* b, float* c, int n) {}
const int BLOCK = 512;
%s
void solve(const float* a, const float* b, float* c, int n) { int BLOCK = 256; k<<<g(n), BLOCK>>>(a, b, c, n); }
"""


@pytest.mark.parametrize(
    "helper",
    [
        "int g(int n) { return (n + BLOCK - 1) / BLOCK; }",
        "int g(int n) { return n / 256; } long long g(long long n) { return (n + 255) / 256; }",
        "short g(int n) { return n; }",
    ],
)
def test_what_a_helper_means_elsewhere_is_not_guessed(helper: str) -> None:
    """A name that is another one where the helper stands, overloads, a type that cuts."""
    assert isinstance(look_at(HELPED % helper, problem("vector_add")), Told)


@pytest.mark.parametrize(
    "main",
    [
        "int t = 1; while (t < 200) t <<= 1; k<<<(n + t - 1) / t, t>>>(a, b, c, n);",
        "int t = 256; if (n > 5) t = 64; else t = 128; k<<<(n + t - 1) / t, t>>>(a, b, c, n);",
        "int t = 256, u = 1; std::swap(t, u); k<<<(n + t - 1) / t, t>>>(a, b, c, n);",
        "ZERO(c); k<<<(n + 255) / 256, 256>>>(a, b, c, n);",
        "begin(); k<<<(n + 255) / 256, 256>>>(a, b, c, n);",
    ],
)
def test_of_a_program_that_changes_things_unseen_nothing_is_made(main: str) -> None:
    source = f"""#define ZERO(p) zero<<<1, 1>>>(p)
__global__ void zero(float* c) {{}}
__global__ void k(const float* a, const float* b, float* c, int n) {{}}
void begin() {{ }}
int main() {{
    int n = 1000; float *a, *b, *c;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4);
    {main}
}}
"""
    assert not isinstance(look_at(source, problem("vector_add")), Adapted)


@pytest.mark.parametrize(
    "source",
    [
        (
            "__global__ void vector_add(const float* a, const float* b, float* c, int n) {}\n#ifdef HERE\n"
            "int main() { vector_add<<<1, 1>>>(0, 0, 0, 1); }\n#endif"
        ),
        "__global__ void vector_add(const float* a, const float* b, float* c, int n) {}\nint main() { return 0; }",
    ],
)
def test_what_may_be_a_submission_as_it_stands_is_left_to_the_compiler(source: str) -> None:
    assert look_at(source, problem("vector_add")) is None


def test_launches_stay_in_their_order_where_lines_hold_several() -> None:
    made = look_at(
        """__global__ void k1(float* c, int n) {}
__global__ void k2(float* c, int n) {}
__global__ void k3(float* c, int n) {}
void solve(const float* a, const float* b, float* c, int n) {
    k1<<<1, 1>>>(c, n); k2<<<1, 1>>>(c, n);
    k3<<<1, 1>>>(c, n);
}
""",
        problem("vector_add"),
    )
    assert isinstance(made, Adapted)
    assert [line for line in made.source.splitlines() if line.startswith("//! launch")] == list(made.launches)
    assert [line.split()[2][:2] for line in made.launches] == ["k1", "k2", "k3"]


def test_host_functions_that_macros_or_constants_name_stay() -> None:
    made = look_at(
        """#define T cd(100, 32)
__host__ __device__ constexpr int cd(int a, int b) { return (a + b - 1) / b; }
constexpr int rounds(int a) { return a; }
constexpr int R = rounds(3);
__global__ void k(const float* a, const float* b, float* c, int n) { c[0] = T + R; }
void solve(const float* a, const float* b, float* c, int n) { k<<<1, 1>>>(a, b, c, n); }
""",
        problem("vector_add"),
    )
    assert isinstance(made, Adapted)
    assert "constexpr int cd(" in made.source
    assert "constexpr int rounds(" in made.source
    assert "constexpr int R = rounds(3);" in made.source
