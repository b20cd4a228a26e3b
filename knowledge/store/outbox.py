"""The table of what is still to be told to somebody, across the end of any process."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, now
from knowledge.store.scope import GuildsOwn


class OutboxRow(GuildsOwn, Base):
    """One thing owed: an announced reply, a verdict, the answer to a saved question; deleted once delivered."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_face_kind", "face", "kind"),
        Index("ix_outbox_kind_state", "kind", "state", "owner"),
    )

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """reply, verdict or answer."""
    about: Mapped[str] = mapped_column(String(64), primary_key=True)
    """What it is: the interaction's or the message's own id, a submission, a question."""
    face: Mapped[str] = mapped_column(String(16))
    """discord, for instance: who delivers it."""
    owner: Mapped[str | None] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True, default=None)
    """None for an announced reply, which names no member and is gone within a quarter of an hour."""
    address: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Where it is to be delivered, as the face wrote it."""
    state: Mapped[str] = mapped_column(String(16), default="open")
    """open; or undelivered: the way to its owner is closed, so it waits until they come by."""
    until: Mapped[datetime | None] = mapped_column(default=None)
    """After this nobody waits for it."""
    created_at: Mapped[datetime] = mapped_column(default=now)
