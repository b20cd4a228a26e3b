"""A group's own pages: folders and Git repositories of its notes, read anew at every build."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import select

from indexer.fetch.kinds import kind_by_suffix
from indexer.git_repository import bring_up_to_date, web_address, without_secrets
from indexer.mirror import Failure, SourcePage
from knowledge.catalogue.precedence import fill
from knowledge.errors import OperatorError
from knowledge.store import Store
from knowledge.store.library import Resource
from knowledge.store.scope import Scope
from knowledge.text.language import has_han

ORIGIN = "group"
READ_KINDS = frozenset({"markdown", "rst", "notebook", "html", "pdf", "text"})
LARGEST_BYTES = 20 << 20
MOST_FILES = 5000


@dataclass(frozen=True, slots=True)
class NoteSource:
    """A folder of notes, or the working copy of a Git repository of them."""

    name: str
    """The beginning of its pages' paths, by which they are told from those of other sources."""
    folder: Path
    repository: str = ""


@dataclass(frozen=True, slots=True)
class GroupNotes:
    pages: tuple[SourcePage, ...]
    failures: tuple[Failure, ...]
    unread: frozenset[str]
    """Names of sources that could not be read now: what was read of them before stays."""

    def loss(self) -> Callable[[str], bool]:
        """Return what tells whether the page that had a path is gone for good."""
        present = {page.path for page in self.pages}
        return lambda path: path.partition("/")[0] not in self.unread and path not in present


def read_notes(sources: Sequence[NoteSource]) -> GroupNotes:
    """Return the pages of all sources, Git repositories as they are now."""
    pages: list[SourcePage] = []
    failures: list[Failure] = []
    unread: set[str] = set()
    for source in sources:
        try:
            if source.repository:
                bring_up_to_date(source.repository, source.folder)
            pages += _pages(source)
        except (OperatorError, OSError) as error:
            said = str(error) if isinstance(error, OperatorError) else f"it cannot be read: {error.strerror}"
            failures.append(Failure(without_secrets(source.repository) or str(source.folder), "", said))
            unread.add(source.name)
    return GroupNotes(tuple(pages), tuple(failures), frozenset(unread))


def is_readable(file: Path) -> bool:
    return kind_by_suffix(file.name) in READ_KINDS


def _pages(source: NoteSource) -> Iterator[SourcePage]:
    on_the_web = web_address(source.repository)
    for file in _files(source.folder):
        below = file.relative_to(source.folder).as_posix()
        path = f"{source.name}/{below}"
        yield SourcePage(
            url=f"{on_the_web}/{quote(below)}" if on_the_web else path,
            path=path,
            title="",
            lang="",
            kind=kind_by_suffix(file.name),
            file=file,
            resource_id=f"{_id_of(source.name)}-{_digest(below, 10)}",
        )


def _files(folder: Path) -> list[Path]:
    """Return the files to read, in order: nothing hidden, and no link that leads elsewhere."""
    if not folder.is_dir():
        raise OperatorError(f"there is no folder {folder}")
    found = sorted(
        file
        for file in _every_file(folder)
        if is_readable(file)
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and _stays(file, folder)
        and file.is_file()
        and file.stat().st_size <= LARGEST_BYTES
    )
    if len(found) > MOST_FILES:
        raise OperatorError(f"{folder} holds {len(found)} files to read, and {MOST_FILES} are the most")
    if not found:  # what is not mounted looks like this: all of its pages would go at once
        raise OperatorError(f"{folder} holds nothing to read; what was read of it before stays")
    return found


def _every_file(folder: Path) -> Iterator[Path]:
    """Yield every file below the folder; OSError where a folder cannot be read, whose pages would seem to be gone."""

    def fail(error: OSError) -> None:
        raise error

    for place, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in files)


def _stays(file: Path, folder: Path) -> bool:
    """Tell whether the file lies below the folder and is not hidden there, by whatever links it is reached."""
    try:
        below = file.resolve().relative_to(folder.resolve())
    except (ValueError, RuntimeError):  # it leads elsewhere, or in a circle
        return False
    return not any(part.startswith(".") for part in below.parts)


async def list_notes(store: Store, notes: GroupNotes) -> None:
    """List a reading for each page; one whose file is gone is removed from view, as long as no person decided."""
    kept = tuple(map(_id_of, notes.unread))
    async with store.session(Scope()) as session:
        rows = {row.id: row for row in await session.scalars(select(Resource).where(Resource.origin == ORIGIN))}
        for page in notes.pages:
            url = page.url if page.url != page.path else None
            if (row := rows.pop(page.resource_id, None)) is not None:
                fill(row, {"state": "approved", "url": url})
                continue
            title = page.file.stem.replace("-", " ").replace("_", " ")
            session.add(
                Resource(
                    id=page.resource_id,
                    url=url,
                    title=title,
                    lang="zh" if has_han(title) else "en",
                    kind="article",
                    origin=ORIGIN,
                    summary_by="extractive",
                    overrides={},
                )
            )
        for row in rows.values():
            if not row.id.startswith(kept):
                fill(row, {"state": "removed"})


def _id_of(name: str) -> str:
    return f"group-{_digest(name, 4)}"


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()
