"""Who is looking. A session belongs to one scope, and the scope is applied to every statement it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, String, event, or_
from sqlalchemy.orm import Mapped, ORMExecuteState, Session, mapped_column, with_loader_criteria
from sqlalchemy.orm.util import LoaderCriteriaOption

from knowledge.errors import NotAllowed


@dataclass(frozen=True, slots=True)
class Scope:
    """One guild, or nobody's guild (direct messages, the site, the command line), or everything."""

    guild_id: str | None = None
    everything: bool = False

    @classmethod
    def guild(cls, guild_id: str) -> Scope:
        return cls(guild_id=guild_id)

    @classmethod
    def all(cls) -> Scope:
        """Return the scope of the indexer, the outbox, migrations and a member's export: never of a reply."""
        return cls(everything=True)


class SharedOrGuild:
    """Rows of the library: without a guild they are everyone's, with one they are that guild's alone."""

    guild_id: Mapped[str | None] = mapped_column(String(32), index=True, default=None)

    @classmethod
    def visible_to(cls, scope: Scope) -> ColumnElement[bool]:
        if scope.guild_id is None:
            return cls.guild_id.is_(None)
        return or_(cls.guild_id.is_(None), cls.guild_id == scope.guild_id)


class GuildsOwn:
    """Rows of members' doings: seen only from the place where they were made."""

    guild_id: Mapped[str | None] = mapped_column(String(32), index=True, default=None)

    @classmethod
    def visible_to(cls, scope: Scope) -> ColumnElement[bool]:
        if scope.guild_id is None:
            return cls.guild_id.is_(None)
        return cls.guild_id == scope.guild_id


def confine(session_class: type[Session]) -> None:
    """Make every session of this class keep to the scope in its `info`."""
    event.listen(session_class, "do_orm_execute", _add_criteria)
    event.listen(session_class, "before_flush", _refuse_foreign_rows)


def _add_criteria(state: ORMExecuteState) -> None:
    scope: Scope = state.session.info["scope"]
    if scope.everything or state.is_column_load:
        return
    confined = (*SharedOrGuild.__subclasses__(), *GuildsOwn.__subclasses__())
    state.statement = state.statement.options(*_criteria(scope, confined))


@lru_cache(maxsize=512)
def _criteria(scope: Scope, confined: tuple[type[SharedOrGuild | GuildsOwn], ...]) -> Sequence[LoaderCriteriaOption]:
    """Return what a scope adds to every statement, made once for each scope: there are some twenty tables.

    Plain expressions, not lambdas: a cached lambda would carry the scope of whoever ran it first.
    """
    return tuple(with_loader_criteria(mapped, mapped.visible_to(scope), include_aliases=True) for mapped in confined)


def _refuse_foreign_rows(session: Session, _context: Any, _instances: Any) -> None:
    scope: Scope = session.info["scope"]
    if scope.everything:
        return
    for row in (*session.new, *session.dirty):
        if isinstance(row, SharedOrGuild | GuildsOwn) and row.guild_id != scope.guild_id:
            raise NotAllowed("error.scope.not_this_server")
