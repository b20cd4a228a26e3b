"""While an upgrade rolls, the version before it serves on over the new tables: it expands, and contracts later.

`statements_REVISION.sql` holds what the version with that head sent, recorded by `python -m tests.record_statements`
before the tables were changed. What it sends has to mean something to the new tables, and what it writes to fit in.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect

from knowledge.store import Store, open_store
from knowledge.store.migrate import revisions, upgrade
from tests.stores import empty_database

pytestmark = pytest.mark.needs("postgres")
RECORDED = max(Path(__file__).parent.glob("statements_*.sql"))
BEFORE = RECORDED.stem.partition("_")[2]
ADD_MEMBER = "INSERT INTO members (id, preferences, created_at) VALUES ($1, '{}', now())"


def columns(connection: Connection) -> dict[tuple[str, str], dict[str, Any]]:
    tables = inspect(connection)
    return {
        (table, column["name"]): dict(column)
        for table in tables.get_table_names()
        for column in tables.get_columns(table)
    }


@pytest.fixture
def database() -> str:
    return "postgres"


async def test_every_statement_of_the_version_before_works_over_the_new_tables(store: Store) -> None:
    failed = []
    async with store.engine.connect() as connection:
        for number, statement in enumerate(RECORDED.read_text(encoding="utf-8").splitlines()):
            try:
                async with connection.begin_nested():
                    await connection.exec_driver_sql(f"PREPARE s{number} AS {statement}")
            except Exception as error:  # noqa: BLE001  all that fail are told together
                failed.append(f"{statement}\n{error}")
    assert failed == []


async def test_what_the_version_before_reads_is_there_and_what_it_leaves_out_may_be(tmp_path: Path) -> None:
    async with empty_database("postgres", tmp_path) as url, open_store(url) as store:
        await upgrade(store, BEFORE)
        async with store.engine.connect() as connection:
            before = await connection.run_sync(columns)
        await upgrade(store)
        async with store.engine.connect() as connection:
            after = await connection.run_sync(columns)
    assert {name for name in before if str(before[name]["type"]) != str(after.get(name, {}).get("type"))} == set()
    served = {table for table, _ in before}
    added = {name: column for name, column in after.items() if name not in before and name[0] in served}
    assert [name for name, column in added.items() if not column["nullable"] and not column["default"]] == []


async def test_of_two_that_start_at_once_one_migrates_and_the_other_waits(tmp_path: Path) -> None:
    async with (
        empty_database("postgres", tmp_path) as url, open_store(url) as one, open_store(url) as other
    ):  # fmt: skip
        went = await asyncio.gather(upgrade(one), upgrade(other))
    head = revisions()[-1]
    assert sorted(went, key=str) == [(head, head), (None, head)]
    assert len(set(went)) == 2


async def test_an_index_is_made_while_rows_are_written_and_one_that_was_broken_off_anew(tmp_path: Path) -> None:
    async with empty_database("postgres", tmp_path) as url, open_store(url) as store:
        await upgrade(store, BEFORE)
        async with store.engine.begin() as connection:  # what an interrupted CREATE INDEX CONCURRENTLY leaves
            await connection.exec_driver_sql("CREATE INDEX ix_verdicts_at ON verdicts (kind)")
        async with store.engine.connect() as writer:
            await writer.exec_driver_sql(ADD_MEMBER, ("a",))
            upgrading = asyncio.create_task(upgrade(store))
            waits = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted"
            async with store.engine.connect() as looking, asyncio.timeout(30):
                while not upgrading.done():
                    here = f"{waits} AND datname = current_database()"
                    if (await looking.exec_driver_sql(here)).scalar_one():
                        break
                    await looking.rollback()
                    await asyncio.sleep(0.05)
            await writer.exec_driver_sql(ADD_MEMBER, ("b",))
            await writer.commit()
            await upgrading
        async with store.engine.connect() as connection:
            made = "SELECT pg_get_indexdef('ix_verdicts_at'::regclass)"
            assert "(at, kind)" in (await connection.exec_driver_sql(made)).scalar_one()
