"""How long do the queries take over a million submissions, 200,000 questions and 50,000 members?

Fills a PostgreSQL database of its own on 127.0.0.1:5432, sends every statement of the stores, and looks at the plan
of each: `python bench/database_at_size.py`. The record says how long filling took, which plans read or sort too much
(none should), and the slowest statements, by the time that the server measured with all in memory.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.record import record
from knowledge.store import Limits, open_store
from knowledge.store.migrate import upgrade
from tests.every_query import Sent, ask_everything, watched
from tests.many_rows import WHOLE, fill
from tests.query_plans import has_a_plan, troubles
from tests.shipped_content import shipped_content
from tests.stores import empty_database

SLOWEST = 8


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with (
            empty_database("postgres", Path(folder)) as url,
            open_store(url, Limits(timeout_s=3600)) as store,
        ):
            await upgrade(store)
            began = time.perf_counter()
            await fill(store.engine, WHOLE)
            filled_s = time.perf_counter() - began
            with watched(store) as seen:
                await ask_everything(seen, shipped_content())
            async with store.engine.connect() as connection:
                amiss = await troubles(connection, seen.watch.sent)
                slowest = await _slowest(connection, seen.watch.sent)
    found = {
        "rows": {"members": WHOLE.members, "submissions": WHOLE.submissions, "questions": WHOLE.questions},
        "filled_s": round(filled_s, 1),
        "statements": len({one.statement for one in seen.watch.sent if one.by}),
        "plans_that_read_or_sort_too_much": [f"{one.by}: {one.what}" for one in amiss],
        "slowest_reads_ms": slowest,
    }
    record("database_at_size", found)
    print(json.dumps(found, indent=1))


async def _slowest(connection: Any, sent: list[Sent]) -> dict[str, float]:
    """By who sent it, how long its longest SELECT takes the second time."""
    found: dict[str, float] = {}
    once = {one.statement: one for one in sent if one.by and has_a_plan(one.statement)}
    for one in once.values():
        if one.statement.lstrip().upper().startswith("SELECT"):
            for _ in range(2):
                told = await connection.exec_driver_sql(
                    f"EXPLAIN (ANALYZE, FORMAT JSON) {one.statement}", tuple(one.parameters)
                )
                plan = told.scalar_one()
            (root,) = json.loads(plan) if isinstance(plan, str) else plan
            found[one.by] = max(found.get(one.by, 0.0), round(root["Execution Time"], 2))
    return dict(sorted(found.items(), key=lambda item: -item[1])[:SLOWEST])


if __name__ == "__main__":
    asyncio.run(main())
