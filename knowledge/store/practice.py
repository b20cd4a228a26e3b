"""What a member was shown of a problem's help."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, now


class ProblemHelpRow(Base):
    """The hints that a member has opened on a problem, and whether they gave it up."""

    __tablename__ = "problem_help"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(64), primary_key=True)
    hints: Mapped[int] = mapped_column(default=0)
    """How many are open, in their order."""
    gave_up_at: Mapped[datetime | None] = mapped_column(default=None)
    at: Mapped[datetime] = mapped_column(default=now)
