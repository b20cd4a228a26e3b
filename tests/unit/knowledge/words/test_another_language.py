"""A folder of word files makes a language, and nothing else: shown beside a copy of the code that nobody touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.words import FOLDER, Message, read_languages

HERE = Path(__file__).parents[4]
SHARED = """
[tag]
html = "eo"
own_name = "Esperanto"
[list]
comma = " kaj "
[level]
beginner = "komencanto"
[working]
time = "plej mallonga tempo"
[length]
hours = "{n:g} horoj"
"""
ERRORS = """
[error.calculation]
out_of_range = "{name} estu inter {least} kaj {most}, ne {value}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "words"
    shutil.copytree(FOLDER, found)
    (found / "eo").mkdir()
    (found / "eo" / "shared.toml").write_text(SHARED, encoding="utf-8")
    (found / "eo" / "errors.toml").write_text(ERRORS, encoding="utf-8")
    return found


def test_a_folder_of_words_is_a_language_for_every_face(folder: Path) -> None:
    for face in (None, "bot", "site", "terminal"):
        language = read_languages(face, folder)["eo"]  # type: ignore[arg-type]  a face or none
        assert language.html_lang == "eo"
        assert language.word("level", "beginner") == "komencanto"
        assert language.duration(2400) == "40 horoj"


def test_what_a_language_lacks_is_said_in_english(folder: Path) -> None:
    languages = read_languages("site", folder)
    assert languages["eo"]("ask.button") == languages["en"]("ask.button")
    assert languages["eo"].say(Message("remark.few", n=2)) == "The library has only 2 that fit."
    assert languages["fr"].code == "en"


def test_messages_inside_of_a_message_are_said_in_its_language(folder: Path) -> None:
    known = (Message("level.beginner"), Message("level.advanced"))
    said = read_languages(None, folder)["eo"].say(Message("remark.no_such_kind", kinds=known))
    assert "komencanto kaj advanced" in said


def test_a_browser_that_asks_for_it_gets_it(folder: Path) -> None:
    languages = read_languages("site", folder)
    assert [languages.spoken(name) for name in ("eo", "EO-fr", "zh-Hans-CN", "de")] == ["eo", "eo", "zh", None]


def test_the_command_line_speaks_it_without_a_change_of_code(folder: Path, tmp_path: Path) -> None:
    """Its own copy of knowledge/ with the folder in it; the other rooms are the ones of this tree."""
    tree = tmp_path / "tree"
    tree.mkdir()
    shutil.copytree(HERE / "knowledge", tree / "knowledge", ignore=shutil.ignore_patterns("__pycache__", "words"))
    shutil.copytree(folder, tree / "knowledge" / "words")
    for room in ("warpmate", "worker", "indexer", "bot", "web", "content"):
        (tree / room).symlink_to(HERE / room)

    def said(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(tree), "WARPMATE_DATA_DIR": str(tmp_path / "data")}
        command = [sys.executable, "-m", "warpmate", *arguments, "--lang", "eo"]
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert "plej mallonga tempo" in said("calc", "gemm", "4096", "4096", "4096")
    assert "warpmate: m estu inter 1 kaj 1048576, ne 0" in said("calc", "gemm", "0", "1", "1")
