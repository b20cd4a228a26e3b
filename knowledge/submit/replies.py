"""What a face still has to tell: replies survive its restart because the rows know where they go.

`reply_to` is the face's own note; three of its keys are understood here: `face`, whose it is, `lang`, the
language of the readings where the member chose none, and `replied`, set when the verdict has been shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from knowledge.store import Scope, Store
from knowledge.store.tables import Submission


@dataclass(frozen=True, slots=True)
class Owed:
    submission: str
    scope: Scope
    member_id: str
    reply_to: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Replies:
    store: Store

    async def owed(self, face: str) -> tuple[Owed, ...]:
        """Every submission that this face has not replied to, finished or not, oldest first."""
        rows = (
            select(Submission)
            .where(Submission.reply_to["face"].as_string() == face)
            .where(Submission.reply_to["replied"].as_boolean().is_not(True))
            .order_by(Submission.id)
        )
        async with self.store.reading(Scope.all()) as session:
            return tuple(
                Owed(row.id, Scope(row.guild_id), row.member_id, row.reply_to) for row in await session.scalars(rows)
            )

    async def replied(self, submission: str) -> None:
        """The verdict has been shown, or there is nobody left to show it to."""
        async with self.store.session(Scope.all()) as session:
            row = await session.get(Submission, submission, with_for_update=True)
            if row is not None:
                row.reply_to = {**row.reply_to, "replied": True}
