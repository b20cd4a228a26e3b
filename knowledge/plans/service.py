"""A member's plan as the faces use it: begin it, look at it, change its hours, skip a week, stop."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.content import Content
from knowledge.content.names import level_named
from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.plans.curriculum import items_for, reached_level, terms_of
from knowledge.plans.goal import goal_named
from knowledge.plans.records import outline_of, read_records
from knowledge.plans.reviews import EVERYWHERE, Reviews
from knowledge.plans.view import Plan, first_week, plan_of
from knowledge.plans.weeks import WEEK
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import PlanRow

LEAST_HOURS, MOST_HOURS = 1, 40


def utc_today() -> date:
    return datetime.now(UTC).date()


class Plans:
    """A member has one plan at most, wherever they look at it."""

    def __init__(
        self, store: Store, content: Content, recommender: Recommender, today: Callable[[], date] = utc_today
    ) -> None:
        self._store = store
        self._content = content
        self._recommender = recommender
        self._today = today
        self.reviews = Reviews(store, content, recommender, today)

    async def start(
        self, scope: Scope, member_id: str, goal: str, hours: int, level: str | None = None, lang: str = "en"
    ) -> Plan:
        """Make a plan in place of the member's present one; what they have done is left out.

        Without a level, the one that the member has reached in the goal's topic is taken.
        """
        aim, minutes = goal_named(self._content, goal, lang), _minutes(hours)
        shelf, history = await self._recommender.shelf(scope), await self._recommender.history(member_id)
        stated = level_named(level) if level else reached_level(shelf, aim, history)
        items = items_for(shelf, aim, stated, history, lang)
        if not items:
            raise BadInput("error.plan.nothing_left", goal=aim.title)
        terms = terms_of(shelf, items, self._content.definitions)
        async with self._store.session(EVERYWHERE) as session:
            await ensure_member(session, member_id)
            await _replace(
                session,
                member_id,
                goal=aim.id,
                level=stated,
                minutes_a_week=minutes,
                items=[{"item": item.id, "terms": list(terms[item.id])} for item in items],
                sittings=[],
                starts_on=self._today(),
                resumes_on=None,
                created_at=now(),
            )
        return await self._present(scope, member_id, lang)

    async def look(self, scope: Scope, member_id: str, lang: str = "en") -> Plan | None:
        """The plan as it stands today; None where there is none."""
        shelf = await self._recommender.shelf(scope)
        async with self._store.reading(EVERYWHERE) as session:
            records = await read_records(session, member_id)
        if records.outline is None:
            return None
        goal = goal_named(self._content, records.outline.goal, lang)
        return plan_of(records.outline, goal, records, shelf, self._today(), lang)

    async def set_hours(self, scope: Scope, member_id: str, hours: int, lang: str = "en") -> Plan:
        await self._change(member_id, minutes_a_week=_minutes(hours))
        return await self._present(scope, member_id, lang)

    async def skip(self, scope: Scope, member_id: str, week: date | None = None, lang: str = "en") -> Plan:
        """Leave this week out, or the one that begins on a day; everything in it moves on.

        Said twice of the same week, it is skipped once.
        """
        async with self._store.session(EVERYWHERE) as session:
            row = await _row(session, member_id)
            first = first_week(outline_of(row), self._today())
            if week is None or week == first:
                row.resumes_on = first + WEEK
        return await self._present(scope, member_id, lang)

    async def resume(self, scope: Scope, member_id: str, lang: str = "en") -> Plan:
        """Go on this week although it was skipped."""
        await self._change(member_id, resumes_on=None)
        return await self._present(scope, member_id, lang)

    async def sit(self, scope: Scope, member_id: str, item: str, reached: int, lang: str = "en") -> Plan:
        """Note that so many minutes of an item are spent by now: the week's part of one that is longer."""
        async with self._store.session(EVERYWHERE) as session:
            row = await _row(session, member_id)
            outline = outline_of(row)
            if item not in outline.items:
                raise NotFound("error.plan.item_unknown", name=item)
            if (minutes := min(reached, 1 << 20) - outline.reached(item)) > 0:
                sitting = {"item": item, "minutes": minutes, "on": self._today().isoformat()}
                row.sittings = [*row.sittings, sitting]
        return await self._present(scope, member_id, lang)

    async def stop(self, member_id: str) -> None:
        """End the plan; what was read and solved stays, and so do the questions that were asked."""
        async with self._store.session(EVERYWHERE) as session:
            await session.delete(await _row(session, member_id))

    async def _change(self, member_id: str, **values: Any) -> None:
        async with self._store.session(EVERYWHERE) as session:
            row = await _row(session, member_id)
            for name, value in values.items():
                setattr(row, name, value)

    async def _present(self, scope: Scope, member_id: str, lang: str) -> Plan:
        plan = await self.look(scope, member_id, lang)
        if plan is None:
            raise _no_plan()
        return plan


def _minutes(hours: int) -> int:
    if not LEAST_HOURS <= hours <= MOST_HOURS:
        raise BadInput("error.plan.hours", hours=hours, least=LEAST_HOURS, most=MOST_HOURS)
    return hours * 60


async def _row(session: AsyncSession, member_id: str) -> PlanRow:
    row = await session.get(PlanRow, member_id, with_for_update=True)
    if row is None:
        raise _no_plan()
    return row


async def _replace(session: AsyncSession, member_id: str, **values: Any) -> None:
    """In one statement, so that of two plans begun at once the later one stands."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    made = dialect.insert(PlanRow).values(member_id=member_id, **values)
    await session.execute(made.on_conflict_do_update(index_elements=["member_id"], set_=values))


def _no_plan() -> NotFound:
    return NotFound("error.plan.none")
