"""What curators wrote under content/, as rows: resources and our own notes. What members overrode stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from indexer.mirror import SourcePage
from knowledge.content.library import Content
from knowledge.store import Store
from knowledge.store.library import Resource as ResourceRow
from knowledge.store.scope import Scope

NOTE = "note"


async def list_content(store: Store, content: Content) -> int:
    """Bring the rows up to the files; what is no longer listed is removed from view. Returns how many changed."""
    wanted = {fields["id"]: fields for fields in _listed(content)}
    async with store.session(Scope()) as session:
        rows = (await session.scalars(select(ResourceRow).where(ResourceRow.origin == "content"))).all()
        known = {row.id: row for row in rows}
        adopted = {row.url: row for row in (await session.scalars(select(ResourceRow))).all() if row.url}
        changed = 0
        for id_, fields in wanted.items():
            row = known.get(id_) or adopted.get(fields["url"])
            if row is None:
                session.add(ResourceRow(**fields))
                changed += 1
            else:
                changed += _update(row, {key: value for key, value in fields.items() if key != "id"})
        for id_, row in known.items():
            if id_ not in wanted and row.state != "removed":
                row.state = "removed"
                changed += 1
    return changed


def _update(row: ResourceRow, fields: dict[str, Any]) -> bool:
    fresh = {key: value for key, value in fields.items() if key not in row.overrides and getattr(row, key) != value}
    for key, value in fresh.items():
        setattr(row, key, value)
    return bool(fresh)


def _listed(content: Content) -> Iterator[dict[str, Any]]:
    said = {"origin": "content", "state": "approved", "summary_by": "curator"}
    for resource in content.resources:
        yield said | {
            "id": resource.id,
            "url": resource.url,
            "title": resource.title,
            "lang": resource.lang,
            "kind": resource.kind,
            "level": resource.level,
            "topics": list(resource.topics),
            "prerequisites": list(resource.prerequisites),
            "minutes": resource.minutes,
            "summary_en": resource.summaries.en,
            "summary_zh": resource.summaries.zh,
        }
    for note in {note.id: note for note in reversed(content.notes)}.values():
        yield said | {
            "id": note.id,
            "url": None,
            "title": note.title,
            "lang": note.lang,
            "kind": NOTE,
            "summary_by": "extractive",  # as it will be labelled once its page is read
            "level": note.level,
            "topics": list(note.topics),
            "prerequisites": [f"topic:{topic}" for topic in note.needs],
            "minutes": note.minutes,
        }


def note_pages(content: Content, root: Path) -> list[SourcePage]:
    """Our notes as pages: one resource each, with a page in either language."""
    return [
        SourcePage(
            url=note.id,
            path=note.path,
            title=note.title,
            lang=note.lang,
            kind="markdown",
            file=root / note.path,
            resource_id=note.id,
        )
        for note in content.notes
    ]
