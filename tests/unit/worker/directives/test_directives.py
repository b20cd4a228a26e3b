"""Launches as data: what is read, and how every mistake is placed."""

from __future__ import annotations

import pytest

from tests.unit.worker.problem.folder import write
from worker.directives import Buffer, Plan, Scalar, parse, parse_judge
from worker.errors import DirectiveError
from worker.problem import Problem, load

SIZES = {"n": 1000}


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    return load(write(tmp_path_factory.mktemp("problems")))


def test_two_passes_with_scratch_become_numbers(problem: Problem) -> None:
    plan = parse(
        "//! scratch partial float ceil_div(n, 512)\n"
        "//! launch pass<512><<<ceil_div(n, 512), dim3(16, 16), 4*256>>>(x, partial, n, alpha)\n"
        "//! launch pass<1><<<1, 256>>>(partial, out, ceil_div(n, 512), alpha);\n",
        problem,
    )
    resolved = plan.resolve(SIZES)
    first, second = resolved.launches
    assert plan.kernels == ("pass<512>", "pass<1>")
    assert (first.grid, first.block, first.shared_bytes) == ((2, 1, 1), (16, 16, 1), 1024)
    assert first.args == (Buffer("x"), Buffer("partial"), 1000, Scalar("alpha"))
    assert second.args == (Buffer("partial"), Buffer("out"), 2, Scalar("alpha"))
    assert [(one.name, one.ctype, one.elements, one.zero) for one in resolved.scratch] == [
        ("partial", "f32", 2, False)
    ]


def test_without_a_launch_the_problems_own_is_used(problem: Problem) -> None:
    (launch,) = parse("__global__ void total() {}", problem).resolve(SIZES).launches
    assert (launch.kernel, launch.grid, launch.block) == ("total", (4, 1, 1), (256, 1, 1))
    assert launch.args == (Buffer("x"), Buffer("out"), 1000, Scalar("alpha"))


@pytest.mark.parametrize(
    ("text", "ctype", "zero"),
    [
        ("a int n", "i32", False),
        ("a unsigned int n zero", "u32", True),
        ("a unsigned long long n", "u64", False),
        ("a half (n) zero", "f16", True),
        ("a uint8_t max(n,1)zero", "u8", True),
        ("a unsigned n", "u32", False),
    ],
)
def test_scratch_has_an_element_type_and_may_be_zeroed(problem: Problem, text: str, ctype: str, zero: bool) -> None:
    plan = parse(f"//! scratch {text}\n//! launch k<<<1, 1>>>(a)", problem)
    assert (plan.scratch[0].ctype, plan.scratch[0].zero) == (ctype, zero)
    assert plan.resolve(SIZES).scratch[0].elements == 1000


def test_a_grid_without_blocks_launches_nothing(problem: Problem) -> None:
    assert parse("//! launch k<<<n, 1>>>(x)", problem).resolve({"n": 0}).launches[0].empty


@pytest.mark.parametrize(
    "line",
    [
        "//! Sums up an array.",
        "//! \\brief launch it with 256 threads",
        "//!",
        "///! launch k<<<",
        "// ! launch",
        "/* //! launch k<<< */",
        "int a; //! launch k<<<1, 1>>>(x)",
    ],
)
def test_other_comments_are_left_alone(problem: Problem, line: str) -> None:
    assert parse(line, problem).launches[0].line == 0


def test_windows_line_ends_and_a_byte_order_mark_are_fine(problem: Problem) -> None:
    plan = parse("\ufeff//! launch k<<<1, 1>>>(x)\r\n//! launch k<<<1, 2>>>(x)\r\n", problem)
    assert [launch.line for launch in plan.launches] == [1, 2]


MISTAKES = [
    ("//! lauch k<<<1, 1>>>(x)", 5, "perhaps 'launch' is meant"),
    ("//! Launch k<<<1, 1>>>(x)", 5, "perhaps 'launch' is meant"),
    ("//! scrach a float n", 5, "perhaps 'scratch' is meant"),
    ("//! k<<<1, 1>>>(x)", 5, "perhaps 'launch' is meant"),
    ("//! launch", 11, "name of a kernel"),
    ("//! launch 3k<<<1, 1>>>(x)", 12, "name of a kernel"),
    ("//! launch k(x)", 13, "expected '<<<'"),
    ("//! launch k<<<1, 1>>(x)", 25, "expected '>>>'"),
    ("//! launch k<<<1>>>(x)", 16, "grid, block"),
    ("//! launch k<<<1, 2, 3, 4>>>(x)", 16, "grid, block"),
    ("//! launch k<<<1, 1>>>", 23, "expected '('"),
    ("//! launch k<<<1, 1>>>(x", 25, "expected ')'"),
    ("//! launch k<<<1, 1>>>(x) then more", 27, "end of the line"),
    ("//! launch k<<<1, 1>>>(y)", 24, "expected one of x, out"),
    ("//! launch k<<<1, 1>>>(x,)", 26, "found the end"),
    ("//! launch k<<<m, 1>>>(x)", 16, "sizes n"),
    ("//! launch k<<<x, 1>>>(x)", 16, "found the array x"),
    ("//! launch k<<<1, 1>>>(x + 1)", 24, "found the array x"),
    ("//! launch k<<<1, n +>>>(x)", 22, "found the end"),
    ("//! launch k<<<dim3(1, 2, 3, 4), 1>>>(x)", 16, "one to three"),
    ("//! launch k<int>x<<<1, 1>>>(x)", 18, "expected '<<<'"),
    ("//! launch k<a<b>><<<1, 1>>>(x)", 13, "expected '<<<'"),
    ('//! launch k<"a">+<<<1, 1>>>(x)', 13, "expected '<<<'"),
    ("//! launch k<{}><<<1, 1>>>(x)", 13, "expected '<<<'"),
    ("//! launch k<<<1，1>>>(x)", 17, "U+FF0C ，; write ','"),
    ("//! launch k<<<сeil_div(n, 2), 1>>>(x)", 16, "U+0441 с"),
    ("//! launch k<<<1, 1>>>(\u200bx)", 24, "U+200B"),
    ("//! launch k<<<1, 1>>>(x)\u2028", 26, "U+2028"),
    ("//! scratch", 12, "a name for the scratch buffer"),
    ("//! scratch a flaot n", 15, "element type"),
    ("//! scratch a float", 20, "found the end"),
    ("//! scratch a float m", 21, "sizes n"),
    ("//! scratch x float n", 13, "already a parameter"),
    ("//! scratch n float n", 13, "already a parameter"),
    ("//! scratch alpha float n", 13, "already a parameter"),
    ("//! scratch a float zero", 21, "sizes n"),
    ("//! scratch a float n", 1, "expected a `//! launch` line"),
]


