"""One resource as a member sees it, whether a file under content/ or a member brought it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from knowledge.content.resources import Kind
from knowledge.content.resources import Resource as Curated
from knowledge.store.tables import Resource as Row

KINDS = frozenset((*get_args(Kind), "note"))
"""What a face has a word for; pages of a mirror carry their file format instead."""


@dataclass(frozen=True, slots=True)
class Listed:
    id: str
    title: str
    url: str | None
    lang: str
    kind: str
    level: str | None
    topics: tuple[str, ...]
    summary: str
    state: str
    """pending, approved or removed."""
    link_state: str
    minutes: int | None = None
    added_by: str | None = None
    guild_id: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"topics": list(self.topics)}


def from_content(resource: Curated, lang: str) -> Listed:
    return Listed(
        id=resource.id,
        title=resource.title_in(lang),
        url=resource.url,
        lang=resource.lang,
        kind=resource.kind,
        level=resource.level,
        topics=resource.topics,
        summary=resource.summaries.text(lang),
        state="approved",
        link_state="unknown",
        minutes=resource.minutes,
    )


def from_row(row: Row, lang: str) -> Listed:
    """In the reader's language where there is a summary in it, else in the one there is."""
    summaries = (row.summary_zh, row.summary_en) if lang == "zh" else (row.summary_en, row.summary_zh)
    return Listed(
        id=row.id,
        title=row.title,
        url=row.url,
        lang=row.lang,
        kind=row.kind if row.kind in KINDS else "article",
        level=row.level,
        topics=tuple(row.topics or ()),
        summary=next((text for text in summaries if text), ""),
        state=row.state,
        link_state=row.link_state or "unknown",
        minutes=row.minutes,
        added_by=row.added_by,
        guild_id=row.guild_id,
    )


def overlaid(listed: Listed, row: Row) -> Listed:
    """A curated resource with what the crawler and the moderators know better."""
    decided = {key: row.overrides[key] for key in ("title", "level", "minutes") if key in row.overrides}
    topics = tuple(row.overrides.get("topics", listed.topics))
    return replace(listed, state=row.state, link_state=row.link_state, topics=topics, **decided)
