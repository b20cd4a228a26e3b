"""Tables of what was handed in and what came of it. The row is the truth; the broker only delivers."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ColumnElement, Date, ForeignKey, Index, String, Text, literal_column
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, new_id, now, only_where
from knowledge.store.scope import GuildsOwn


class Submission(GuildsOwn, Base):
    """One hand-in: the source, and where it stands."""

    __tablename__ = "submissions"
    __table_args__ = (
        Index("ix_submissions_member_created", "member_id", "created_at"),
        Index("ix_submissions_unfinished", "id", **only_where("state <> 'done'")),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    form: Mapped[str] = mapped_column(String(16))
    problem: Mapped[str | None] = mapped_column(String(64), default=None, index=True)
    source: Mapped[str] = mapped_column(Text)
    trying: Mapped[str | None] = mapped_column(Text, default=None)
    """Of form `try`, what was asked for, as JSON: sizes and inputs of the member's own."""
    backend: Mapped[str] = mapped_column(String(16))
    cards: Mapped[str] = mapped_column(String(200), default="", server_default="")
    """Keys of the cards that it may run on, commas between; empty for any."""
    state: Mapped[str] = mapped_column(String(16), default="waiting", index=True)
    """waiting, running or done."""
    fence: Mapped[int] = mapped_column(default=0)
    """Grows with each attempt; only the newest attempt's verdict is committed."""
    attempts: Mapped[int] = mapped_column(default=0)
    lang: Mapped[str] = mapped_column(String(8), default="en", server_default="en")
    """What the face spoke at the hand-in: the language of the readings where the member chose none."""
    public: Mapped[bool] = mapped_column(default=False)
    withdrawn: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    finished_at: Mapped[datetime | None] = mapped_column(default=None)

    @classmethod
    def unfinished(cls) -> ColumnElement[bool]:
        """Return the condition of the few that have no verdict, as their index has it."""
        return cls.state != literal_column("'done'")


class VerdictRow(GuildsOwn, Base):
    """How a submission ended: exactly one row, committed under the newest fence."""

    __tablename__ = "verdicts"
    __table_args__ = (
        Index("ix_verdicts_board", "problem", "card", "score"),
        Index("ix_verdicts_counted", "problem", "guild_id", "at", **only_where("counted IS NOT NULL")),
        Index("ix_verdicts_at", "at", "kind"),
        Index("ix_verdicts_unread", "submission_id", **only_where("language IS NULL AND kind = 'accepted'")),
    )

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    problem: Mapped[str | None] = mapped_column(String(64), default=None)
    kind: Mapped[str] = mapped_column(String(32), index=True)
    backend: Mapped[str] = mapped_column(String(16))
    card: Mapped[str | None] = mapped_column(String(128), default=None)
    score: Mapped[float | None] = mapped_column(default=None)
    worker: Mapped[str] = mapped_column(String(64), default="", server_default="")
    """Who judged it; empty where nobody did."""
    body: Mapped[str] = mapped_column(Text)
    """The verdict's JSON as the worker sent it, readings filled in."""
    language: Mapped[str | None] = mapped_column(String(8), default=None)
    """What an accepted kernel is written in: cuda or triton."""
    counted: Mapped[str | None] = mapped_column(Text, default=None)
    """Of an accepted kernel the JSON of what was counted, from which times are predicted; None where nothing was."""
    at: Mapped[datetime] = mapped_column(default=now)

    @classmethod
    def unread(cls) -> ColumnElement[bool]:
        """Return the condition of accepted kernels that a version wrote which knew no `language`."""
        return cls.language.is_(None) & (cls.kind == literal_column("'accepted'"))


class DailyCount(Base):
    """How many verdicts of a kind there were on one day (UTC), and questions by how they ended: without a name."""

    __tablename__ = "daily_counts"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    what: Mapped[str] = mapped_column(String(16), primary_key=True)
    """verdict or question."""
    kind: Mapped[str] = mapped_column(String(32), primary_key=True)
    n: Mapped[int]
