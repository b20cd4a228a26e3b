"""An index with the files that search reads: of an older warpmate, and of no page at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.build import BuildSetup, build
from knowledge.ask.open_ask import open_ask
from knowledge.content.glossary import load_glossary
from knowledge.errors import IndexUnusable
from knowledge.library.generation import MANIFEST, current_folder
from knowledge.reader.model import Reader
from tests.folders import CONTENT
from tests.integration.indexer.library import write_mirror


@pytest.mark.slow
async def test_a_mirror_without_a_readable_page_is_published_and_answers_nothing(
    library: BuildSetup, models: Path, tmp_path: Path
) -> None:
    report = await build(library, mirror=write_mirror(tmp_path / "empty", {"blank.md": " \n"}))
    assert (report.published, report.passages) == (True, 0)
    assert [failure.reason for failure in report.failures] == ["no text was found in it"]
    ask = open_ask(library.data_dir, load_glossary(CONTENT), library.embedder, Reader(models))
    assert ask.searcher.search("what is a warp", k=3) == ()
    ask.sources.close()


@pytest.mark.slow
async def test_an_index_of_another_search_is_refused_and_one_build_makes_it_anew(
    library: BuildSetup, mirror: Path, models: Path
) -> None:
    await build(library, mirror=mirror)
    folder = current_folder(library.index)
    assert folder is not None
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["notes"]["search"]["version"] = 0
    manifest["notes"]["wording"] = "0-made-earlier"
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    ask = open_ask(library.data_dir, load_glossary(CONTENT), library.embedder, Reader(models))
    with pytest.raises(IndexUnusable, match="another version of the search; run: warpmate index build"):
        ask.sources.shared()
    report = await build(library, mirror=mirror)
    assert (report.published, report.unchanged, report.embedded) == (True, 3, 0)
    assert ask.sources.shared().size == report.passages
    ask.sources.close()
