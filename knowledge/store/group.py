"""Tables of what a guild does together: its plan, who agreed to be named, what the bot has posted by itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, new_id, now
from knowledge.store.scope import GuildsOwn


class GroupPlanRow(GuildsOwn, Base):
    """The one plan of a guild. Its weeks are fixed when it begins, so that all members have the same."""

    __tablename__ = "group_plans"
    __table_args__ = (UniqueConstraint("guild_id"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    goal: Mapped[str] = mapped_column(String(100))
    """`path:<topic>`, `topic:<topic>` or `problem:<slug>`."""
    level: Mapped[str] = mapped_column(String(16))
    weeks: Mapped[list[dict[str, Any]]]
    """By week, in order: ids of its items, the slug of its problem, minutes."""
    channel: Mapped[str] = mapped_column(String(32))
    """Where the bot opens and closes the weeks."""
    starts_at: Mapped[datetime]
    """When the first week opens; every other one does at the same hour of the same weekday (UTC)."""
    created_at: Mapped[datetime] = mapped_column(default=now)


class NamedMember(GuildsOwn, Base):
    """A member who agreed to be named in one guild with what they read and solved; deleted when they take it back."""

    __tablename__ = "named_members"
    __table_args__ = (UniqueConstraint("guild_id", "member_id"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime] = mapped_column(default=now)


class PostRow(GuildsOwn, Base):
    """Something that the bot posts by itself. Who adds its row posts it: no key is there twice."""

    __tablename__ = "posts"

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    """`plan:<id>:open:<week>`, `digest:<guild>:<monday>` and the like."""
    state: Mapped[str] = mapped_column(String(8), default="claimed")
    """claimed; or done: it is there, or there was nobody to take it."""
    claimed_until: Mapped[datetime]
    """Until then nobody else tries; after that a claim is one of a process that ended."""
    problem: Mapped[str | None] = mapped_column(String(64), default=None)
    """The problem of the week that it opened, if it did."""
    message: Mapped[str | None] = mapped_column(String(32), default=None)
    """The number of the message, once it is there; its thread has the same one."""
    created_at: Mapped[datetime] = mapped_column(default=now)


class LeaseRow(Base):
    """Who of several processes leads something, such as rounds by the clock, and until when."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]
