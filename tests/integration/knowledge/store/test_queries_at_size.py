"""Every statement of the stores, over as many rows as a grown installation has: none reads or sorts a whole table.

`bench/database_at_size.py` does the same over the whole size and says how long each takes.
"""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from knowledge.store import Store
from tests.every_query import Sent, ask_everything, asking, watched
from tests.many_rows import TENTH, fill
from tests.query_plans import troubles
from tests.shipped_content import shipped_content

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture
def database() -> str:
    """PostgreSQL alone: SQLite serves one machine, and plans by other rules."""
    return "postgres"


async def test_no_statement_reads_or_sorts_a_whole_table(store: Store) -> None:
    await fill(store.engine, TENTH)
    with watched(store) as seen:
        await ask_everything(seen, shipped_content())
    assert asking() - seen.watch.asked == frozenset(), "tests/every_query.py has to call these"
    async with store.engine.connect() as connection:
        assert await troubles(connection, seen.watch.sent) == []
        await _is_seen_to_fail(connection)


async def _is_seen_to_fail(connection: AsyncConnection) -> None:
    """A statement that no index serves, and one that puts all rows in order."""
    whole = Sent("SELECT id FROM submissions WHERE source = $1::VARCHAR", ("x",), "whole")
    in_order = Sent("SELECT id FROM questions ORDER BY text", (), "in order")
    told = await troubles(connection, [whole, in_order])
    found = {(trouble.by, trouble.what.partition(" ")[0]) for trouble in told}
    assert found == {("whole", "reads"), ("in order", "reads"), ("in order", "sorts")}
