"""From a mirror to a published index, again and again."""

from __future__ import annotations

import dataclasses
import json
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from indexer.build import BuildSetup, build
from indexer.generations import rollback, tidy
from knowledge.errors import DataDirError, IndexUnusable
from knowledge.library.generation import MANIFEST, current_folder, open_current, opened
from knowledge.search.bridge import Bridge, Pair
from knowledge.search.wording import Wording
from knowledge.store.library import Resource, Snapshot
from knowledge.store.scope import Scope
from tests.integration.indexer.library import PAGES, write_mirror
from warpmate import datadir


async def test_a_mirror_becomes_an_index_that_finds_its_pages(library: BuildSetup, mirror: Path) -> None:
    report = await build(library, mirror=mirror)
    assert (report.pages, report.changed, report.failures) == (3, 3, ())
    with opened(library.data_dir, expect=library.embedder.spec) as generation:
        question = library.embedder.queries(["how do threads of a warp execute instructions?"])[0]
        (row, score), *_ = generation.nearest(question, 3)
        (passage,) = generation.passages([row])
    assert passage.path == "warps.md"
    assert 0.3 < score <= 1.0


async def test_every_passage_is_found_verbatim_in_the_snapshot_that_it_names(
    library: BuildSetup, mirror: Path
) -> None:
    await build(library, mirror=mirror)
    async with library.store.reading(Scope()) as session:
        texts = {row.id: row.text for row in await session.scalars(select(Snapshot))}
    with opened(library.data_dir) as generation:
        passages = generation.passages(range(len(generation)))
    assert {passage.path for passage in passages} == set(PAGES)
    for passage in passages:
        assert texts[passage.snapshot_id][passage.start : passage.end] == passage.text


