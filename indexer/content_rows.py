"""Write content/ into rows: the curators' resources and our own notes. What people decided about a row stays."""

from __future__ import annotations

from sqlalchemy import select

from indexer.mirror import SourcePage
from knowledge.addresses import key_of
from knowledge.catalogue import curated_fields
from knowledge.catalogue.precedence import fill
from knowledge.content.load import Content
from knowledge.store import Store
from knowledge.store.library import Resource as ResourceRow
from knowledge.store.scope import Scope


async def list_content(store: Store, content: Content) -> int:
    """Bring the rows up to the files; what is no longer listed is removed from view. Returns how many changed."""
    wanted = {fields["id"]: fields for fields in curated_fields(content)}
    async with store.session(Scope()) as session:
        rows = (await session.scalars(select(ResourceRow))).all()
        known = {row.id: row for row in rows}
        brought = {row.address_key: row for row in rows if row.address_key and row.id not in wanted}
        changed, kept = 0, set[str]()
        for id_, fields in wanted.items():
            row = known.get(id_) or (brought.get(key_of(fields["url"])) if fields["url"] else None)
            if row is None:
                session.add(ResourceRow(**fields))
                changed += 1
            else:
                kept.add(row.id)
                changed += fill(row, {key: value for key, value in fields.items() if key != "id"})
        for row in rows:
            if row.origin == "content" and row.id not in kept and row.state != "removed":
                row.state = "removed"
                changed += 1
    return changed


def note_pages(content: Content) -> list[SourcePage]:
    """Our notes as pages: one resource each, with a page in either language."""
    return [
        SourcePage(
            url=note.id,
            path=note.path,
            title=note.title,
            lang=note.lang,
            kind="markdown",
            file=content.root / note.path,
            resource_id=note.id,
        )
        for note in content.notes
    ]