@pytest.mark.parametrize(("line", "column", "says"), MISTAKES, ids=[line for line, _, _ in MISTAKES])
def test_a_mistake_has_line_column_and_expectation(problem: Problem, line: str, column: int, says: str) -> None:
    with pytest.raises(DirectiveError) as caught:
        parse(f"\n\n{line}\n", problem)
    assert (caught.value.line, caught.value.column) == (3, column)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("launch", "says"),
    [
        ("1, 1025", "1 to 1024 threads along x"),
        ("1, 0", "1 to 1024 threads along x"),
        ("1, -n", "1 to 1024 threads along x"),
        ("1, dim3(1, 1, 65)", "1 to 64 threads along z"),
        ("1, dim3(64, 32)", "at most 1024 threads"),
        ("1, dim3(4294967296, 1)", "threads along x"),
        ("-1, 1", "0 to 2147483647 blocks along x"),
        ("n*n*n*n, 1", "blocks along x"),
        ("dim3(1, 65536), 1", "0 to 65535 blocks along y"),
        ("n*n*n*n*n*n*n, 1", "64 bits"),
        ("1, 1, 232449", "bytes of shared memory"),
        ("1, 1, -1", "bytes of shared memory"),
        ("1 / (n - 1000), 1", "other than zero"),
    ],
)
def test_a_configuration_that_no_card_takes_is_refused_with_its_numbers(
    problem: Problem, launch: str, says: str
) -> None:
    """Integer overflow in a launch expression never wraps into something small."""
    plan = parse(f"//! launch k<<<{launch}>>>(x)", problem)
    with pytest.raises(DirectiveError) as caught:
        plan.resolve(SIZES)
    assert says in str(caught.value)
    assert caught.value.line == 1


@pytest.mark.parametrize("elements", ["100000000", "n*n*n*n*n*n", "-1", "n - 1001"])
def test_scratch_memory_is_bounded(problem: Problem, elements: str) -> None:
    plan = parse(f"//! scratch a double {elements}\n//! launch k<<<1, 1>>>(a)", problem)
    with pytest.raises(DirectiveError):
        plan.resolve(SIZES)


def test_many_small_scratch_buffers_share_one_limit(problem: Problem) -> None:
    lines = "".join(f"//! scratch a{i} double 20000\n" for i in range(16))
    plan = parse(f"{lines}//! launch k<<<1, 1>>>(a0)", problem)
    with pytest.raises(DirectiveError, match="bytes of scratch memory"):
        plan.resolve(SIZES)


@pytest.mark.parametrize("what", ["launch k<<<1, 1>>>(x)", "scratch a{} float 1"])
def test_there_are_at_most_sixteen_of_each(problem: Problem, what: str) -> None:
    lines = "".join(f"//! {what.format(i)}\n" for i in range(17))
    with pytest.raises(DirectiveError, match="at most 16"):
        parse(f"{lines}//! launch k<<<1, 1>>>(x)", problem)


@pytest.mark.parametrize(
    "line", ["//! launch k<<<" + "(" * 10**6, "//! launch " + "k" * 10**6, "//! scratch " + "a" * 3000]
)
def test_a_huge_line_is_refused_quickly(problem: Problem, line: str) -> None:
    with pytest.raises(DirectiveError, match="at most 2000 characters"):
        parse(line, problem)


def judge_plan(problem: Problem, text: str) -> Plan:
    return parse_judge(text, problem)


def test_the_judges_expected_values_need_no_scratch_line(problem: Problem) -> None:
    plan = judge_plan(problem, "//! launch e<<<1, 1>>>(x, expected_out, magnitude_out, n)")
    assert [(one.name, one.ctype, one.elements) for one in plan.resolve(SIZES).scratch] == [
        ("expected_out", "f64", 1),
        ("magnitude_out", "f64", 1),
    ]


def test_the_judge_may_declare_them_itself(problem: Problem) -> None:
    plan = judge_plan(problem, "//! scratch expected_out double 1\n//! launch e<<<1, 1>>>(x, expected_out)")
    assert [one.name for one in plan.scratch] == ["expected_out"]


@pytest.mark.parametrize(
    "text", ["//! launch e<<<1, 1>>>(x)", "//! scratch expected_out float 1\n//! launch e<<<1, 1>>>(expected_out)"]
)
def test_a_judge_without_expected_values_in_double_is_a_mistake(problem: Problem, text: str) -> None:
    with pytest.raises(DirectiveError, match="expected_out"):
        judge_plan(problem, text)


def test_a_submission_cannot_name_the_judges_buffers(problem: Problem) -> None:
    """Copying the expected values: pygpubench's gc_copy."""
    with pytest.raises(DirectiveError, match="expected_out"):
        parse("//! launch k<<<1, 1>>>(expected_out)", problem)
