"""What is committed of the editor: made of the sources beside it, with its licences and a word for all it says."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from knowledge.words import read_languages
from web.assets import STATIC

SOURCES = Path(__file__).parents[3] / "web" / "editor"
SAID_BY_TEMPLATES = {"title"}


def test_the_bundle_is_made_of_the_sources_as_they_are() -> None:
    files = sorted(
        ["build.mjs", "package-lock.json", "package.json", *(f"src/{f.name}" for f in SOURCES.glob("src/*"))]
    )
    digest = hashlib.sha256(b"".join((SOURCES / name).read_bytes() for name in files)).hexdigest()[:16]
    for name in ("editor.js", "editor.licences.txt"):
        first_line = (STATIC / name).read_text(encoding="utf-8").partition("\n")[0]
        assert f"web/editor/ {digest}." in first_line, "run make editor"


def test_versions_are_exact_and_each_package_has_its_licence_beside_the_bundle() -> None:
    wanted = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    licences = (STATIC / "editor.licences.txt").read_text(encoding="utf-8")
    for name, version in wanted.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
    for path, one in locked.items():
        if path and not one.get("dev"):
            assert one["integrity"].startswith("sha512-"), path
            assert f"{path.removeprefix('node_modules/')} {one['version']} (MIT)" in licences, path


def test_the_editor_has_a_word_for_all_that_it_says_and_says_all_its_words() -> None:
    script = (SOURCES / "src" / "main.js").read_text(encoding="utf-8")
    for language in read_languages("site"):
        known = {id_.removeprefix("editor.") for id_ in language.sentences if id_.startswith("editor.")}
        assert known - SAID_BY_TEMPLATES == set(re.findall(r"words\.(\w+)", script))
