"""Suggest, decide, edit, remove, look up. Each is one short transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge import link_hints
from knowledge.addresses import Address, key_of
from knowledge.catalogue.addresses import AddressPolicy
from knowledge.catalogue.item import Item, curated_fields, item_of_row, items_of
from knowledge.catalogue.precedence import decide, override
from knowledge.content import LEVELS, Content
from knowledge.content.names import level_named, topic_named
from knowledge.content.topics import plain_name
from knowledge.errors import BadInput, NotFound, SafeError
from knowledge.members import ensure_member
from knowledge.store import Scope, Store
from knowledge.store.library import Resource
from knowledge.text.language import has_han

BROUGHT = ("member", "forum")
"""Origins of what members brought and moderators took."""
LONGEST_TITLE = 300
MOST_TOPICS = 4
MOST_MINUTES = 6000


@dataclass(frozen=True, slots=True)
class Edit:
    """What somebody states about a resource, as they typed it; None leaves a field as it is."""

    title: str | None = None
    level: str | None = None
    topics: tuple[str, ...] | None = None
    """An empty tuple takes all topics away."""
    minutes: int | None = None


_NOTHING = Edit()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A page that a list names, with what the list says of it."""

    url: str
    stated: Edit = _NOTHING
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Drafts:
    """What became of suggestions: those that wait for a moderator now, and the addresses of the others."""

    waiting: tuple[Item, ...]
    known: tuple[str, ...]
    refused: tuple[tuple[str, SafeError], ...]
    """Address and why."""


