"""Tables of what was asked: questions with their answers, and what people thought of them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, new_id, now, only_where
from knowledge.store.scope import GuildsOwn


class Question(GuildsOwn, Base):
    """One question and what was answered, so that follow-ups, feedback and gaps can refer to it."""

    __tablename__ = "questions"
    __table_args__ = (
        Index("ix_questions_thread", "thread", "member_id", "asked_at"),
        Index("ix_questions_guild_asked", "guild_id", "asked_at"),
        Index("ix_questions_asked", "asked_at", "status"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    member_id: Mapped[str | None] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    thread: Mapped[str | None] = mapped_column(String(64), default=None)
    """Where the conversation takes place; one conversation per thread and member."""
    text: Mapped[str] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(8))
    status: Mapped[str] = mapped_column(String(16), index=True)
    """answered or refused."""
    answer: Mapped[dict[str, Any]] = mapped_column(default=dict)
    generation: Mapped[str] = mapped_column(String(64), default="")
    follow_up_of: Mapped[str | None] = mapped_column(String(26), default=None)
    saved: Mapped[bool] = mapped_column(default=False, index=True)
    """The member wants to be told when the library can answer it; the outbox knows whether they were."""
    public: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The asker has shared it: whoever knows its address may read the answer."""
    unlisted: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The asker keeps it from the group's page and feeds, saved or shared."""
    asked_at: Mapped[datetime] = mapped_column(default=now)


class Feedback(Base):
    """What one member thought of one answer; the last word counts."""

    __tablename__ = "feedback"
    __table_args__ = (
        UniqueConstraint("question_id", "member_id"),
        Index("ix_feedback_unhelpful", "question_id", **only_where("helpful IS false")),
        Index("ix_feedback_unreviewed", "at", **only_where("helpful IS false AND reviewed_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    question_id: Mapped[str] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"))
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    helpful: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text, default="")
    reviewed_at: Mapped[datetime | None] = mapped_column(default=None)
    at: Mapped[datetime] = mapped_column(default=now)


class ComposedCount(Base):
    """How many answers a language model was asked to compose for one guild on one day; deleted after a month."""

    __tablename__ = "composed_counts"

    place: Mapped[str] = mapped_column(String(32), primary_key=True)
    """The guild; empty for the site, the command line and direct messages together."""
    day: Mapped[date] = mapped_column(primary_key=True)
    answers: Mapped[int]
