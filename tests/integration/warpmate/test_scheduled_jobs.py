"""A round of upkeep: visits what is due, blames no page for a missing network, publishes what was decided."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from indexer.fetch.crawl import Target
from indexer.schedule import Rhythm, due, online
from knowledge.ask.gaps import Gap, gaps_report
from knowledge.ask.question_log import StoredQuestion
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.library import Fetch, Resource
from tests.stores import migrated_store
from warpmate.scheduled_jobs import older_than_a_week

SHARED = Scope()
RHYTHM = Rhythm()
HOUR = timedelta(hours=1)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Store]:
    async with migrated_store("sqlite", tmp_path) as store:
        yield store


async def listed_with_visit(
    store: Store, name: str, outcome: str | None, ago: timedelta, guild: str | None = None
) -> None:
    scope = Scope(guild_id=guild)
    url = f"https://{name}.invalid/"
    async with store.session(scope) as session:
        session.add(Resource(id=name, guild_id=guild, url=url, title=name, lang="en", kind="site", origin="member"))
        await session.flush()
        if outcome is not None:
            session.add(Fetch(guild_id=guild, resource_id=name, url=url, outcome=outcome, at=now() - ago))


async def test_due_is_what_was_never_visited_or_long_ago(library: Store) -> None:
    await listed_with_visit(library, "new", None, HOUR)
    await listed_with_visit(library, "fresh", "stored", RHYTHM.page_age - HOUR)
    await listed_with_visit(library, "old", "unchanged", RHYTHM.page_age + HOUR)
    await listed_with_visit(library, "failed", "failed", RHYTHM.retry_after + HOUR)
    await listed_with_visit(library, "failed-just-now", "gone", RHYTHM.retry_after - HOUR)
    await listed_with_visit(library, "of-a-guild", None, HOUR, guild="7")
    assert {each.resource_id for each in await due(library, SHARED, RHYTHM, now())} == {"new", "old", "failed"}
    assert [each.resource_id for each in await due(library, Scope.guild("7"), RHYTHM, now())] == ["of-a-guild"]


async def test_the_latest_visit_counts(library: Store) -> None:
    await listed_with_visit(library, "page", "failed", RHYTHM.page_age + HOUR)
    async with library.session(SHARED) as session:
        session.add(Fetch(resource_id="page", url="https://page.invalid/", outcome="stored", at=now() - HOUR))
    assert await due(library, SHARED, RHYTHM, now()) == []


async def test_what_waits_for_a_moderator_is_never_due(library: Store) -> None:
    await listed_with_visit(library, "page", None, HOUR)
    async with library.session(SHARED) as session:
        (await session.get_one(Resource, "page")).state = "pending"
    assert await due(library, SHARED, RHYTHM, now()) == []


async def test_without_names_there_is_no_network() -> None:
    assert not await online([Target("a", "https://nowhere.invalid/x"), Target("b", "https://elsewhere.invalid/")])
    assert await online([Target("a", "https://nowhere.invalid/x"), Target("b", "http://localhost/")])
    assert not await online([])


def test_the_report_of_gaps_is_due_once_a_week(tmp_path: Path) -> None:
    file = tmp_path / "gaps.md"
    assert older_than_a_week(file, now())
    file.touch()
    assert not older_than_a_week(file, now())
    assert older_than_a_week(file, now() + timedelta(days=8))


def test_the_report_of_gaps_names_the_question_and_nobody() -> None:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    asked = [StoredQuestion(str(n), "What is\n a TMA?", "en", "refused", None, f"discord:{n}", at) for n in range(2)]
    report = gaps_report((Gap(tuple(asked)),), at)
    assert report == "# What the library lacks, 2026-01-05\n\n- What is a TMA? (asked 2 times by 2)\n"
    assert "Nothing" in gaps_report((), at)
