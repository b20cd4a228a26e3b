"""`warpmate content check` as somebody types it: one line per mistake, exit code 1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home

CONTENT = Path(__file__).parents[3] / "content"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONTENT, tmp_path / "content"))


def check(copy: Path, *arguments: str) -> tuple[int, str, str]:
    home = Home(copy.parent / "data")
    done = home.run("content", "check", *arguments, WARPMATE_CONTENT_DIR=str(copy))
    return done.returncode, done.stdout, done.stderr


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_what_ships_has_nothing_to_mend(copy: Path) -> None:
    assert check(copy) == (0, "nothing to mend\n", "")


def test_mistakes_of_every_room_are_named_in_one_run(copy: Path) -> None:
    append(copy / "notes" / "en" / "warp-divergence.md", "\nIt waits for the others.\n")
    append(copy / "glossary.yaml", "planted:\n  - {en: [planted], zh: [planted]}\n")
    (copy / "problems" / "vector_add" / "statement.zh.md").write_text(" ", encoding="utf-8")
    code, said, complained = check(copy)
    assert (code, complained) == (1, "")
    line = (copy / "notes" / "en" / "warp-divergence.md").read_text(encoding="utf-8").count("\n")
    said_of_the_note = "does not name its subject, and answers quote single sentences: It waits for the others."
    assert said.splitlines() == [
        f"notes/en/warp-divergence.md:{line}: {said_of_the_note}",
        "glossary.yaml: planted: planted: zh: 'planted' holds no Chinese",
        "definitions/planted.yaml: planted: is missing: each term of the glossary is defined",
        "problems/vector_add/statement.zh.md: is empty: write the statement in this language too",
        "4 to mend",
    ]


def test_a_file_that_does_not_load_is_named_with_its_key(copy: Path) -> None:
    append(copy / "topics.yaml", "  - {id: planted}\n")
    code, said, _ = check(copy, "--json")
    assert code == 1
    assert all(line.startswith("topics.yaml: topics[") for line in json.loads(said)["mistakes"])
