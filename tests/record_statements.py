"""Writes down what this version sends to PostgreSQL, for the version after it: `python -m tests.record_statements`.

Run it before a release, at its head: the next version's migrations are tried against what it wrote
(`tests/integration/knowledge/store/test_rolling_upgrade.py`).
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from knowledge.store.migrate import revisions
from tests.every_query import ask_everything, watched
from tests.folders import ROOT
from tests.query_plans import has_a_plan
from tests.shipped_content import shipped_content
from tests.stores import migrated_store

FILE = ROOT / f"tests/integration/knowledge/store/statements_{revisions()[-1]}.sql"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with migrated_store("postgres", Path(folder)) as store:
            with watched(store) as seen:
                await ask_everything(seen, shipped_content())
    sent = {" ".join(one.statement.split()) for one in seen.watch.sent if one.by and has_a_plan(one.statement)}
    FILE.write_text("\n".join(sorted(sent)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
