"""Replies that a face has announced: each is a row until it is given, so that a process that dies forgets none."""

from __future__ import annotations

from collections.abc import Mapping
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

    async def given(self, promise: Promise) -> None:
        row = OpenReply(id=promise.id, face=promise.face, reply_to=dict(promise.reply_to), until=promise.until)
        async with self.store.session(Scope()) as session:
            await session.merge(row)

    async def kept(self, promise_id: str) -> None:
        """The reply is there, or there is nobody left to give it to."""
        async with self.store.session(Scope()) as session:
            await session.execute(delete(OpenReply).where(OpenReply.id == promise_id))

    async def open(self, face: str) -> tuple[Promise, ...]:
        """What this face still owes, oldest first; what nobody waits for any more is dropped."""
        async with self.store.session(Scope()) as session:
            await session.execute(delete(OpenReply).where(OpenReply.face == face, OpenReply.until <= now()))
            rows = await session.scalars(select(OpenReply).where(OpenReply.face == face).order_by(OpenReply.until))
            return tuple(Promise(row.id, row.face, row.reply_to, row.until) for row in rows)
