"""`warpmate problems check` as somebody types it: one line per fault, exit code 1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home

pytestmark = pytest.mark.slow

CONTENT = Path(__file__).parents[3] / "content"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    problems = tmp_path / "content" / "problems"
    shutil.copytree(CONTENT / "problems" / "matrix_add", problems / "matrix_add")
    for file in ("findings.toml", "solution_times.json", "solution_resources.json"):
        shutil.copy(CONTENT / file, tmp_path / "content")
    return Home(tmp_path / "data")


def check(home: Home, *arguments: str) -> tuple[int, str, str]:
    done = home.run("problems", "check", *arguments, WARPMATE_CONTENT_DIR=str(home.folder.parent / "content"))
    return done.returncode, done.stdout, done.stderr


def test_a_good_problem_passes(home: Home) -> None:
    assert check(home, "matrix_add") == (0, "nothing to mend\n", "")


def test_faults_are_lines_with_file_and_remedy(home: Home) -> None:
    folder = home.folder.parent / "content" / "problems" / "matrix_add"
    (folder / "statement.zh.md").write_text("", encoding="utf-8")
    code, said, _ = check(home)
    assert code == 1
    assert said.splitlines() == [
        f"{folder / 'statement.zh.md'}: is empty: write the statement in this language too",
        "1 fault",
    ]


def test_a_problem_without_a_hint_or_with_a_solution_that_is_not_there_is_not_fit(home: Home) -> None:
    folder = home.folder.parent / "content" / "problems" / "matrix_add"
    (folder / "hints.zh.md").unlink()
    explained = (folder / "editorial.en.md").read_text(encoding="utf-8")
    wrong = explained.replace("measured: two_dimensional.cu", "measured: three_dimensional.cu")
    (folder / "editorial.en.md").write_text(wrong, encoding="utf-8")
    code, said, _ = check(home, "matrix_add")
    assert code == 1
    assert f"{folder / 'hints.zh.md'}: has 0 hints: write 3, each under a heading ##" in said
    assert "names three_dimensional.cu, which is not under solutions/right" in said


def test_a_folder_that_does_not_load_is_a_fault_and_nothing_is_run(home: Home) -> None:
    folder = home.folder.parent / "content" / "problems" / "matrix_add"
    (folder / "statement.zh.md").unlink()
    code, said, _ = check(home, "--json")
    assert code == 1
    assert json.loads(said)["faults"] == [{"file": str(folder / "statement.zh.md"), "what": "file: is missing"}]


def test_an_unknown_problem_is_one_line(home: Home) -> None:
    code, said, complained = check(home, "no_such")
    assert (code, said) == (1, "")
    assert "no problem is called 'no_such'" in complained
    assert len(complained.splitlines()) == 1
