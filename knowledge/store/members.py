"""Tables about members: what they told us to remember, and nothing that identifies them beyond a key."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, now


class Member(Base):
    """`discord:<snowflake>`, `local:<name>` or `web:<random>`; no name, no address."""

    __tablename__ = "members"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    language: Mapped[str | None] = mapped_column(String(8), default=None)
    preferences: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)


class ReadingEvent(Base):
    """Append-only: two buttons pressed at once are two rows, so nothing is lost."""

    __tablename__ = "reading_events"
    __table_args__ = (Index("ix_reading_events_member_at", "member_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    item: Mapped[str] = mapped_column(String(200))
    """A resource id, `note:…` or `problem:…`."""
    event: Mapped[str] = mapped_column(String(16))
    """read, unread, skipped, too_easy, too_hard, saved, unsaved or solved."""
    at: Mapped[datetime] = mapped_column(default=now)


class MemberLevel(Base):
    """A level that the member set for a topic; estimates are computed, never stored."""

    __tablename__ = "member_levels"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    topic: Mapped[str] = mapped_column(String(64), primary_key=True)
    level: Mapped[str] = mapped_column(String(16))
    at: Mapped[datetime] = mapped_column(default=now)


class Guild(Base):
    """What a server's moderators decided."""

    __tablename__ = "guilds"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    language: Mapped[str | None] = mapped_column(String(8), default=None)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
