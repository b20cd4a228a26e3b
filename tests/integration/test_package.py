"""The wheel has everything that the checkout has: scripts, templates, word lists, weights, migrations, content."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.wheels import COMMIT, ROOT, build, wheel

PACKED = ("warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker", "content")


@pytest.mark.slow
def test_a_wheel_lacks_nothing_that_lies_in_a_room_or_under_content(tmp_path_factory: pytest.TempPathFactory) -> None:
    with zipfile.ZipFile(wheel(tmp_path_factory)) as archive:
        packed = set(archive.namelist())
        assert archive.read("warpmate/commit.txt").decode() == f"{COMMIT}\n"
    here = {
        path.relative_to(ROOT).as_posix()
        for folder in PACKED
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert here - packed == set()
    beside = {name for name in packed if name.partition("/")[0] not in PACKED}
    assert {name.partition("/")[0].rpartition(".")[2] for name in beside} == {"dist-info"}
    assert packed - here - beside == {"warpmate/commit.txt"}


@pytest.mark.slow
def test_the_same_files_give_the_same_wheel_wherever_and_whenever_it_is_built(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, elsewhere / name)
    for folder in PACKED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, elsewhere / folder, ignore=ignored, copy_function=shutil.copyfile)
    for path in elsewhere.rglob("*.toml"):
        path.chmod(0o600)
        os.utime(path, (1, 1))
    build(elsewhere, tmp_path)
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == wheel(tmp_path_factory).read_bytes()


def test_what_builds_the_wheel_here_is_what_pyproject_names() -> None:
    """Otherwise the tests would try another wheel than the one that is released."""
    build_system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert build_system["requires"] == [f"hatchling=={importlib.metadata.version('hatchling')}"]
