"""Tables of who is signed in on the site and which programs act for whom; no secret stands in clear."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledge.store.base import Base, new_id, now


class SiteSession(Base):
    """One browser in which a member is signed in; the row holds a hash of its cookie and ends with it."""

    __tablename__ = "site_sessions"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The SHA-256 of the secret that the cookie holds."""
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    place: Mapped[str | None] = mapped_column(String(32), default=None)
    """The guild that is looked at; None is what all share and the member's own."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ApiToken(Base):
    """One program that acts for a member, from one place: what it may do, and a hash of what it shows."""

    __tablename__ = "api_tokens"

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), index=True)
    place: Mapped[str | None] = mapped_column(String(32), default=None)
    name: Mapped[str] = mapped_column(String(80))
    """What the member calls it."""
    scopes: Mapped[list[str]]
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    last_used_at: Mapped[datetime | None] = mapped_column(default=None)


class LoginCode(Base):
    """A command line that waits for its member to confirm it in a browser; deleted once it has its token."""

    __tablename__ = "login_codes"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The SHA-256 of what the command line shows when it asks again."""
    code: Mapped[str] = mapped_column(String(8), unique=True)
    """What the member compares: short, and worth nothing by itself."""
    name: Mapped[str] = mapped_column(String(80))
    scopes: Mapped[list[str]]
    state: Mapped[str] = mapped_column(String(8), default="waiting")
    """waiting, allowed or refused."""
    member_id: Mapped[str | None] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), default=None)
    place: Mapped[str | None] = mapped_column(String(32), default=None)
    expires_at: Mapped[datetime]
