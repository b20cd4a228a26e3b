"""What `warpmate content check` says of a problem: copies of a good one, each spoilt in one way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from worker.errors import ProblemError
from worker.judge.problem_check import check_at_rest
from worker.oracle import Oracle
from worker.problem import load

PROBLEMS = Path(__file__).parents[4] / "content" / "problems"
SLUG = "saxpy_strided"
RIGHT = "solutions/right/simple.cu"
WRONG = """\
// verdict: {}
//! launch saxpy_strided<<<1, 1>>>(alpha, x, y, n, stride)
__global__ void saxpy_strided() {{}}
"""
WATCH = "## What to watch"

Spoil = Callable[[Path], None]


def replace(file: str, old: str, new: str) -> Spoil:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")

    return spoil


def write(file: str, text: str) -> Spoil:
    return lambda folder: (folder / file).write_text(text, encoding="utf-8") and None


def remove(pattern: str, but: int) -> Spoil:
    return lambda folder: [path.unlink() for path in sorted(folder.glob(pattern))[but:]] and None


def of_one_kind(folder: Path) -> None:
    for path in folder.glob("solutions/wrong/*.cu"):
        path.write_text("// verdict: wrong_answer\n" + path.read_text("utf-8").partition("\n")[2], encoding="utf-8")


def faults(folder: Path) -> list[tuple[str, str]]:
    problem = load(folder)
    return [(str(fault.file.relative_to(folder)), fault.what) for fault in check_at_rest(problem, Oracle(problem))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROBLEMS / SLUG, tmp_path / SLUG))


def test_every_problem_that_ships_is_without_a_fault() -> None:
    assert {path.parent.name: faults(path.parent) for path in PROBLEMS.glob("*/problem.toml")} == {
        path.parent.name: [] for path in PROBLEMS.glob("*/problem.toml")
    }


@pytest.mark.parametrize(
    ("spoil", "file", "says"),
    [
        (write("statement.zh.md", " "), "statement.zh.md", "is empty"),
        (replace("statement.en.md", "`alpha`", "alpha"), "statement.en.md", "what `alpha` is"),
        (replace("statement.en.md", "<<<", "<<"), "statement.en.md", "does not show the launch"),
        (replace("statement.en.md", WATCH, "## Beware"), "statement.en.md", f"no section '{WATCH}'"),
        (replace("statement.zh.md", "## 注意", "## 小心"), "statement.zh.md", "no section '## 注意'"),
        (replace("statement.en.md", "# ", "# Another "), "statement.en.md", "does not begin with the title"),
        (replace("starter.cu", "fill in:", "here:"), "starter.cu", "does not say what is missing"),
        (remove("solutions/right/*.cu", 1), "solutions/right", "holds 1 solutions"),
        (remove("solutions/wrong/*.cu", 2), "solutions/wrong", "holds 2 solutions"),
        (of_one_kind, "solutions/wrong", "holds mistakes of one kind"),
        (replace(RIGHT, "// Idea:", "//"), RIGHT, "has no line '// Idea:'"),
        (replace(RIGHT, "// Cost:", "//"), RIGHT, "has no line '// Cost:'"),
        (replace(RIGHT, "// Why", "//"), RIGHT, "has no line '// Why'"),
        (write("solutions/wrong/x.cu", WRONG.format("honest")), "solutions/wrong/x.cu", "begin with its verdict"),
        (write("solutions/wrong/x.cu", WRONG.format("accepted")), "solutions/wrong/x.cu", "says that it is accepted"),
        (write("solutions/wrong/x.cu", WRONG.format("launch_error")), "solutions/wrong/x.cu", "launches well though"),
        (write("solutions/wrong/x.cu", WRONG.format("race").replace("(alpha,", "(beta,")),
         "solutions/wrong/x.cu", "beta"),
        (replace("problem.toml", 'rule = "relative"', 'rule = "absolute"\nscale = 1e30'), "problem.toml",
         "every small case accepts zeros"),
        (replace("problem.toml", 'rule = "relative"', 'rule = "absolute"\nscale = 1e30'), "problem.toml",
         "every small case accepts right answers rounded to half precision"),
        (lambda folder: write("reference.py", (folder / "reference.py").read_text("utf-8") + (
            "\n\n_right = reference\n\n\ndef reference(y, n):\n    return {'y': y}\n"))(folder),
         "reference.py", "no output changes with x"),
        (lambda folder: write("reference.py", (folder / "reference.py").read_text("utf-8") + (
            "\n\n_right = reference\n\n\ndef reference(y, n):\n    return {'y': y}\n"))(folder),
         "reference.py", "no output changes with alpha"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file(folder: Path, spoil: Spoil, file: str, says: str) -> None:
    spoil(folder)
    found = faults(folder)
    assert any(says in what for where, what in found if where == file), found


def test_a_problem_that_does_not_load_names_file_and_key(folder: Path) -> None:
    replace("problem.toml", 'level = "', 'level = "very ')(folder)
    with pytest.raises(ProblemError, match="level"):
        load(folder)
