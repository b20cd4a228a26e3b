"""The table of replies that somebody has been promised."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base


class OpenReply(Base):
    """A reply that a face has announced and not given yet; the row goes when it is there. Names no member."""

    __tablename__ = "open_replies"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The face's own name for it."""
    face: Mapped[str] = mapped_column(String(16), index=True)
    reply_to: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Where it is to be given, as the face wrote it."""
    until: Mapped[datetime]
    """Nobody waits for it any longer than that."""
