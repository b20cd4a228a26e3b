"""A group's own notes: folders and Git repositories, read again whenever they have moved."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from indexer.added_files import keep_files
from indexer.build import BuildReport, BuildSetup, build
from indexer.git_repository import web_address
from indexer.group_notes import NoteSource, read_notes
from knowledge.library.generation import opened
from knowledge.store import Scope
from knowledge.store.library import Resource

BARRIERS = "# Barriers\n\nOur kernel hung because half of the warp skipped the barrier in a branch.\n"
TILES = "# 分块\n\n我们把矩阵切成小块，每一块先搬进共享内存再计算。\n"


def committed(repository: Path, **files: str | None) -> None:
    """One more commit; a file without text is deleted."""
    if not repository.exists():
        subprocess.run(["git", "init", "-q", str(repository)], check=True)
    for name, text in files.items():
        file = repository / f"{name}.md"
        if text is None:
            file.unlink()
        else:
            file.write_text(text, encoding="utf-8")
    own = ["git", "-C", str(repository), "-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*own, "add", "-A"], check=True)
    subprocess.run([*own, "commit", "-q", "-m", "notes"], check=True)


async def built(library: BuildSetup, *sources: NoteSource) -> BuildReport:
    return await build(library, notes=read_notes(sources))


def shown(library: BuildSetup) -> dict[str, str]:
    """Text of each page that the index in use holds, by path."""
    with opened(library.data_dir) as generation:
        return {passage.path: passage.text for passage in generation.passages(range(len(generation)))}


async def states(library: BuildSetup) -> dict[str, str]:
    async with library.store.reading(Scope()) as session:
        return {row.title: row.state for row in await session.scalars(select(Resource))}


async def test_a_repository_is_read_again_when_it_moves(library: BuildSetup, tmp_path: Path) -> None:
    repository = tmp_path / "study"
    committed(repository, barriers=BARRIERS, tiles=TILES)
    source = NoteSource("study", tmp_path / "copy", str(repository / ".git"))
    first = await built(library, source)
    assert (first.published, first.changed, first.failures) == (True, 2, ())
    assert set(shown(library)) == {"study/barriers.md", "study/tiles.md"}
    async with library.store.reading(Scope()) as session:
        rows = {row.title: row for row in await session.scalars(select(Resource))}
    assert (rows["分块"].lang, rows["分块"].url, rows["分块"].origin, rows["分块"].state) == (
        "zh",
        None,
        "group",
        "approved",
    )
    (tmp_path / "copy" / ".git" / "index.lock").touch()  # as a git leaves it that was killed
    assert not (await built(library, source)).published

    committed(repository, barriers=BARRIERS.replace("hung", "stopped for good"), tiles=None)
    moved = await built(library, source)
    assert (moved.published, moved.changed, moved.retired) == (True, 1, 1)
    (text,) = shown(library).values()
    assert "stopped for good" in text
    assert await states(library) == {"Barriers": "approved", "分块": "removed"}


async def test_what_cannot_be_reached_stays_as_it_was_read(library: BuildSetup, tmp_path: Path) -> None:
    repository, folder = tmp_path / "study", tmp_path / "ours"
    folder.mkdir()
    (folder / "tiles.md").write_text(TILES, encoding="utf-8")
    committed(repository, barriers=BARRIERS)
    here = NoteSource("ours", folder)
    there = NoteSource("study", tmp_path / "copy", str(repository / ".git"))
    await built(library, here, there)
    repository.rename(tmp_path / "elsewhere")
    folder.rename(tmp_path / "unmounted")
    report = await built(library, here, there)
    assert set(shown(library)) == {"ours/tiles.md", "study/barriers.md"}
    assert ["there is no folder" in one.reason or one.reason.startswith("git: ") for one in report.failures] == [
        True
    ] * 2
    assert set((await states(library)).values()) == {"approved"}
    dropped = await built(library, there)
    assert (dropped.retired, set(shown(library))) == (1, {"study/barriers.md"})


async def test_nothing_hidden_and_nothing_outside_of_a_folder_is_read(library: BuildSetup, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nA password.\n", encoding="utf-8")
    folder = tmp_path / "ours"
    (folder / ".drafts").mkdir(parents=True)
    (folder / ".drafts" / "draft.md").write_text(BARRIERS, encoding="utf-8")
    (folder / "led out.md").symlink_to(tmp_path / "secret.md")
    (folder / "hidden.md").symlink_to(folder / ".drafts" / "draft.md")
    (folder / "circle.md").symlink_to(folder / "circle.md")
    (folder / "key.pem").write_text("a key")
    (folder / "tiles.md").write_text(TILES, encoding="utf-8")
    await built(library, NoteSource("ours", folder))
    assert set(shown(library)) == {"ours/tiles.md"}
    committed(tmp_path / "study", tiles=TILES)
    (tmp_path / "study" / "out.md").symlink_to("/etc/hostname")
    committed(tmp_path / "study")
    await built(library, NoteSource("study", tmp_path / "copy", str(tmp_path / "study" / ".git")))
    assert "study/tiles.md" in shown(library)
    assert socket.gethostname() not in "".join(shown(library).values())


def test_a_repository_that_fails_is_named_without_its_password(tmp_path: Path) -> None:
    address = "https://ada:se@cret@127.0.0.1:1/ada/notes.git"
    (failure,) = read_notes([NoteSource("notes", tmp_path / "copy", address)]).failures
    assert failure.url == "https://127.0.0.1:1/ada/notes.git"
    assert "cret" not in failure.reason


@pytest.mark.parametrize(
    ("repository", "there"),
    [
        ("https://github.com/ada/notes.git", "https://github.com/ada/notes/blob/HEAD"),
        ("git@gitee.com:ada/notes.git", "https://gitee.com/ada/notes/blob/HEAD"),
        ("https://gitlab.com/a/b/notes", "https://gitlab.com/a/b/notes/-/blob/HEAD"),
        ("https://git.intra/ada/notes.git", ""),
        ("/srv/notes.git", ""),
    ],
)
def test_a_page_of_a_known_host_leads_to_where_it_is_read(repository: str, there: str) -> None:
    assert web_address(repository) == there


async def test_a_folder_that_was_emptied_or_cannot_be_read_loses_nothing(library: BuildSetup, tmp_path: Path) -> None:
    """What is not mounted is an empty folder."""
    folder = tmp_path / "ours"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "tiles.md").write_text(TILES, encoding="utf-8")
    (folder / "barriers.md").write_text(BARRIERS, encoding="utf-8")
    source = NoteSource("ours", folder)
    await built(library, source)
    with unreadable(folder / "deep"):
        notes = read_notes([source])
    report = await build(library, notes=notes)
    assert (report.retired, [one.reason for one in report.failures]) == (0, ["it cannot be read: Permission denied"])
    for file in (folder / "deep" / "tiles.md", folder / "barriers.md"):
        file.unlink()
    report = await built(library, source)
    (failure,) = report.failures
    assert "holds nothing to read; what was read of it before stays" in failure.reason
    assert (report.retired, set(shown(library))) == (0, {"ours/deep/tiles.md", "ours/barriers.md"})
    (folder / "barriers.md").write_text(BARRIERS, encoding="utf-8")
    assert (await built(library, source)).retired == 1


@contextmanager
def unreadable(folder: Path) -> Iterator[None]:
    """Root may read everything, so that root becomes nobody for the while."""
    above = [one for one in folder.parents if not one.stat().st_mode & stat.S_IXOTH]
    modes = {one: one.stat().st_mode for one in (folder, *above)}
    for one in above:
        one.chmod(modes[one] | stat.S_IXOTH | stat.S_IROTH)
    folder.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        for one, mode in modes.items():
            one.chmod(mode)


def test_files_of_one_name_from_two_folders_are_two_pages(tmp_path: Path) -> None:
    """And one that is added again is one, also where it was added before copies had folders."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.md").write_text(BARRIERS.replace("kernel", f"kernel {name}"), encoding="utf-8")
    files, added = [tmp_path / "a" / "x.md", tmp_path / "b" / "x.md"], tmp_path / "added"
    added.mkdir()
    (added / "x.md").write_text("# Old\n", encoding="utf-8")
    for _ in range(2):
        assert keep_files(files, added) == []
    pages = read_notes([NoteSource("added", added)]).pages
    assert sorted(page.file.read_text(encoding="utf-8").split("hung")[0].split()[-1] for page in pages) == ["a", "b"]
    assert len({page.resource_id for page in pages}) == 2
