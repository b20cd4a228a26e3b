"""The vectors that come along with content/: how stale they may be, what they save, how they are made again."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from indexer.shipped_vectors import FILE, read_vectors
from knowledge.library.embed import open_embedder
from tests import prepared
from tests.folders import CONTENT
from tests.integration.warpmate.cli import Home
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import open_library
from warpmate.wiring.vectors import VectorsReport, release, renew_vectors

pytestmark = pytest.mark.slow
MOST_MISSING = 0.25
"""Share of the texts that may lack a vector between releases: a first start is then still three times as fast."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    prepared.give_models(tmp_path_factory, folder)
    return folder


@pytest.fixture(scope="module")
def report(data_dir: Path) -> VectorsReport:
    """How the file of this checkout stands."""
    return asyncio.run(renew_vectors(Settings(data_dir=data_dir), write=False))


def test_what_came_along_is_fresh_enough_and_complete_at_a_release(report: VectorsReport) -> None:
    """`warpmate index vectors` makes it so. An edited note is no reason to run that; a new version is."""
    assert report.release, f"content/{FILE} is missing, damaged or of another model"
    assert report.missing <= MOST_MISSING * report.texts
    assert report.missing == 0 or report.release == release()


async def test_a_first_build_embeds_only_what_did_not_come_along(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, report: VectorsReport
) -> None:
    built = json.loads((prepared.first_build(tmp_path_factory) / "report.json").read_text(encoding="utf-8"))
    prepared.give_first_index(tmp_path_factory, tmp_path)
    async with open_core(Settings(data_dir=tmp_path)) as core, open_library(core) as library:
        answer = await library.ask.asker.ask("what is a warp?")
    assert (built["published"], built["embedded"]) == (True, report.missing)
    assert answer.status == "answered"


def test_an_edited_note_is_told_and_the_command_embeds_its_new_sentence(
    tmp_path: Path, data_dir: Path, report: VectorsReport
) -> None:
    content = shutil.copytree(CONTENT, tmp_path / "content")
    home = Home(data_dir, {"WARPMATE_CONTENT_DIR": str(content)})
    note = content / "notes" / "en" / "warp-divergence.md"
    note.write_text(note.read_text(encoding="utf-8") + "\nA marmot reads this sentence.\n", encoding="utf-8")
    told = home.run("index", "vectors", "--check")
    assert told.returncode == 1
    assert "out of date" in told.stdout
    made = home.json("index", "vectors")
    assert 1 <= made["missing"] - report.missing <= 4
    written = read_vectors(content / FILE, open_embedder(cache=data_dir / "models"))
    assert written is not None
    assert (len(written), written.release) == (made["texts"], release())
