"""problem.toml into a Problem: what is read, and how every mistake is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.worker.problem.folder import TOML, write
from worker.errors import ProblemError
from worker.problem import VALUE_KINDS, load, load_all

CONTENT = Path(__file__).parents[4] / "content" / "problems"


def test_a_problem_is_loaded_with_roles_and_shapes(tmp_path: Path) -> None:
    problem = load(write(tmp_path))
    assert [(param.name, param.ctype, param.role) for param in problem.params] == [
        ("x", "f32", "input"),
        ("out", "f32", "output"),
        ("n", "i32", "size"),
        ("alpha", "f32", "scalar"),
    ]
    assert problem.param("x").shape_at({"n": 33}) == (33,)
    assert problem.size_names == ("n",)
    assert problem.bench[0].bytes.value(problem.bench[0].sizes) == 4 << 20


def test_cases_are_sizes_times_values(tmp_path: Path) -> None:
    cases = load(write(tmp_path)).cases()
    assert [(case.sizes["n"], case.values) for case in cases] == [
        (1, "uniform"), (2, "uniform"), (33, "uniform"), (1, "zeros"), (2, "zeros"), (33, "zeros"),
    ]  # fmt: skip
    assert [case.index for case in cases] == list(range(6))


def test_only_random_kinds_are_repeated_for_seeds(tmp_path: Path) -> None:
    toml = TOML.replace('values = ["uniform", "zeros"]', 'values = ["uniform", "zeros"]\nseeds = 3')
    cases = load(write(tmp_path, toml)).cases()
    assert sum(case.values == "uniform" for case in cases) == 9
    assert sum(case.values == "zeros" for case in cases) == 3


def test_lists_of_sizes_stand_side_by_side_and_a_number_serves_all(tmp_path: Path) -> None:
    toml = TOML.replace("sizes = { n = [1, 2, 33] }", "sizes = { n = [1, 2], m = [5, 6], k = 7 }").replace(
        "sizes = { n = 1048576 }", "sizes = { n = 8, m = 8, k = 8 }"
    )
    cases = load(write(tmp_path, toml)).cases()
    assert [dict(case.sizes) for case in cases[:2]] == [{"n": 1, "m": 5, "k": 7}, {"n": 2, "m": 6, "k": 7}]


MISTAKES = [
    ('slug = "total"', 'slug = "other"', "slug"),
    ('slug = "total"', "", "slug"),
    ('level = "beginner"', 'level = "easy"', "level"),
    ('topics = ["reduction"]', 'topics = "reduction"', "topics"),
    ('zh = "总和"', "", "title.zh"),
    ('type = "const float*"', 'type = "const flaot*"', "params[0].type"),
    ('type = "const float*"', 'type = "float**"', "params[0].type"),
    ('name = "x"', 'name = "x y"', "params[0].name"),
    ('name = "out"', 'name = "x"', "params"),
    ('shape = ["n"]', 'shape = ["m"]', "params[0].shape"),
    ('shape = ["n"]', 'shape = ["n *"]', "params[0].shape"),
    ('shape = ["n"]', "shape = []", "params[0].shape"),
    ('shape = ["n"]', 'shape = ["n - 2"]', "cases"),
    ('shape = ["n"]', 'shape = ["n * 10000000"]', "cases"),
    ('name = "n"', 'name = "length"', "params[2].value"),
    ('block = "256"', 'block = "256"\nblocks = "1"', "launch.blocks"),
    ('block = "256"', 'block = "dim3(1, 2, 3, 4)"', "launch.block"),
    ('rule = "relative"', 'rule = "close"', "check.rule"),
    ('operations = "n"', 'operations = "n / 0"', "cases"),
    ('operations = "n"', 'operations = "n"\naccumulate = "real"', "check.accumulate"),
    ("sizes = { n = [1, 2, 33] }", "sizes = { n = [1, -2] }", "cases[0].sizes.n"),
    ("sizes = { n = [1, 2, 33] }", "sizes = { n = [1, 2], m = [1, 2, 3] }", "cases[0].sizes"),
    ("sizes = { n = [1, 2, 33] }", "sizes = {}", "cases[0].sizes"),
    ('values = ["uniform", "zeros"]', 'values = ["random"]', "cases[0].values"),
    ("sizes = { n = 1048576 }", "sizes = { m = 1048576 }", "bench[0].sizes"),
    ('flops = "n"', 'flops = "n"\npeak = "fast"', "bench[0].peak"),
    ('flops = "n"', 'flops = "n"\n[score]\nrule = "mean"', "score.rule"),
    ('flops = "n"', 'flops = "n"\n[extra]\na = 1', "extra"),
]


@pytest.mark.parametrize(("was", "becomes", "key"), MISTAKES, ids=[f"{key}: {new}" for _, new, key in MISTAKES])
def test_a_mistake_names_file_and_key(tmp_path: Path, was: str, becomes: str, key: str) -> None:
    assert was in TOML
    with pytest.raises(ProblemError) as caught:
        load(write(tmp_path, TOML.replace(was, becomes, 1)))
    assert caught.value.file.name == "problem.toml"
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["statement.zh.md", "reference.py", "starter.cu", "judge.cu"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path)
    (folder / name).unlink()
    with pytest.raises(ProblemError, match=name):
        load(folder)


def test_broken_toml_is_a_mistake_like_any_other(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="is not TOML"):
        load(write(tmp_path, "slug = "))


def test_every_problem_of_the_project_loads_and_uses_known_kinds() -> None:
    problems = load_all(CONTENT)
    assert problems
    for slug, problem in problems.items():
        assert problem.slug == slug
        assert {case.values for case in problem.cases()} <= VALUE_KINDS.keys()
