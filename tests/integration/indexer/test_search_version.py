"""An index that an older warpmate made: refused with what mends it, and mended by that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.build import Library, build
from knowledge.ask.compose import build_hooks, open_ask
from knowledge.content import content_folder
from knowledge.content.glossary import load_glossary
from knowledge.errors import IndexUnusable
from knowledge.library.generation import MANIFEST, current_folder


@pytest.mark.slow
async def test_an_index_of_another_search_is_refused_and_one_build_makes_it_anew(
    library: Library, mirror: Path
) -> None:
    glossary = load_glossary(content_folder())
    hooks = build_hooks(glossary, library.embedder)
    whole = Library(
        store=library.store,
        data_dir=library.data_dir,
        embedder=library.embedder,
        readable=hooks.readable,
        wording_version=hooks.wording_version,
        extra_writers=hooks.extra_writers,
    )
    await build(whole, mirror=mirror)
    folder = current_folder(whole.index)
    assert folder is not None
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["notes"]["search"]["version"] = 0
    manifest["notes"]["wording"] = "0-made-earlier"
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    ask = open_ask(whole.data_dir, glossary, whole.embedder)
    with pytest.raises(IndexUnusable, match="another version of the search; run: warpmate index build"):
        ask.sources.shared()
    report = await build(whole, mirror=mirror)
    assert (report.published, report.unchanged, report.embedded) == (True, 3, 0)
    assert ask.sources.shared().size == report.passages
    ask.sources.close()
