"""Steps of a migration that members do not notice: the version before it serves on while they run."""

from __future__ import annotations

from typing import Any

from alembic import op


def create_index(name: str, table: str, columns: list[str], **options: Any) -> None:
    """Make an index. On PostgreSQL rows are written meanwhile; one that was broken off is made anew.

    It ends the transaction of the migration, so a migration that makes indexes does nothing else.
    """
    context = op.get_context()
    if context.dialect.name != "postgresql":
        op.create_index(name, table, columns, **options)
        return
    with context.autocommit_block():
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)


def drop_index(name: str, table: str) -> None:
    context = op.get_context()
    if context.dialect.name != "postgresql":
        op.drop_index(name, table)
        return
    with context.autocommit_block():
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