Standing = tuple[str, dict[str, Any]]
"""State and overrides of a row."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A page that was taken without a moderator."""

    id: str
    url: str
    before: Standing | None
    """None where it was approved already."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    store: Store
    content: Content
    policy: AddressPolicy = field(default_factory=AddressPolicy)

    async def add(
        self,
        scope: Scope,
        member_id: str,
        url: str,
        *,
        approved: bool = False,
        stated: Edit = _NOTHING,
        summary: str = "",
    ) -> Item:
        """A suggestion waits for a moderator; a moderator's own does not. A page that is there already is refused."""
        address = self.policy.page(url)
        overrides = self._checked(stated)
        try:
            async with self.store.session(scope) as session:
                await ensure_member(session, member_id)
                row = await self._free_row(session, scope, address)
                row.added_by = member_id
                decide(row, "approved" if approved else "pending")
                override(row, overrides)
                _summarise(row, summary)
                await session.flush()
                return item_of_row(row)
        except IntegrityError:
            raise AlreadyKnown(address.url) from None

    async def draft(self, scope: Scope, member_id: str, suggestions: Sequence[Suggestion]) -> Drafts:
        """Everything that a list names, as suggestions that wait; what is known already stays as it is."""
        waiting, known, refused = [], [], []
        for one in suggestions:
            try:
                waiting.append(
                    await self.add(scope, member_id, one.url, stated=_as_listed(one.stated), summary=one.summary)
                )
            except AlreadyKnown:
                known.append(one.url)
            except SafeError as error:
                refused.append((one.url, error))
        return Drafts(tuple(waiting), tuple(known), tuple(refused))

    async def take(self, scope: Scope, url: str, added_by: str | None = None) -> Taken:
        """The page at this address, approved, whether it was known or not."""
        address = self.policy.page(url)
        async with self.store.session(scope) as session:
            row = await self._own_row(session, scope, address.key)
            before: Standing | None = ("removed", {})  # a new page that is withdrawn is nobody's decision
            if row is None:
                row = _new_row(scope, address)
                row.added_by = added_by
                session.add(row)
            else:
                before = (row.state, row.overrides) if row.state != "approved" else None
            decide(row, "approved")
            await session.flush()
            return Taken(row.id, row.url or address.url, before)

    async def withdraw(self, scope: Scope, taken: Sequence[Taken]) -> None:
        """Put pages back where they were: they were taken a moment ago and could not be read."""
        before = {one.id: one.before for one in taken if one.before}
        async with self.store.session(scope) as session:
            for row in await session.scalars(select(Resource).where(Resource.id.in_(before))):
                row.state, row.overrides = before[row.id]

    async def decide(self, scope: Scope, resource_id: str, *, approved: bool) -> Item:
        """A moderator's word on a suggestion; approving also brings back what was removed."""
        async with self.store.session(scope) as session:
            row = await self._row(session, scope, resource_id)
            decide(row, "approved" if approved else "removed")
            return self._item(row)

    async def edit(self, scope: Scope, resource_id: str, edit: Edit) -> Item:
        overrides = self._checked(edit)
        if not overrides:
            raise BadInput("error.resource.no_change")
        async with self.store.session(scope) as session:
            row = await self._row(session, scope, resource_id)
            override(row, overrides)
            return self._item(row)

    async def remove(self, scope: Scope, resource_id: str) -> Item:
        """Out of lists, recommendations and, with the next build, answers; a later crawl does not bring it back."""
        return await self.decide(scope, resource_id, approved=False)

    async def info(self, scope: Scope, name: str, lang: str = "en") -> Item:
        """Find a resource by id, address, the title, or a part of the title that fits one only."""
        every, key = await self._every(scope), key_of(name)
        exact = [one for one in every if name in {one.id, one.curated_id} or (one.url and key_of(one.url) == key)]
        wanted = plain_name(name)
        named = [one for one in every if wanted and wanted in plain_name(one.title(lang))]
        near = exact or [one for one in named if wanted == plain_name(one.title(lang))] or named
        if len(near) == 1:
            return near[0]
        if near:
            raise BadInput("error.resource.several", found=tuple(one.title(lang) for one in near[:3]))
        raise NotFound("error.resource.unknown", name=name[:60])

    async def listed(
        self, scope: Scope, topic: str | None = None, lang: str = "en", *, state: str = "approved"
    ) -> tuple[Item, ...]:
        """Everything in one state, sorted by level and title."""
        wanted = topic_named(self.content.topics, topic, lang).id if topic else None
        every = [
            one for one in await self._every(scope) if one.state == state and (wanted is None or wanted in one.topics)
        ]
        return tuple(sorted(every, key=lambda one: (_rank(one), one.title(lang).casefold(), one.id)))

    async def new_since(self, scope: Scope, at: datetime) -> tuple[Item, ...]:
        """What members brought and moderators took since then, whenever it was suggested; first taken, first told."""
        return tuple(item for item, _ in await self.arrivals(scope, at))

    async def arrivals(self, scope: Scope, at: datetime) -> tuple[tuple[Item, datetime], ...]:
        """The same, each with when it was taken."""
        since = func.coalesce(Resource.visible_since, Resource.created_at)
        brought = (
            select(Resource)
            .where(Resource.origin.in_(BROUGHT), Resource.state == "approved", since > at)
            .order_by(since, Resource.id)
        )
        async with self.store.reading(scope) as session:
            rows = await session.scalars(brought)
            return tuple((item_of_row(row), row.visible_since or row.created_at) for row in rows)

    async def changed_since(self, scope: Scope, at: datetime) -> bool:
        """Whether somebody decided something after an index of that age was made."""
        younger = select(Resource.origin, Resource.overrides).where(
            Resource.guild_id == scope.guild_id, Resource.updated_at > at
        )
        async with self.store.reading(scope) as session:
            rows = (await session.execute(younger)).all()
        return any(origin in BROUGHT or overrides for origin, overrides in rows)

    async def guilds(self) -> tuple[str, ...]:
        """List the guilds that added something for themselves."""
        own = select(Resource.guild_id).where(Resource.guild_id.is_not(None)).distinct().order_by(Resource.guild_id)
        async with self.store.reading(Scope.all()) as session:
            return tuple(guild_id for guild_id in await session.scalars(own) if guild_id is not None)

    async def _every(self, scope: Scope) -> list[Item]:
        """What is read or watched; problems have lists of their own."""
        async with self.store.reading(scope) as session:
            rows = (await session.scalars(select(Resource))).all()
        return [
            item
            for item in items_of(self.content, rows)
            if item.kind != "problem" and (item.origin == "content" or item.duplicate_of is None)
        ]

    def _item(self, row: Resource) -> Item:
        """The row's item, with what content/ says of it."""
        of_row = (item for item in items_of(self.content, [row]) if item.id == row.id)
        return next(of_row)

    async def _free_row(self, session: AsyncSession, scope: Scope, address: Address) -> Resource:
        """A new row, or the scope's own removed one; BadInput where the page is in the library."""
        wanted = select(Resource).where(Resource.address_key == address.key).order_by(Resource.id)
        rows = (await session.scalars(wanted)).all()
        for row in rows:
            if row.state != "removed" or row.guild_id != scope.guild_id:
                raise AlreadyKnown(row.title, waits=row.state == "pending")
        if rows:
            return rows[0]
        if (curated := self._curated_at(address.key)) is not None:
            raise AlreadyKnown(curated["title"])
        row = _new_row(scope, address)
        session.add(row)
        return row

    async def _own_row(self, session: AsyncSession, scope: Scope, key: str) -> Resource | None:
        """The scope's own row of an address; a curated page gets its row here."""
        own = Resource.guild_id == scope.guild_id
        wanted = select(Resource).where(Resource.address_key == key, own).order_by(Resource.origin, Resource.id)
        row = (await session.scalars(wanted.with_for_update())).first()
        if row is None and scope.guild_id is None and (curated := self._curated_at(key)) is not None:
            row = Resource(**curated)
            session.add(row)
        return row

    async def _row(self, session: AsyncSession, scope: Scope, resource_id: str) -> Resource:
        """A curated resource gets its row with the first decision about it."""
        row: Resource | None = await session.get(Resource, resource_id, with_for_update=True)
        if row is not None and row.guild_id in {None, scope.guild_id}:
            return row
        curated = next((one for one in curated_fields(self.content) if one["id"] == resource_id), None)
        if curated is None:
            raise NotFound("error.resource.id_unknown", name=resource_id[:60])
        row = Resource(**curated)
        session.add(row)
        return row

    def _curated_at(self, key: str) -> dict[str, Any] | None:
        return next((one for one in curated_fields(self.content) if one["url"] and key_of(one["url"]) == key), None)

    def _checked(self, edit: Edit) -> Mapping[str, Any]:
        """The fields that were stated, in the library's own terms."""
        found: dict[str, Any] = {}
        if edit.title is not None:
            found["title"] = _title(edit.title)
        if edit.level is not None:
            found["level"] = level_named(edit.level)
        if edit.topics is not None:
            if len(edit.topics) > MOST_TOPICS:
                raise BadInput("error.resource.too_many_topics", most=MOST_TOPICS)
            named = [topic_named(self.content.topics, topic).id for topic in edit.topics]
            found["topics"] = list(dict.fromkeys(named))
        if edit.minutes is not None:
            if not 1 <= edit.minutes <= MOST_MINUTES:
                raise BadInput("error.resource.minutes", most=MOST_MINUTES)
            found["minutes"] = edit.minutes
        return MappingProxyType(found)


