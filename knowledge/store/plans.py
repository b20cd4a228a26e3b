"""Tables of what a member has set out to learn, and of the questions that bring it back to mind."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, now


class PlanRow(Base):
    """A member's one plan: what is to be done, in order. The weeks are computed from it, never stored."""

    __tablename__ = "plans"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    goal: Mapped[str] = mapped_column(String(100))
    """`path:<topic>`, `topic:<topic>` or `problem:<slug>`."""
    level: Mapped[str] = mapped_column(String(16))
    minutes_a_week: Mapped[int]
    items: Mapped[list[dict[str, Any]]]
    """In the order to do them: each item's id, and the terms that are asked once it is done."""
    sittings: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Minutes spent on items that are longer than a week: item, minutes, on."""
    starts_on: Mapped[date]
    resumes_on: Mapped[date | None] = mapped_column(default=None)
    """The first day of the week in which it goes on, after weeks that were skipped."""
    created_at: Mapped[datetime] = mapped_column(default=now)


class ReviewRow(Base):
    """A review question that was asked, or a mistake that will be asked about."""

    __tablename__ = "reviews"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    """`term:<slug>` or `mistake:<finding>`."""
    step: Mapped[int] = mapped_column(default=0)
    """Right answers in a row."""
    due: Mapped[date | None] = mapped_column(default=None)
    """None once it is known for good."""
    submission_id: Mapped[str | None] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), default=None, index=True
    )
    """Where the mistake was made last."""
    at: Mapped[datetime] = mapped_column(default=now)
