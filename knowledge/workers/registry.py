"""The workers on other hosts: enrolled with a public key, paused, let go on, revoked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from knowledge.errors import BadInput, NotFound
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import EnrolledWorker

REMOTE = "remote/"
"""Begins the name that a worker on another host has in the queue: no host is called so."""
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_EVERYWHERE = Scope.all()
LONGEST_WHY = 200


def is_remote(worker: str) -> bool:
    return worker.startswith(REMOTE)


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What an operator sees of a worker, and what the gateway asks."""

    name: str
    public_key: str
    enrolled_at: datetime
    revoked_at: datetime | None
    paused_at: datetime | None
    paused_why: str


@dataclass(frozen=True, slots=True)
class Workers:
    store: Store

    async def enroll(self, name: str, public_key: str) -> None:
        """Know the worker by this key; BadInput for a name that is not one or was given before."""
        if not _NAME.fullmatch(name):
            raise BadInput("error.worker.name", name=name[:60])
        async with self.store.session(_EVERYWHERE) as session:
            if await session.get(EnrolledWorker, name) is not None:
                raise BadInput("error.worker.known", name=name)
            session.add(EnrolledWorker(name=name, public_key=public_key))

    async def listed(self) -> tuple[Enrolled, ...]:
        async with self.store.reading(_EVERYWHERE) as session:
            rows = await session.scalars(select(EnrolledWorker).order_by(EnrolledWorker.name))
            return tuple(_enrolled(row) for row in rows)

    async def find(self, name: str) -> Enrolled | None:
        async with self.store.reading(_EVERYWHERE) as session:
            row = await session.get(EnrolledWorker, name)
        return _enrolled(row) if row else None

    async def revoke(self, name: str) -> None:
        """For good: a worker that is to come back is enrolled under another name, with a key of its own."""
        async with self.store.session(_EVERYWHERE) as session:
            row = await session.get(EnrolledWorker, name)
            if row is None:
                raise _unknown(name)
            row.revoked_at = row.revoked_at or now()

    async def pause(self, name: str, why: str) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            row = await session.get(EnrolledWorker, name)
            if row is None:
                raise _unknown(name)
            if row.paused_at is None:
                row.paused_at, row.paused_why = now(), why[:LONGEST_WHY]

    async def resume(self, name: str) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            row = await session.get(EnrolledWorker, name)
            if row is None:
                raise _unknown(name)
            row.paused_at, row.paused_why = None, ""


def _unknown(name: str) -> NotFound:
    return NotFound("error.worker.unknown", name=name[:60])


def _enrolled(row: EnrolledWorker) -> Enrolled:
    return Enrolled(row.name, row.public_key, row.enrolled_at, row.revoked_at, row.paused_at, row.paused_why)
