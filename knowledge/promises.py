"""Replies that a face has announced: each is a row until it is given, so that a process that dies forgets none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select

from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import OpenReply


@dataclass(frozen=True, slots=True)
class Promise:
    """`id` and `reply_to` are the face's own; after `until` nobody waits any more."""

    id: str
    face: str
    reply_to: Mapping[str, Any]
    until: datetime


@dataclass(frozen=True, slots=True)
class PromiseLog:
    store: Store

    async def write(self, given: Sequence[Promise] = (), kept: Collection[str] = ()) -> None:
        """All that changed, in one transaction. Kept: the reply is there, or nobody is left to give it to."""
        rows = [OpenReply(id=one.id, face=one.face, reply_to=dict(one.reply_to), until=one.until) for one in given]
        async with self.store.session(Scope()) as session:
            await session.execute(delete(OpenReply).where(OpenReply.id.in_([*kept, *(row.id for row in rows)])))
            session.add_all(rows)

    async def open(self, face: str) -> tuple[Promise, ...]:
        """What this face still owes, oldest first; what nobody waits for any more is dropped."""
        async with self.store.session(Scope()) as session:
            await session.execute(delete(OpenReply).where(OpenReply.face == face, OpenReply.until <= now()))
            rows = await session.scalars(select(OpenReply).where(OpenReply.face == face).order_by(OpenReply.until))
            return tuple(Promise(row.id, row.face, row.reply_to, row.until) for row in rows)
