"""What is stored about a member, handed out or deleted, from every table and with no list to forget.

Tables are found by their columns: whatever points at `members`, or names a member in `added_by` or
`queued_by`, is included on the day the table is added; so is what belongs to such a row, as a verdict does.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, delete, or_, select

from knowledge.store import Scope, Store
from knowledge.store.tables import Base, Member

Export = dict[str, list[dict[str, Any]]]
_GIVEN_AWAY = frozenset({"resources"})
"""What a member gave to a library stays there, without their name."""


async def export(store: Store, member_id: str) -> Export:
    """Rows by table name; empty when nothing is stored."""
    found: Export = {}
    async with store.reading(Scope.all()) as session:
        for table, theirs in _rows_about(member_id):
            matches = select(table).where(theirs)
            rows = (await session.execute(matches)).mappings().all()
            if rows:
                found[table.name] = [{key: _plain(value) for key, value in row.items()} for row in rows]
    return found


async def forget(store: Store, member_id: str) -> dict[str, int]:
    """Delete every row about the member; what they gave to a library stays, without their name."""
    removed: dict[str, int] = {}
    async with store.session(Scope.all()) as session:
        for table, columns in _tables_about_members():
            for column in columns:
                if table.name in _GIVEN_AWAY:
                    await session.execute(table.update().where(column == member_id).values({column.name: None}))
                    continue
                gone = await session.execute(delete(table).where(column == member_id).returning(column))
                if count := len(gone.all()):
                    removed[table.name] = removed.get(table.name, 0) + count
    return removed


def _tables_about_members() -> list[tuple[Table, list[Column[Any]]]]:
    """Children before parents, so that a deletion leaves nothing dangling."""
    found = []
    for table in reversed(Base.metadata.sorted_tables):
        columns = [column for column in table.columns if _names_a_member(table, column)]
        if columns:
            found.append((table, columns))
    return found


def _rows_about(member_id: str) -> list[tuple[Table, ColumnElement[bool]]]:
    """Which rows of which table: those that name the member, and those that belong to one of these."""
    named = {table: or_(*(column == member_id for column in columns)) for table, columns in _tables_about_members()}
    belonging = {
        table: key.parent.in_(select(key.column).where(named[key.column.table]))
        for table in Base.metadata.sorted_tables
        if table not in named
        for key in table.foreign_keys
        if key.column.table in named and key.column.table.name not in _GIVEN_AWAY
    }
    return [*named.items(), *belonging.items()]


def _names_a_member(table: Table, column: Column[Any]) -> bool:
    if table.name == Member.__tablename__:
        return bool(column.primary_key)
    points = any(key.column.table.name == Member.__tablename__ for key in column.foreign_keys)
    return points or column.name in {"added_by", "queued_by"}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
