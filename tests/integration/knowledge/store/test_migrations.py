"""Every migration goes up and down with rows in the tables, on both databases."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from knowledge.errors import StoreNewer
from knowledge.store import Scope, Store, open_store
from knowledge.store.migrate import downgrade, revisions, upgrade
from knowledge.store.tables import Base, Member, Question, Resource
from tests.stores import empty_database


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, Base.metadata))


async def rows_in(store: Store, table: str) -> int:
    async with store.engine.connect() as connection:
        return int(await connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


async def test_the_migrations_make_exactly_the_tables_of_the_code(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.engine.connect() as connection:
            assert await connection.run_sync(tables) == set(Base.metadata.tables)
            assert await connection.run_sync(differences) == []


async def test_each_step_down_and_up_again_keeps_the_rows_of_the_tables_that_stay(
    database: str, tmp_path: Path
) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.session(Scope.all()) as session:
            session.add(Member(id="local:ada"))
            session.add(Resource(id="r", url="https://example.org", title="t", lang="en", kind="a", origin="content"))
            await session.flush()
            session.add(Question(member_id="local:ada", text="why", lang="en", status="refused"))
        steps = ("base", *revisions())
        for below, step in reversed(list(pairwise(steps))):
            await downgrade(store, below)
            await upgrade(store, step)
            if below != "base":  # the first migration makes the tables: below it there is nothing to keep rows in
                assert await rows_in(store, "members") == 1
            await downgrade(store, below)
        await upgrade(store)
        async with store.engine.connect() as connection:
            assert await connection.run_sync(differences) == []


async def test_going_down_to_the_ground_leaves_no_table(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        await downgrade(store, "base")
        async with store.engine.connect() as connection:
            assert await connection.run_sync(tables) == set()


async def test_an_upgrade_that_was_done_is_done_again_without_effect(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        assert await upgrade(store) == (None, revisions()[-1])
        assert await upgrade(store) == (revisions()[-1], revisions()[-1])


async def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(StoreNewer, match="newer warpmate"):
            await upgrade(store)
        async with store.engine.connect() as connection:
            assert (await connection.scalar(text("SELECT version_num FROM alembic_version"))) == "9999"
