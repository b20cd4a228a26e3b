"""The outbox: what a face has still to tell somebody is a row until it was told, so that a restart forgets nothing.

Three kinds: a reply that was announced ("thinking ..."), a verdict, the answer to a saved question. Whoever makes the
promise writes the row in the same transaction; whoever keeps it deletes the row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, select, tuple_, update

from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import OutboxRow


class Owed(StrEnum):
    """The kinds of what is owed."""

    REPLY = "reply"
    VERDICT = "verdict"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """`about` names the thing that is owed; `address` is the face's own; after `until` nobody waits any more."""

    kind: Owed
    about: str
    face: str
    owner: str | None = None
    scope: Scope = field(default_factory=Scope)
    address: Mapping[str, Any] = field(default_factory=dict)
    until: datetime | None = None

    def as_row(self) -> OutboxRow:
        return OutboxRow(
            kind=self.kind.value,
            about=self.about,
            face=self.face,
            owner=self.owner,
            guild_id=self.scope.guild_id,
            address=dict(self.address),
            until=self.until,
        )


@dataclass(frozen=True, slots=True)
class Outbox:
    """Everything that is owed, in whatever guild it was promised; the address in a row says where it goes."""

    store: Store

    async def write(self, opened: Sequence[OutboxItem] = (), delivered: Collection[OutboxItem] = ()) -> None:
        """Store all that changed in one transaction; what is opened twice is owed once."""
        changed = [(item.kind.value, item.about) for item in (*opened, *delivered)]
        async with self.store.session(Scope.all()) as session:
            await session.execute(delete(OutboxRow).where(tuple_(OutboxRow.kind, OutboxRow.about).in_(changed)))
            session.add_all([item.as_row() for item in opened])

    async def open(self, face: str, kind: Owed) -> tuple[OutboxItem, ...]:
        """Return what this face still owes, oldest first; what nobody waits for any more is dropped."""
        theirs = (OutboxRow.face == face, OutboxRow.kind == kind.value)
        async with self.store.reading(Scope.all()) as session:
            rows = list(
                await session.scalars(
                    select(OutboxRow).where(*theirs).order_by(OutboxRow.created_at, OutboxRow.about)
                )
            )
        items = {row.about: (_item(row), row.until is not None and row.until <= now()) for row in rows}
        if late := [item for item, is_late in items.values() if is_late]:
            await self.write(delivered=late)
        return tuple(item for item, is_late in items.values() if not is_late)

    async def delivered(self, kind: Owed, *about: str) -> None:
        """Forget what was told, or what nobody is left to be told."""
        async with self.store.session(Scope.all()) as session:
            await session.execute(delete(OutboxRow).where(OutboxRow.kind == kind.value, OutboxRow.about.in_(about)))

    async def undelivered(self, kind: Owed, *about: str) -> None:
        """Keep it for its owner: the way to them is closed, and they are told when they come by."""
        async with self.store.session(Scope.all()) as session:
            await session.execute(
                update(OutboxRow)
                .where(OutboxRow.kind == kind.value, OutboxRow.about.in_(about))
                .values(state="undelivered")
            )


def _item(row: OutboxRow) -> OutboxItem:
    return OutboxItem(Owed(row.kind), row.about, row.face, row.owner, Scope(row.guild_id), row.address, row.until)
