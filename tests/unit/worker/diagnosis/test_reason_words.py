"""Chinese sentences without English words, and no id that nothing produces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker.diagnosis import Catalogue
from worker.diagnosis.reason_words import in_chinese

ROOT = Path(__file__).parents[4]


def refusals() -> Iterator[str]:
    """Every text that the emulator raises as Unsupported, holes filled with a name."""
    for path in sorted((ROOT / "worker" / "emulator").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Unsupported":
                yield _text(node.args[0])


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "xyz" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


REASONS = sorted({text for text in refusals() if text})


def test_the_refusals_are_found() -> None:
    assert len(REASONS) > 15


@pytest.mark.parametrize("reason", [*REASONS, "this worker has none", "this worker does not know the problem xyz"])
def test_a_reason_has_a_chinese_side_without_english_words(reason: str) -> None:
    chinese = in_chinese(reason)
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not set(re.findall(r"[A-Za-z]{2,}", chinese)) - {"xyz"}


def test_an_unforeseen_reason_is_not_handed_on_in_english() -> None:
    assert not re.search(r"[A-Za-z]", in_chinese("something that nobody wrote a line for"))


def test_every_finding_of_the_catalogue_is_produced_somewhere() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "worker").rglob("*.py"))
    built = {"uninitialized-global", "uninitialized-shared", "race-shared", "race-global"}
    missing = {
        entry.id for entry in Catalogue.load(ROOT / "content" / "findings.toml") if f'"{entry.id}"' not in source
    }
    assert missing <= built
