"""What tests know of a stored plan without asking the code that made it."""

from __future__ import annotations

from sqlalchemy import select

from knowledge.store import Scope, Store
from knowledge.store.tables import PlanRow


async def item_with_terms(store: Store, member: str, terms: int = 3) -> str:
    """The first item of the member's plan that brings so many terms: which one it is, is up to content/."""
    async with store.reading(Scope.all()) as session:
        items = await session.scalar(select(PlanRow.items).where(PlanRow.member_id == member))
    return next(str(entry["item"]) for entry in items or () if len(entry["terms"]) == terms)
