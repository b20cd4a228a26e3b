"""Whatever the worker says has words in every language, and the words say nothing that the worker does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.worker.directives.test_directives import MISTAKES
from tests.unit.worker.problem.folder import write
from worker.directives import parse
from worker.errors import DirectiveError
from worker.messages import Message, worker_catalogue
from worker.problem import load

WORKER = Path(__file__).parents[3] / "worker"

CONFIGURATIONS = [
    "1, 1025", "dim3(1, 1, 1, 1), 1", "1, dim3(64, 32)", "-1, 1", "dim3(1, 65536), 1", "n*n*n*n*n*n*n, 1",
    "1, 1, 232449", "1 / (n - 1000), 1", "(" * 33 + "1" + ")" * 33 + ", 1", "1" * 501 + ", 1", "1.5, 1",
    "99999999999999999999, 1", "min(1), 1", "f(1), 1", "(1, 1", "n n, 1", "n ! 1, 1", "1) + 1, 1",
]  # fmt: skip
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
ONLY_FOR_CURATORS = {"launch.judge-output", "launch.judge-output-type"}
MADE_ELSEWHERE = {
    "access", "limiter", "count", "between", "arithmetic", "rounding", "meaning", "axis", "which", "way", "sign",
    "values", "paste-form",
}  # fmt: skip
"""Entries that no call names: a field's value does, or the catalogue itself."""
WITHOUT_WORDS = {"detail"}
"""A field for the log."""


def said(lines: str, folder: Path) -> Message:
    with pytest.raises(DirectiveError) as caught:
        parse(lines, load(write(folder))).resolve({"n": 1000})
    return caught.value.message


def parts(whole: Message) -> Iterator[Message]:
    yield whole
    for value in whole.fields.values():
        if isinstance(value, Message):
            yield from parts(value)


@pytest.mark.parametrize("lines", LINES, ids=lambda lines: lines[:60])
def test_a_mistake_on_a_launch_line_gives_exactly_the_fields_that_its_words_show(tmp_path: Path, lines: str) -> None:
    catalogue = worker_catalogue()
    for part in parts(said(lines, tmp_path)):
        assert catalogue.unknown_fields(part) == set()
        assert all(catalogue.texts(part).values())


def test_every_sentence_on_launch_lines_is_said_of_some_mistake(tmp_path: Path) -> None:
    heard = {part.id for at, lines in enumerate(LINES) for part in parts(said(lines, tmp_path / str(at)))}
    groups = ("launch.", "expression.", "syntax.")
    assert {name for name in worker_catalogue() if name.startswith(groups)} - heard == ONLY_FOR_CURATORS


def sites() -> Iterator[tuple[str, str, set[str]]]:
    """Place, id and fields of every `message("id", field=...)` whose id is written out."""
    for path in sorted(WORKER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in {"message", "Message", "expect"}:
                continue
            names = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            fields = {keyword.arg for keyword in node.keywords if keyword.arg}
            for name in names:
                yield f"{path.relative_to(WORKER)}:{node.lineno}", name, fields


def test_every_message_in_the_code_is_in_the_catalogue_and_gives_no_other_fields() -> None:
    catalogue = worker_catalogue()
    for place, name, fields in sites():
        assert name in catalogue, place
        assert fields - catalogue[name].fields <= WITHOUT_WORDS, place


def test_every_sentence_of_the_catalogue_is_said_somewhere() -> None:
    named = {name for _, name, _ in sites()}
    assert {name for name in worker_catalogue() if name.split(".")[0] not in MADE_ELSEWHERE} - named == set()