class AlreadyKnown(BadInput):
    """The page is in the library, or waits for a moderator."""

    def __init__(self, title: str, *, waits: bool = False) -> None:
        super().__init__("error.resource.waits" if waits else "error.resource.known", title=title)


def resource_id(guild_id: str | None, key: str) -> str:
    """Return the id of a page that content/ does not name: one per guild for all spellings of its address.

    Two who add one page at once therefore collide, and an index that is made anew cites the same id.
    """
    digest = hashlib.blake2b(f"{guild_id}\n{key}".encode(), digest_size=10).hexdigest()
    return f"page-{digest}"


def guessed_title(url: str) -> str:
    """What a page is called until it has been read: its address says it."""
    slug = link_hints.slug_title(url)
    title = slug if slug.isprintable() and slug else url.partition("://")[2].rstrip("/")
    return title[:LONGEST_TITLE]


def _new_row(scope: Scope, address: Address) -> Resource:
    title = guessed_title(address.url)
    return Resource(
        id=resource_id(scope.guild_id, address.key),
        guild_id=scope.guild_id,
        url=address.url,
        title=title,
        lang=link_hints.language(address.url, title),
        kind=link_hints.kind(address.url),
        origin="member",
        summary_by="extractive",
        overrides={},
    )


def _summarise(row: Resource, summary: str) -> None:
    """A list's own words stand where a curator's would: extracted sentences do not replace them."""
    if text := " ".join(summary.split()):
        setattr(row, "summary_zh" if has_han(text) else "summary_en", text)
        row.summary_by = "curator"


def _as_listed(stated: Edit) -> Edit:
    """A list's title as a title of ours: lists are not made for this, so what is too long is cut, not refused."""
    title = "".join(filter(str.isprintable, " ".join((stated.title or "").split())))[:LONGEST_TITLE].strip()
    return Edit(title or None, stated.level, (stated.topics or ())[:MOST_TOPICS] or None, stated.minutes)


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise BadInput("error.resource.title", most=LONGEST_TITLE)
    return title


def _rank(item: Item) -> int:
    return LEVELS.index(item.stated_level) if item.stated_level else len(LEVELS)
