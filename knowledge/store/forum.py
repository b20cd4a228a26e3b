"""Tables of forum threads that moderators wish to keep: which messages, and what their authors said to it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, new_id, now
from knowledge.store.scope import GuildsOwn


class KeptThread(GuildsOwn, Base):
    """One thread of a forum: picked from, then asked about, then a private reading of its guild."""

    __tablename__ = "kept_threads"
    __table_args__ = (UniqueConstraint("guild_id", "thread"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    thread: Mapped[str] = mapped_column(String(32))
    """Discord's number of the thread, and of the message that begins it: the question."""
    title: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(8), default="picking")
    """picking, asking or kept."""
    until: Mapped[datetime | None] = mapped_column(default=None)
    """While authors are asked: who has not agreed by then has refused."""
    resource_id: Mapped[str | None] = mapped_column(String(200), default=None)
    """The reading that was made of it."""
    created_at: Mapped[datetime] = mapped_column(default=now)


class KeptMessage(GuildsOwn, Base):
    """A message that was picked; its row goes when its author refuses, is silent, or takes their consent back."""

    __tablename__ = "kept_messages"

    message: Mapped[str] = mapped_column(String(32), primary_key=True)
    kept_thread: Mapped[str] = mapped_column(ForeignKey("kept_threads.id", ondelete="CASCADE"), index=True)
    author: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(Text)
    """As it stood when it was picked: the bot cannot read it again by itself."""
    edited_at: Mapped[datetime | None] = mapped_column(default=None)
    agreed: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
