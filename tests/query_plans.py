"""What PostgreSQL means to do for a statement, and what of it does not go on well when tables grow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from tests.every_query import Sent

LARGE = 4_000
"""Rows of a table that is not read from end to end."""
MOST_SORTED = 2_000
"""Rows that are put in order for one reply."""


@dataclass(frozen=True, slots=True)
class Trouble:
    by: str
    what: str
    statement: str


async def large_tables(connection: AsyncConnection) -> Mapping[str, int]:
    """Return the tables with many rows, as the last ANALYZE counted them."""
    rows = await connection.exec_driver_sql(
        f"SELECT relname, reltuples::int FROM pg_class WHERE relkind = 'r' AND reltuples >= {LARGE}"
    )
    return {row[0]: row[1] for row in rows}


async def troubles(connection: AsyncConnection, sent: Sequence[Sent]) -> list[Trouble]:
    """Return what is amiss with the plans of these statements, each looked at once."""
    large, found = await large_tables(connection), []
    once = {one.statement: one for one in sent if one.by and has_a_plan(one.statement)}
    for one in once.values():
        told = await connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {one.statement}", tuple(one.parameters))
        plan = told.scalar_one()
        (root,) = json.loads(plan) if isinstance(plan, str) else plan
        found += [Trouble(one.by, what, one.statement) for what in _amiss(root["Plan"], large)]
    return found


def has_a_plan(statement: str) -> bool:
    """Tell whether it reads or writes rows of ours; the driver and the migrations look into catalogues as well."""
    verb = statement.split(maxsplit=1)[0].upper()
    return verb in {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"} and "pg_catalog" not in statement


def _amiss(plan: Mapping[str, Any], large: Mapping[str, int]) -> Iterator[str]:
    for step in _steps(plan):
        if step["Node Type"] == "Seq Scan" and step["Relation Name"] in large:
            yield f"reads all of {step['Relation Name']}"
        if step["Node Type"].endswith("Sort") and step["Plans"][0]["Plan Rows"] > MOST_SORTED:
            yield f"sorts {step['Plans'][0]['Plan Rows']:.0f} rows"


def _steps(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _steps(below)
