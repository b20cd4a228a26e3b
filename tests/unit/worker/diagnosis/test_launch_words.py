"""Every message about a launch line has its Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.worker.directives.test_directives import MISTAKES
from tests.unit.worker.problem.folder import write
from worker.diagnosis.launch_words import in_chinese
from worker.directives import parse
from worker.errors import DirectiveError
from worker.problem import load

CONFIGURATIONS = [
    "1, 1025",
    "dim3(1, 1, 1, 1), 1",
    "1, dim3(64, 32)",
    "-1, 1",
    "dim3(1, 65536), 1",
    "n*n*n*n*n*n*n, 1",
    "1, 1, 232449",
    "1 / (n - 1000), 1",
    "(" * 33 + "1" + ")" * 33 + ", 1",
    "1" * 501 + ", 1",
    "1.5, 1",
    "99999999999999999999, 1",
    "min(1), 1",
    "f(1), 1",
    "(1, 1",
    "n n, 1",
    "n ! 1, 1",
    "1) + 1, 1",
]

LINES = [
    *[line for line, _, _ in MISTAKES],
    *[f"//! launch k<<<{configuration}>>>(x)" for configuration in CONFIGURATIONS],
    "//! scratch a double 100000000\n//! launch k<<<1, 1>>>(a)",
    "//! scratch a double -1\n//! launch k<<<1, 1>>>(a)",
    "".join(f"//! scratch a{i} float 1\n" for i in range(17)),
    "//! launch k<<<1, 1>>>(x)\n" * 17,
    "//! launch " + "k" * 300 + "<<<1, 1>>>(x)",
    "//! launch " + "k" * 3000,
]


@pytest.mark.parametrize("lines", LINES, ids=lambda lines: lines[:60])
def test_a_message_is_wholly_chinese(tmp_path: Path, lines: str) -> None:
    with pytest.raises(DirectiveError) as caught:
        parse(lines, load(write(tmp_path))).resolve({"n": 1000})
    chinese = in_chinese(caught.value.what)
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"\b(expected|found|the|did you|write|at most|behind|for)\b", chinese)


def test_another_sentence_is_left_as_it_is() -> None:
    assert in_chinese("something else") == "something else"
