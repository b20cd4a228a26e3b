"""`warpmate try` as somebody types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home

WRONG = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] - b[i];
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def said(home: Home, *arguments: str) -> str:
    """What is on standard output; the stages go to standard error."""
    done = home.run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_try_shows_numbers_writers_counts_and_code_and_is_no_attempt(home: Home, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.cu"
    kernel.write_text(WRONG)
    on = (str(kernel), "--problem", "vector_add")
    typed = ("--sizes", "n=3", "--input", "a=1,2,3", "--input", "b=0,5,0", "--element", "c[1]", "--ptx")
    told = said(home, "try", *on, *typed)
    assert "wrong answer  (emulator, n=3)" in told
    assert "c: 1 of 3 elements wrong" in told
    assert "1. -3 by thread (1, 0, 0) of block (0, 0, 0), launch 1, after 0 barriers, line 3" in told
    assert "A row is a sector" in told
    assert "sub.f32" in told
    assert "sub.f32" not in said(home, "try", *on, "--sizes", "n=3", "--lang", "zh")
    assert "your attempt 1 at vector_add" in said(home, "submit", *on)
    again = home.json("try", *on, "--case", "1")
    assert (again["form"], again["problem"], again["cases"][0]["sizes"]) == ("try", None, {"n": 1})
    chosen = home.json("try", *on, "--case", "2", "--input", "ascending")
    assert (chosen["cases"][0]["sizes"], chosen["cases"][0]["values"]) == ({"n": 2}, "ascending")
    assert "your attempt 2 at vector_add" in said(home, "submit", *on)


@pytest.mark.needs("triton")
def test_what_the_card_runs_is_shown_only_when_asked_for(home: Home, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.cu"
    kernel.write_text(WRONG)
    on = ("try", str(kernel), "--problem", "vector_add", "--sizes", "n=3")
    assert "FADD" in said(home, *on, "--sass")
    assert "FADD" not in said(home, *on, "--ptx")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "n=33 or rows=4,cols=40"),
        (("--sizes", "n"), "n=33 or rows=4,cols=40"),
        (("--sizes", "n=0"), "n = 0 cannot be tried"),
        (("--sizes", "n=65537"), "n = 65537 cannot be tried"),
        (("--sizes", "n=3", "--input", "a=1e999"), "finite numbers"),
        (("--sizes", "n=3", "--input", "a=1,x"), "found a=1,x"),
        (("--sizes", "n=3", "--element", "c"), "written out[5]"),
        (("--case", "1"), "no wrong case number 1"),
    ],
)
def test_what_is_typed_wrong_is_told_in_one_line(
    home: Home, tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    kernel = tmp_path / "kernel.cu"
    kernel.write_text(WRONG)
    assert sentence in home.refusal("try", str(kernel), "--problem", "vector_add", *options)
