"""Who may look at a submission: its owner, and everybody here once the owner has shared it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import update

from knowledge.errors import NotFound
from knowledge.store import Scope, Store
from knowledge.store.tables import Submission
from worker.protocol import Form, Try, from_json


@dataclass(frozen=True, slots=True)
class VisibleSubmission:
    """A submission as somebody who may look at it sees it; the verdict is read beside it."""

    submission: str
    form: Form
    problem: str | None
    source: str
    state: str
    own: bool
    public: bool
    withdrawn: bool
    created_at: datetime
    trying: Try | None = None
    """Of form `try`: what it is run on."""


@dataclass(frozen=True, slots=True)
class Shares:
    store: Store

    async def see(self, scope: Scope, viewer: str, submission: str) -> VisibleSubmission:
        """Return a submission that the viewer may see; what is somebody else's is told like what does not exist."""
        async with self.store.reading(scope) as session:
            row = await session.get(Submission, submission)
        if row is None or (row.member_id != viewer and not row.public):
            raise _not_here()
        return VisibleSubmission(
            row.id, Form(row.form), row.problem, row.source, row.state, row.member_id == viewer, row.public,
            row.withdrawn, row.created_at, from_json(Try, row.trying) if row.trying else None,
        )  # fmt: skip

    async def share(self, scope: Scope, owner: str, submission: str, *, public: bool) -> None:
        own = (Submission.id == submission, Submission.member_id == owner)
        async with self.store.session(scope) as session:
            found = await session.execute(
                update(Submission).where(*own).values(public=public).returning(Submission.id)
            )
            if found.first() is None:
                raise _not_here()


def _not_here() -> NotFound:
    return NotFound("error.submission.unknown")
