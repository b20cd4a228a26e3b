"""`#! launch` lines: what is read, what each shape makes of it, and how every mistake is placed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.worker.problem.folder import write
from tests.unit.worker.test_message_ids import parts
from worker.directives import Buffer, Scalar
from worker.errors import DirectiveError
from worker.messages import worker_catalogue
from worker.problem import Problem, load
from worker.triton import is_triton
from worker.triton.binding import bind
from worker.triton.launches import read_directives
from worker.triton.plan import Launches, Pending
from worker.triton.wire import Configuration, Function, Parameter, Value

TOTAL = Function(
    "total",
    1,
    (Parameter("x"), Parameter("out"), Parameter("n"), Parameter("alpha"), Parameter("BLOCK", constexpr=True)),
)
TUNED = Function(
    "tuned",
    1,
    (
        Parameter("x"),
        Parameter("n"),
        Parameter("BLOCK", constexpr=True),
        Parameter("EXACT", constexpr=True, default=False, has_default=True),
    ),
    (Configuration({"BLOCK": 64}, 2, 1), Configuration({"BLOCK": 128}, 8, 4)),
)


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    return load(write(tmp_path_factory.mktemp("problems")))


def launches(lines: str, problem: Problem) -> Launches:
    directives = read_directives(lines, problem)
    return Launches(problem, directives, tuple(bind(line, (TOTAL, TUNED)) for line in directives.launches))


def pending(line: str, problem: Problem, n: int = 1000) -> Pending:
    (one,) = launches(line, problem).at({"n": n})
    return one


def constants(one: Pending) -> dict[str, Value]:
    return dict(one.what.constants)


def test_a_launch_becomes_numbers_and_the_grid_may_use_a_meta_parameter(problem: Problem) -> None:
    line = "#! launch total[(cdiv(n, BLOCK), 2)](x, out, n, alpha, BLOCK=next_pow2(n)) num_warps=8 num_stages=2"
    one = pending(line, problem, 1000)
    assert one.grid == (1, 2, 1)
    assert one.args == (Buffer("x"), Buffer("out"), 1000, Scalar("alpha"))
    assert constants(one) == {"BLOCK": 1024}
    assert dict(one.what.signature) == {
        "x": "*fp32", "out": "*fp32", "n": "i32", "alpha": "fp32", "BLOCK": "constexpr"
    }  # fmt: skip
    assert (one.what.num_warps, one.what.num_stages) == (8, 2)


def test_triton_spelling_is_read_as_well(problem: Problem) -> None:
    meta = "BLOCK=triton.next_power_of_2(n), num_warps=2"
    line = f"#! launch total[(triton.cdiv(n // 2, BLOCK),)](x, out, n, alpha, {meta})"
    one = pending(line, problem, 1000)
    assert (one.grid, constants(one), one.what.num_warps) == ((1, 1, 1), {"BLOCK": 1024}, 2)


@pytest.mark.parametrize(
    ("n", "kind", "divisible"), [(1, "constexpr", False), (33, "i32", False), (48, "i32", True), (2**31, "i64", True)]
)
def test_a_whole_number_is_specialised_as_triton_does(problem: Problem, n: int, kind: str, divisible: bool) -> None:
    one = pending("#! launch total[1](x, out, n, alpha, BLOCK=64)", problem, n)
    assert dict(one.what.signature)["n"] == kind
    assert ("n" in one.what.divisible) is divisible
    assert (n in one.args) is (kind != "constexpr")


def test_values_that_are_no_whole_numbers_are_compiled_in(problem: Problem) -> None:
    one = pending("#! launch tuned[1](x, n, EXACT=True)", problem)
    assert constants(one) == {"BLOCK": 64, "EXACT": True}


def test_true_and_one_are_different_kernels(problem: Problem) -> None:
    from worker.triton.plan import key_of

    keys = {key_of(pending(f"#! launch tuned[1](x, n, EXACT={v})", problem).what) for v in ("True", "1", "1.0")}
    assert len(keys) == 3


def test_the_first_configuration_is_taken_until_another_is_chosen(problem: Problem) -> None:
    both = launches("#! launch tuned[(cdiv(n, BLOCK),)](x, n)", problem)
    (first,) = both.at({"n": 256})
    (second,) = Launches(both.problem, both.directives, both.bound, {"tuned": 1}).at({"n": 256})
    assert (first.grid[0], first.what.num_warps) == (4, 2)
    assert (second.grid[0], second.what.num_warps, second.what.num_stages) == (2, 8, 4)


def test_scratch_may_have_a_type_of_tritons(problem: Problem) -> None:
    both = launches("#! scratch part tl.float16 n zero\n#! launch total[1](x, part, n, alpha, BLOCK=64)", problem)
    (scratch,) = both.scratch_at({"n": 5})
    (one,) = both.at({"n": 5})
    assert (scratch.ctype, scratch.elements, scratch.zero) == ("f16", 5, True)
    assert dict(one.what.signature)["out"] == "*fp16"


MISTAKES = [
    ("", 1, "needs a launch line of its own"),
    ("#! lanch total[1](x)", 4, "perhaps 'launch' is meant"),
    ("#! launch total(x)", 16, "expected '['"),
    ("#! launch total[1](x", 21, "expected ')'"),
    ("#! launch [1](x)", 11, "name of a kernel"),
    ("#! launch totl[1](x, out, n, alpha, BLOCK=64)", 11, "perhaps 'total' is meant"),
    ("#! launch total[1, 1, 1, 1](x, out, n, alpha, BLOCK=64)", 17, "one to three"),
    ("#! launch total[1](x, out, n, alpha)", 11, "also needs BLOCK"),
    ("#! launch total[1](x, out, n, alpha, 64, 65)", 42, "takes 5 arguments"),
    ("#! launch total[1](x, out, n, alpha, BLOK=64)", 43, "perhaps 'BLOCK' is meant"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=64, n=3)", 50, "n is given twice"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=x)", 44, "tl.constexpr"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=alpha)", 44, "tl.constexpr"),
    ("#! launch total[m](x, out, n, alpha, BLOCK=64)", 17, "one of the sizes"),
    ("#! launch total[1](x, out, n + out, alpha, BLOCK=64)", 32, "array out"),
    ("#! launch total[-1](x, out, n, alpha, BLOCK=64)", 17, "programs along x"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=64) num_warps=3", 58, "1, 2, 4, 8, 16 or 32"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=64) num_stages=99", 59, "from 0 to 16"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=64, num_warps=True)", 4, "whole number for num_warps"),
    ("#! launch total[1](x, out, n, alpha, BLOCK=64) warps=3", 48, "behind the call"),
    ("#! launch tuned[1](x, n, BLOCK=64)", 32, "autotune"),
    ("#! launch total[next_pow2(n, n)](x, out, n, alpha, BLOCK=64)", 17, "1 argument(s)"),
    ("#! launch total[1](x，out)", 21, "plain ASCII"),
    ("#! scratch a float32 n", 1, "#! launch"),
]


@pytest.mark.parametrize(("line", "column", "words"), MISTAKES, ids=[line[:60] or "none" for line, _, _ in MISTAKES])
def test_a_mistake_is_told_at_its_column_in_both_languages(
    problem: Problem, line: str, column: int, words: str
) -> None:
    with pytest.raises(DirectiveError) as caught:
        launches(f"\n{line}", problem).at({"n": 1000})
    catalogue = worker_catalogue()
    assert words in str(caught.value)
    assert caught.value.column == column
    for part in parts(caught.value.message):
        assert catalogue.unknown_fields(part) == set()
        assert all(catalogue.texts(part).values())


@pytest.mark.parametrize(
    ("source", "triton"),
    [
        ("import triton\n", True),
        ("# a comment\nfrom triton import language as tl\n", True),
        ("@triton.jit\ndef f(): ...", True),
        ("/*\nimport triton\n*/\n__global__ void k() {}", False),
        ("// import triton\n__global__ void k() {}", False),
        ("import tritonclient\n", False),
        ("__global__ void triton() {}", False),
    ],
)
def test_the_language_shows_in_the_text(source: str, triton: bool) -> None:
    assert is_triton(source) is triton


def test_a_shebang_is_no_launch_line(problem: Problem) -> None:
    assert len(launches("#!/usr/bin/env python\n#! launch tuned[1](x, n)", problem).bound) == 1


def test_nothing_of_triton_is_imported_in_the_worker_itself() -> None:
    """The member's Python, and what it is compiled by, stay in the child."""
    outside = [
        path.name
        for path in (Path(__file__).parents[4] / "worker").rglob("*.py")
        if path.name not in {"child.py", "member_module.py", "ahead_of_time.py"}
        and any(line.startswith(("import triton", "from triton")) for line in path.read_text("utf-8").splitlines())
    ]
    assert outside == []
