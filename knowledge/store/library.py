"""Tables that the indexer fills: resources, their dated snapshots, the passages that point into them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, validates

from knowledge.addresses import key_of
from knowledge.store.base import Base, now, only_where
from knowledge.store.scope import SharedOrGuild


class Resource(SharedOrGuild, Base):
    """One thing to read or watch. What people decided (`overrides`) survives every new crawl."""

    __tablename__ = "resources"
    __table_args__ = (
        # NULLs never collide in a unique index, and the shared library has no guild: hence two.
        Index("uq_resources_shared_url", "url", unique=True, **only_where("guild_id IS NULL")),
        Index("uq_resources_guild_url", "guild_id", "url", unique=True, **only_where("guild_id IS NOT NULL")),
    )

    id: Mapped[str] = mapped_column(String(200), primary_key=True)
    url: Mapped[str | None] = mapped_column(Text)
    address_key: Mapped[str | None] = mapped_column(Text, index=True, default=None)
    """Of the address: equal for its other spellings, so that one page has one row whoever names it."""
    title: Mapped[str] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(32))
    level: Mapped[str | None] = mapped_column(String(16), default=None)
    topics: Mapped[list[str]] = mapped_column(default=list)
    prerequisites: Mapped[list[str]] = mapped_column(default=list)
    minutes: Mapped[int | None] = mapped_column(default=None)
    summary_en: Mapped[str] = mapped_column(Text, default="")
    summary_zh: Mapped[str] = mapped_column(Text, default="")
    summary_by: Mapped[str] = mapped_column(String(16), default="curator")
    """curator, extractive or model: who wrote the summary."""
    origin: Mapped[str] = mapped_column(String(16))
    """content (files under content/), mirror, group (its notes), forum (threads that are kept), or member."""
    state: Mapped[str] = mapped_column(String(16), default="approved", index=True)
    """pending, approved or removed."""
    added_by: Mapped[str | None] = mapped_column(String(64), default=None, index=True)
    reasons: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Why each automatic label is what it is, as messages: ids and fields."""
    overrides: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What moderators set (title, level, topics, minutes, a summary), and `state` where they removed it."""
    link_state: Mapped[str] = mapped_column(String(16), default="unknown")
    """unknown, ok, unreachable or dead."""
    link_failing_since: Mapped[datetime | None] = mapped_column(default=None)
    duplicate_of: Mapped[str | None] = mapped_column(String(200), default=None)
    translation_of: Mapped[str | None] = mapped_column(String(200), default=None)
    created_at: Mapped[datetime] = mapped_column(default=now)
    visible_since: Mapped[datetime | None] = mapped_column(default=None)
    """When somebody took what had waited or been removed; None where it was in the library from the beginning."""
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)

    @validates("url")
    def _keep_the_key(self, _column: str, url: str | None) -> str | None:
        self.address_key = key_of(url) if url else None
        return url

    @validates("state")
    def _note_when_it_came_in(self, _key: str, state: str) -> str:
        """Here, because moderators, members and crawls all decide: readers ask since when they could have read it."""
        if state == "approved" and self.state in {"pending", "removed"}:
            self.visible_since = now()
        return state


class Snapshot(SharedOrGuild, Base):
    """The extracted text of one page on one day. Quotes point into it, so a row is never changed."""

    __tablename__ = "snapshots"
    __table_args__ = (Index("ix_snapshots_resource_page", "resource_id", "path", "fetched_at"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    resource_id: Mapped[str] = mapped_column(ForeignKey("resources.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(Text)
    path: Mapped[str] = mapped_column(Text, default="")
    """Path inside the mirror, or of the page below its resource."""
    title: Mapped[str] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(32))
    text: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64), index=True)
    source_hash: Mapped[str] = mapped_column(String(64), index=True)
    """Of the bytes as fetched: equal bytes are not extracted again."""
    etag: Mapped[str | None] = mapped_column(Text, default=None)
    last_modified: Mapped[str | None] = mapped_column(Text, default=None)
    meta: Mapped[dict[str, Any]] = mapped_column(default=dict)
    current: Mapped[bool] = mapped_column(default=True, index=True)
    fetched_at: Mapped[datetime] = mapped_column(default=now)


class Passage(SharedOrGuild, Base):
    """A span of a snapshot that search can find."""

    __tablename__ = "passages"
    __table_args__ = (UniqueConstraint("snapshot_id", "ordinal"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshots.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    start: Mapped[int]
    end: Mapped[int]
    headings: Mapped[list[str]] = mapped_column(default=list)
    anchor: Mapped[str] = mapped_column(Text, default="")
    kind: Mapped[str] = mapped_column(String(16))
    """prose or code."""
    lang: Mapped[str] = mapped_column(String(8))
    content_hash: Mapped[str] = mapped_column(String(64), index=True)
    meta: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Snippet(Base):
    """What is known of a kernel found in some page, by the hash of its code: shared by all that print it."""

    __tablename__ = "snippets"

    content_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text, default="")
    description: Mapped[str] = mapped_column(Text, default="")
    features: Mapped[list[str]] = mapped_column(default=list)
    verdict: Mapped[str | None] = mapped_column(String(32), default=None)
    verdict_body: Mapped[dict[str, Any]] = mapped_column(default=dict)
    checked_with: Mapped[str] = mapped_column(String(64), default="")


class Fetch(SharedOrGuild, Base):
    """One attempt to get one page, whatever came of it: no failure without a row and a reason."""

    __tablename__ = "fetches"
    __table_args__ = (Index("ix_fetches_url_at", "url", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    resource_id: Mapped[str | None] = mapped_column(ForeignKey("resources.id", ondelete="CASCADE"))
    run: Mapped[str] = mapped_column(String(32), index=True, default="")
    url: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(default=now)
    outcome: Mapped[str] = mapped_column(String(16))
    """stored, unchanged, refused, failed or gone."""
    status: Mapped[int | None] = mapped_column(default=None)
    reason: Mapped[str] = mapped_column(Text, default="")
