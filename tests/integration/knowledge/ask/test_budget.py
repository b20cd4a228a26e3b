"""The answers of a day are counted in the database, for every process that shares it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from knowledge.ask.budget import DailyBudget
from knowledge.store import Scope, Store
from knowledge.store.tables import ComposedCount

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


async def test_a_guild_has_so_many_a_day_and_no_more(store: Store) -> None:
    budget = DailyBudget(store, 2, lambda: NOON)
    assert [await budget.take("4711") for _ in range(4)] == [True, True, False, False]


async def test_each_guild_and_the_site_have_their_own(store: Store) -> None:
    budget = DailyBudget(store, 1, lambda: NOON)
    assert [await budget.take(place) for place in ("4711", "4712", None, "4711", None)] == [True] * 3 + [False] * 2


async def test_the_next_day_begins_anew_and_old_counts_go(store: Store) -> None:
    day = NOON - timedelta(days=60)
    budget = DailyBudget(store, 1, lambda: day)
    assert await budget.take("4711")
    day = NOON
    assert await budget.take("4711")
    async with store.reading(Scope.all()) as session:
        assert await session.scalar(select(func.count()).select_from(ComposedCount)) == 1


async def test_processes_that_share_a_database_share_the_count(store: Store) -> None:
    replicas = [DailyBudget(store, 5, lambda: NOON) for _ in range(4)]
    taken = await asyncio.gather(*(replica.take("4711") for replica in replicas for _ in range(4)))
    assert sum(taken) == 5


async def test_a_budget_of_zero_lets_nothing_through(store: Store) -> None:
    assert not await DailyBudget(store, 0).take(None)
