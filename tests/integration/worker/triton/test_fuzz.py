"""Right kernels with something changed at random: each gets one verdict, and nothing of ours breaks down.

Ten by default; TESTS_TRITON=all five hundred.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from worker.judge import Tools
from worker.protocol import Kind

# ruff: noqa: E501  # a table of words
pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]

COUNT = 500 if os.environ.get("TESTS_TRITON") == "all" else 10
SOURCES = sorted((CONTENT / "problems").glob("*/solutions/right/*.py"))
WORDS = (
    "0", "1", "-1", "3", "1000000007", "n", "BLOCK", "tl", "mask", "other", "None", "True", "float16", "tl.arange", "tl.load",
    "tl.store", "tl.dot", "tl.sum", "+", "*", "//", "%", "<", ">=", "&", "(", ")", "[", "]", ":", ",", "if", "for", "while", "x",
)  # fmt: skip
_TOKEN = re.compile(r"\w+|[^\w\s]")

Mutation = Callable[[random.Random, str], str]


def without_a_line(rng: random.Random, source: str) -> str:
    lines = source.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def with_lines_swapped(rng: random.Random, source: str) -> str:
    lines = source.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def with_another_word(rng: random.Random, source: str) -> str:
    match = rng.choice(list(_TOKEN.finditer(source)))
    return source[: match.start()] + rng.choice(WORDS) + source[match.end() :]


def without_a_word(rng: random.Random, source: str) -> str:
    match = rng.choice(list(_TOKEN.finditer(source)))
    return source[: match.start()] + source[match.end() :]


def with_another_number(rng: random.Random, source: str) -> str:
    match = rng.choice(list(re.finditer(r"\d+", source)))
    return (
        source[: match.start()]
        + str(rng.choice((0, 1, 2, 7, 16, 64, 4096, 1 << 20, 1 << 40)))
        + source[match.end() :]
    )


def with_a_line_twice(rng: random.Random, source: str) -> str:
    lines = source.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


MUTATIONS: tuple[Mutation, ...] = (
    without_a_line, with_lines_swapped, with_another_word, with_another_word, without_a_word, with_another_number,
    with_a_line_twice,
)  # fmt: skip


def mutated(seed: int) -> tuple[str, str]:
    rng = random.Random(seed)
    path = rng.choice(SOURCES)
    source = path.read_text(encoding="utf-8")
    head, lines = source[: source.index("#!")], source[source.index("#!") :]
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = rng.choice(MUTATIONS)(rng, lines)
    return path.parents[2].name, head + lines


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_mutated_kernel_gets_one_verdict(verdict_on_ours: Judging, lasting_tools: Tools, seed: int) -> None:
    slug, source = mutated(seed)
    faults = lasting_tools.faults.count
    verdict = verdict_on_ours(source, slug)
    assert verdict.verdict is not Kind.INFRASTRUCTURE_ERROR
    assert lasting_tools.faults.count == faults
    assert all(finding.message["zh"] and finding.message["en"] for finding in verdict.findings)
    assert verdict.verdict is Kind.ACCEPTED or verdict.findings or verdict.cases
