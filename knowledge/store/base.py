"""What all tables share: the declarative base, column types that behave alike on both databases, new ids."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, MetaData, TypeDecorator, text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase
from ulid import ULID


def new_id() -> str:
    """A ULID: sorts by time, reads aloud, says nothing of how many there are."""
    return str(ULID())


def now() -> datetime:
    return datetime.now(UTC)


def only_where(condition: str) -> dict[str, Any]:
    """Return the options of an index that holds the rows of a condition alone.

    A statement uses it only where it says the same condition with the same values written out.
    """
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


class UtcDateTime(TypeDecorator[datetime]):
    """Aware in, aware out: SQLite forgets time zones, so the offset is fixed to UTC on the way in."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without zone reached the database")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Constraint names are fixed, so that migrations can name them on both databases."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012  SQLAlchemy reads this as a class attribute
        datetime: UtcDateTime(),
        dict[str, Any]: JSON(),
        list[str]: JSON(),
        list[dict[str, Any]]: JSON(),
    }
