"""Tables of those who judge: workers on other hosts, what they failed at, and what others said of their verdicts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, now
from knowledge.store.scope import GuildsOwn


class EnrolledWorker(Base):
    """One worker on another host: its public key, and whether it may have jobs."""

    __tablename__ = "workers"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    public_key: Mapped[str] = mapped_column(String(64))
    enrolled_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    """Its key opens nothing from then on."""
    paused_at: Mapped[datetime | None] = mapped_column(default=None)
    """It gets no jobs until an operator lets it go on."""
    paused_why: Mapped[str] = mapped_column(String(200), default="", server_default="")


class SetAside(GuildsOwn, Base):
    """A submission that could not be judged for no fault of its member, until somebody retries it or lets it go."""

    __tablename__ = "set_aside"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    reason: Mapped[str] = mapped_column(String(32))
    """A word under `aside` in the catalogues."""
    attempts: Mapped[int]
    worker: Mapped[str] = mapped_column(String(64))
    """The last that had it; empty where nobody knows."""
    at: Mapped[datetime] = mapped_column(default=now)


class SecondOpinion(Base):
    """A verdict of a worker on another host that was judged again, and what the others said."""

    __tablename__ = "second_opinions"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    worker: Mapped[str] = mapped_column(String(64), index=True)
    """Whose verdict was judged again."""
    opinions: Mapped[list[dict[str, Any]]]
    """The verdict's and the others': worker, verdict, card, score."""
    agree: Mapped[bool]
    at: Mapped[datetime] = mapped_column(default=now)