async def test_a_code_block_is_one_passage_byte_for_byte_with_what_it_is(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    with opened(library.data_dir) as generation:
        (code,) = [passage for passage in generation.passages(range(len(generation))) if passage.kind == "code"]
    assert code.text == PAGES["banks.md"].split("```cuda\n")[1].removesuffix("\n```\n")
    assert code.meta["name"] == "transpose"
    assert "shared-memory" in code.meta["features"]
    assert "const float* in, float* out" in code.meta["description"]


async def test_a_second_build_without_a_change_writes_nothing(library: BuildSetup, mirror: Path) -> None:
    first = await build(library, mirror=mirror)
    before = sorted(path.stat().st_mtime_ns for path in library.index.rglob("*"))
    second = await build(library, mirror=mirror)
    assert (second.published, second.unchanged, second.embedded) == (False, 3, 0)
    assert second.generation == first.generation
    assert sorted(path.stat().st_mtime_ns for path in library.index.rglob("*")) == before


async def test_only_what_changed_is_embedded_and_the_old_snapshot_stays(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    with (mirror / "warps.md").open("a", encoding="utf-8") as page:
        page.write("\n## More\n\nThe scheduler picks a warp that is ready in every cycle.\n")
    report = await build(library, mirror=mirror)
    assert (report.changed, report.embedded) == (1, 2), "the new passage and its one sentence"
    async with library.store.reading(Scope()) as session:
        kept = (await session.scalars(select(Snapshot).where(Snapshot.path == "warps.md"))).all()
    assert sorted(snapshot.current for snapshot in kept) == [False, True]


async def test_a_page_that_left_the_mirror_leaves_the_index(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    write_mirror(mirror, {path: text for path, text in PAGES.items() if path != "zh.md"})
    report = await build(library, mirror=mirror)
    assert report.retired == 1
    with opened(library.data_dir) as generation:
        assert {passage.path for passage in generation.passages(range(len(generation)))} == {"banks.md", "warps.md"}


async def test_a_mirror_that_lost_most_pages_takes_nothing_out(library: BuildSetup, tmp_path: Path) -> None:
    many = {f"{number}.md": f"# Page {number}\n\nThe text of page number {number}.\n" for number in range(10)}
    mirror = write_mirror(tmp_path / "mirror", many)
    await build(library, mirror=mirror)
    write_mirror(mirror, dict(list(many.items())[:3]))
    report = await build(library, mirror=mirror)
    assert report.retired == 0
    assert len(report.failures) == 7
    assert "missing, but kept" in report.failures[0].reason


async def test_a_page_that_cannot_be_read_is_a_failure_with_its_reason_and_no_more(
    library: BuildSetup, tmp_path: Path
) -> None:
    mirror = write_mirror(tmp_path / "mirror", PAGES)
    rows = [
        {"url": "https://example.org/e", "path": "../outside.md", "kind": "markdown"},
        {"url": "https://example.org/n", "path": "nowhere.md", "kind": "markdown"},
        {"url": "https://example.org/k", "path": "kind.xyz", "kind": "spreadsheet"},
        {"url": "https://example.org/p", "path": "broken.pdf", "kind": "pdf"},
    ]
    (tmp_path / "outside.md").write_text("# Outside\n\nA secret.\n", encoding="utf-8")
    (mirror / "kind.xyz").write_bytes(b"cells")
    (mirror / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    with (mirror / "manifest.jsonl").open("a", encoding="utf-8") as manifest:
        manifest.write("\n" + "\n".join(map(json.dumps, rows)) + "\nnot json\n")
    report = await build(library, mirror=mirror)
    reasons = {failure.path: failure.reason for failure in report.failures}
    assert "leaves the mirror" in reasons["../outside.md"]
    assert "no such file" in reasons["nowhere.md"]
    assert "spreadsheet" in reasons["kind.xyz"]
    assert "PDF" in reasons["broken.pdf"]
    assert "not JSON" in reasons[""]
    assert report.changed == 3


@pytest.mark.parametrize("name", ["vectors.npy", "passages.db", MANIFEST])
async def test_a_damaged_index_is_refused_with_what_mends_it_and_a_build_mends_it(
    library: BuildSetup, mirror: Path, name: str
) -> None:
    await build(library, mirror=mirror)
    folder = current_folder(library.index)
    assert folder is not None
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 0xFF
    (folder / name).write_bytes(content)
    with pytest.raises(IndexUnusable, match="run: warpmate index build"):
        open_current(library.data_dir)
    report = await build(library, mirror=mirror)
    assert report.published
    assert report.embedded == 0, "the vectors were still in the cache"
    open_current(library.data_dir).close()


async def test_an_index_of_another_model_is_refused_by_name(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    other = dataclasses.replace(library.embedder.spec, model="another-model", dimension=512)
    with pytest.raises(IndexUnusable, match="another-model"):
        open_current(library.data_dir, expect=other)


async def test_without_any_index_the_command_that_makes_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusable, match="run: warpmate index build"):
        open_current(tmp_path)


async def test_the_generation_before_is_kept_and_can_be_gone_back_to(library: BuildSetup, mirror: Path) -> None:
    first = await build(library, mirror=mirror)
    (mirror / "warps.md").write_text("# Warps\n\nEverything was rewritten here.\n", encoding="utf-8")
    second = await build(library, mirror=mirror)
    assert rollback(library.index) == first.generation
    with opened(library.data_dir) as generation:
        assert generation.manifest.generation == first.generation
    assert rollback(library.index) == second.generation


READER = """
import sys
from pathlib import Path
from knowledge.library.generation import open_current

generation = open_current(Path(sys.argv[1]))
print(generation.manifest.generation, flush=True)
sys.stdin.readline()
print(len(generation.passages(range(len(generation)))), flush=True)
sys.stdin.readline()
"""


async def test_what_another_process_reads_in_a_shared_folder_stays_until_it_ends(
    library: BuildSetup, mirror: Path, tmp_path: Path
) -> None:
    first = await build(library, mirror=mirror)
    (replica := tmp_path / "replica").mkdir()
    datadir.share_index(replica, library.index)
    datadir.share_index(replica, library.index)
    reader = subprocess.Popen(  # noqa: ASYNC220  it answers line by line
        [sys.executable, "-c", READER, str(replica)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert reader.stdin is not None
        assert reader.stdout is not None
        assert reader.stdout.readline().strip() == first.generation
        for number in range(3):
            (mirror / "warps.md").write_text(
                f"# Warps\n\nEverything was rewritten {number} times.\n", encoding="utf-8"
            )
            newest = await build(library, mirror=mirror)
        kept = {folder.name for folder in (library.index / "generations").iterdir()}
        assert {first.generation, newest.generation} < kept
        assert len(kept) == 3
        with opened(replica) as generation:
            assert generation.manifest.generation == newest.generation
        print(file=reader.stdin, flush=True)
        assert int(reader.stdout.readline()) == first.passages
    finally:
        reader.kill()
        reader.communicate()
    tidy(library.index)
    assert {folder.name for folder in (library.index / "generations").iterdir()} == kept - {first.generation}


def test_a_data_directory_with_an_index_of_its_own_is_not_given_another(tmp_path: Path) -> None:
    (tmp_path / "data" / "index").mkdir(parents=True)
    with pytest.raises(DataDirError, match="WARPMATE_INDEX_DIR"):
        datadir.share_index(tmp_path / "data", tmp_path / "shared")


@contextmanager
def files_no_longer_than(size: int) -> Iterator[Callable[[str, int, int], None]]:
    """A build's progress that lets no file grow beyond a size from the moment an index is written: a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def progress(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("publish", 0):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))

    try:
        yield progress
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [100, 1_000, 5_000])
async def test_a_disk_that_fills_up_leaves_the_index_in_use_as_it_was(
    library: BuildSetup, mirror: Path, size: int
) -> None:
    first = await build(library, mirror=mirror)
    (mirror / "warps.md").write_text("# Warps\n\nEverything was rewritten here.\n", encoding="utf-8")
    with files_no_longer_than(size) as progress, pytest.raises((OSError, sqlite3.Error)):
        await build(dataclasses.replace(library, progress=progress), mirror=mirror)
    assert open_current(library.data_dir).manifest.generation == first.generation
    assert [folder.name for folder in (library.index / "generations").iterdir()] == [first.generation]


async def test_the_files_of_search_are_checked_like_the_others(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    generation = open_current(library.data_dir)
    generation.close()
    notes = generation.folder / "search" / "notes.json"
    notes.write_text(notes.read_text(encoding="utf-8").replace("stated", "stayed"), encoding="utf-8")
    with pytest.raises(IndexUnusable, match=r"search/notes\.json"):
        open_current(library.data_dir)


async def test_what_a_guild_adds_stays_out_of_the_shared_index(
    library: BuildSetup, mirror: Path, tmp_path: Path
) -> None:
    await build(library, mirror=mirror)
    own = write_mirror(
        tmp_path / "own", {"secret.md": "# Our cluster\n\nThe login node of our cluster is called otter.\n"}
    )
    theirs = dataclasses.replace(library, guild_id="4711")
    report = await build(theirs, mirror=own)
    assert report.passages == 1
    shared = await build(library, mirror=mirror)
    assert not shared.published
    with opened(library.data_dir) as generation:
        assert all("otter" not in passage.text for passage in generation.passages(range(len(generation))))
    with opened(library.data_dir, guild_id="4711") as generation:
        assert [passage.path for passage in generation.passages(range(len(generation)))] == ["secret.md"]


async def test_what_a_member_overrode_survives_a_new_reading(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    async with library.store.session(Scope()) as session:
        row = (await session.scalars(select(Resource).where(Resource.url.endswith("warps.md")))).one()
        row.summary_en, row.overrides = "Our own words.", {"summary_en": "Our own words."}
    (mirror / "warps.md").write_text(
        PAGES["warps.md"] + "\nOne sentence more about the warps of a block.\n", encoding="utf-8"
    )
    await build(library, mirror=mirror)
    async with library.store.reading(Scope()) as session:
        row = (await session.scalars(select(Resource).where(Resource.url.endswith("warps.md")))).one()
    assert row.summary_en == "Our own words."


async def test_a_summary_is_made_of_the_pages_own_sentences(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)
    async with library.store.reading(Scope()) as session:
        row = (await session.scalars(select(Resource).where(Resource.url.endswith("warps.md")))).one()
    assert row.summary_by == "extractive"
    assert row.summary_en in PAGES["warps.md"]


async def test_what_a_killed_build_had_stored_is_published_by_the_next_one(library: BuildSetup, mirror: Path) -> None:
    await build(library, mirror=mirror)

    def dies(stage: str, done: int, total: int) -> None:
        if stage == "publish":
            raise KeyboardInterrupt

    (mirror / "warps.md").write_text("# Warps\n\nEverything was rewritten here.\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        await build(dataclasses.replace(library, progress=dies), mirror=mirror)
    report = await build(library, mirror=mirror)
    assert (report.published, report.changed) == (True, 0)
    with opened(library.data_dir) as generation:
        texts = [passage.text for passage in generation.passages(range(len(generation)))]
    assert "Everything was rewritten here." in texts


async def test_another_version_of_the_wording_makes_the_index_anew_and_embeds_only_what_reads_differently(
    library: BuildSetup, mirror: Path
) -> None:
    def worded(*pairs: tuple[str, str]) -> BuildSetup:
        return dataclasses.replace(library, wording=Wording(Bridge(Pair((en,), (zh,)) for en, zh in pairs), False))

    access, unsaid = ("access", "访问"), ("pancake", "煎饼")
    assert (await build(worded(access), mirror=mirror)).published
    assert not (await build(worded(access), mirror=mirror)).published
    second = await build(worded(access, unsaid), mirror=mirror)
    assert (second.published, second.embedded) == (True, 0)
    third = await build(worded(("visit", "访问"), unsaid), mirror=mirror)
    assert (third.published, third.embedded) == (True, 2), "the Chinese passage and the sentence that says it"
