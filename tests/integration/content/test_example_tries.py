"""What the form for a try offers fits every problem, as the worker sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.content import example_try
from knowledge.submit.form import MOST_TRY_SIZE
from knowledge.submit.try_request import KINDS
from worker.directives import parse
from worker.judge.trying import MOST_ELEMENTS, MOST_THREADS
from worker.problem import VALUE_KINDS, load

ROOT = Path(__file__).parents[3] / "content"
SLUGS = sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.toml"))


@pytest.mark.parametrize("slug", SLUGS)
def test_the_sizes_and_names_that_are_offered_are_the_problems_own(slug: str) -> None:
    problem, example = load(ROOT / "problems" / slug), example_try(ROOT, slug)
    assert set(example.sizes) == set(problem.size_names)
    assert all(1 <= size <= MOST_TRY_SIZE for size in example.sizes.values())
    assert 0 < sum(one.elements_at(example.sizes) for one in problem.params if one.pointer) <= MOST_ELEMENTS
    launches = parse((ROOT / "problems" / slug / "starter.cu").read_text(), problem).resolve(example.sizes).launches
    threads = sum(
        one.grid[0] * one.grid[1] * one.grid[2] * one.block[0] * one.block[1] * one.block[2] for one in launches
    )
    assert threads <= MOST_THREADS
    assert example.inputs == tuple(one.name for one in problem.inputs)
    assert example.outputs == tuple(one.name for one in problem.outputs)


def test_what_faces_know_of_a_try_is_what_workers_do() -> None:
    assert set(KINDS) <= set(VALUE_KINDS)
    assert MOST_TRY_SIZE == MOST_ELEMENTS
