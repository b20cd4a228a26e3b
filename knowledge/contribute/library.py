"""The flow: suggest, decide, edit, remove, look up. Each is one short transaction."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge import hosts
from knowledge.addresses import Address, NotAnAddress, canonical
from knowledge.content import Content
from knowledge.content.topics import plain_name
from knowledge.contribute.listed import Listed, from_content, from_row, overlaid
from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.recommend.names import level_named, topic_named
from knowledge.store import Scope, Store
from knowledge.store.tables import Resource

LONGEST_TITLE = 300
MOST_TOPICS = 4
MOST_MINUTES = 6000
_ORDER = {"beginner": 0, "intermediate": 1, "advanced": 2}


@dataclass(frozen=True, slots=True)
class Edit:
    """What somebody states about a resource, as they typed it; None leaves a field as it is."""

    title: str | None = None
    level: str | None = None
    topics: tuple[str, ...] | None = None
    minutes: int | None = None


_NOTHING = Edit()


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    store: Store
    content: Content

    async def add(
        self, scope: Scope, member_id: str, url: str, *, approved: bool = False, stated: Edit = _NOTHING
    ) -> Listed:
        """A suggestion waits for a moderator; a moderator's own does not. A page that is there already is refused."""
        address = _address(url)
        overrides = self._checked(stated)
        state = "approved" if approved else "pending"
        try:
            async with self.store.session(scope) as session:
                await ensure_member(session, member_id)
                row = await self._again(session, scope, address)
                if row is None:
                    row = _suggestion(scope, address)
                    session.add(row)
                row.added_by, row.state = member_id, state
                _apply(row, overrides)
                await session.flush()
                return from_row(row, row.lang)
        except IntegrityError:
            raise _known(address.url) from None

    async def decide(self, scope: Scope, resource_id: str, *, approved: bool) -> Listed:
        """A moderator's word on a suggestion; approving also brings back what was removed."""
        async with self.store.session(scope) as session:
            row = await self._row(session, scope, resource_id)
            row.state = "approved" if approved else "removed"
            row.overrides = {key: value for key, value in row.overrides.items() if key != "state"}
            if not approved:
                row.overrides = {**row.overrides, "state": "removed"}
            return from_row(row, row.lang)

    async def edit(self, scope: Scope, resource_id: str, edit: Edit) -> Listed:
        overrides = self._checked(edit)
        if not overrides:
            raise BadInput(
                "nothing to change was named; give a title, a level, topics or minutes",
                "没有写明要改什么；可以改标题、级别、主题或分钟数。",
            )
        async with self.store.session(scope) as session:
            row = await self._row(session, scope, resource_id)
            _apply(row, overrides)
            return from_row(row, row.lang)

    async def remove(self, scope: Scope, resource_id: str) -> Listed:
        """Out of lists, recommendations and, with the next build, answers; a later crawl does not bring it back."""
        return await self.decide(scope, resource_id, approved=False)

    async def info(self, scope: Scope, name: str, lang: str = "en") -> Listed:
        """By id, address, or a part of the title that fits one only."""
        every = await self._every(scope, lang)
        key = _key_of(name)
        exact = [one for one in every if name == one.id or (key and one.url and _key_of(one.url) == key)]
        near = exact or [one for one in every if plain_name(name) and plain_name(name) in plain_name(one.title)]
        if len(near) == 1:
            return near[0]
        offered = ", ".join(one.title for one in near[:3])
        if near:
            raise BadInput(f"Several fit: {offered} …", f"有多项符合：{offered} ……")
        raise NotFound(f"Nothing in the library is called {name[:60]!r}.", f"资料库里没有叫“{name[:60]}”的内容。")

    async def listed(
        self, scope: Scope, topic: str | None = None, lang: str = "en", *, state: str = "approved"
    ) -> tuple[Listed, ...]:
        """Everything in one state, sorted by level and title."""
        wanted = topic_named(self.content.topics, topic, lang).id if topic else None
        every = [
            one
            for one in await self._every(scope, lang)
            if one.state == state and (wanted is None or wanted in one.topics)
        ]
        return tuple(sorted(every, key=lambda one: (_ORDER.get(one.level or "", 3), one.title.casefold(), one.id)))

    async def new_since(self, scope: Scope, at: datetime, lang: str = "en") -> tuple[Listed, ...]:
        """What members brought and moderators took since then, whenever it was suggested; first taken, first told."""
        since = func.coalesce(Resource.visible_since, Resource.created_at)
        brought = (
            select(Resource)
            .where(Resource.origin == "member", Resource.state == "approved", since > at)
            .order_by(since, Resource.id)
        )
        async with self.store.reading(scope) as session:
            return tuple(from_row(row, lang) for row in await session.scalars(brought))

    async def changed_since(self, scope: Scope, at: datetime) -> bool:
        """Whether somebody decided something after an index of that age was made."""
        younger = select(Resource.origin, Resource.overrides).where(
            Resource.guild_id == scope.guild_id, Resource.updated_at > at
        )
        async with self.store.reading(scope) as session:
            rows = (await session.execute(younger)).all()
        return any(origin == "member" or overrides for origin, overrides in rows)

    async def guilds(self) -> tuple[str, ...]:
        """Those that added something for themselves."""
        own = select(Resource.guild_id).where(Resource.guild_id.is_not(None)).distinct().order_by(Resource.guild_id)
        async with self.store.reading(Scope.all()) as session:
            return tuple(guild_id for guild_id in await session.scalars(own) if guild_id is not None)

    async def _every(self, scope: Scope, lang: str) -> list[Listed]:
        """What content/ holds, and the rows that know better."""
        async with self.store.reading(scope) as session:
            rows = {row.id: row for row in await session.scalars(select(Resource))}
        curated = [from_content(resource, lang) for resource in self.content.resources]
        known = {one.id for one in curated}
        return [overlaid(one, rows[one.id]) if one.id in rows else one for one in curated] + [
            from_row(row, lang) for id_, row in rows.items() if id_ not in known and row.duplicate_of is None
        ]

    async def _again(self, session: AsyncSession, scope: Scope, address: Address) -> Resource | None:
        """The own row of this address if it was removed; BadInput where the page is in the library."""
        for row in await session.scalars(select(Resource).where(Resource.url.is_not(None))):
            if row.url and _key_of(row.url) == address.key:
                if row.state == "removed" and row.guild_id == scope.guild_id:
                    return row
                raise _waits(row.title) if row.state == "pending" else _known(row.title)
        for resource in self.content.resources:
            if resource.url and _key_of(resource.url) == address.key:
                raise _known(resource.title)
        return None

    async def _row(self, session: AsyncSession, scope: Scope, resource_id: str) -> Resource:
        """A curated resource gets its row with the first decision about it."""
        row: Resource | None = await session.get(Resource, resource_id, with_for_update=True)
        if row is not None and row.guild_id in {None, scope.guild_id}:
            return row
        curated = next((one for one in self.content.resources if one.id == resource_id), None)
        if curated is None:
            raise NotFound(f"No resource has the id {resource_id[:60]!r}.", f"没有 id 为“{resource_id[:60]}”的资料。")
        row = Resource(
            id=curated.id,
            guild_id=None,
            url=curated.url,
            title=curated.title,
            lang=curated.lang,
            kind=curated.kind,
            level=curated.level,
            topics=list(curated.topics),
            prerequisites=list(curated.prerequisites),
            minutes=curated.minutes,
            summary_en=curated.summaries.en,
            summary_zh=curated.summaries.zh,
            origin="content",
            state="approved",
            overrides={},
        )
        session.add(row)
        return row

    def _checked(self, edit: Edit) -> Mapping[str, Any]:
        """The fields that were stated, in the library's own terms."""
        found: dict[str, Any] = {}
        if edit.title is not None:
            found["title"] = _title(edit.title)
        if edit.level is not None:
            found["level"] = level_named(edit.level)
        if edit.topics:
            if len(edit.topics) > MOST_TOPICS:
                raise BadInput(f"a resource has at most {MOST_TOPICS} topics", f"每份资料最多 {MOST_TOPICS} 个主题")
            named = [topic_named(self.content.topics, topic).id for topic in edit.topics]
            found["topics"] = list(dict.fromkeys(named))
        if edit.minutes is not None:
            if not 1 <= edit.minutes <= MOST_MINUTES:
                raise BadInput(
                    f"minutes are a number from 1 to {MOST_MINUTES}", f"分钟数应在 1 到 {MOST_MINUTES} 之间"
                )
            found["minutes"] = edit.minutes
        return MappingProxyType(found)


def _suggestion(scope: Scope, address: Address) -> Resource:
    """Until the crawler has read the page, its address says what it is."""
    slug = hosts.slug_title(address.url)
    title = slug if slug.isprintable() and slug else address.url.partition("://")[2].rstrip("/")
    return Resource(
        id=_id_of(scope, address),
        guild_id=scope.guild_id,
        url=address.url,
        title=title[:LONGEST_TITLE],
        lang=hosts.language(address.url, title),
        kind=hosts.kind(address.url),
        origin="member",
        summary_by="extractive",
        overrides={},
    )


def _apply(row: Resource, overrides: Mapping[str, Any]) -> None:
    kept = {key: value for key, value in (row.overrides or {}).items() if key != "state" or row.state == "removed"}
    row.overrides = {**kept, **overrides}
    for key, value in overrides.items():
        setattr(row, key, value)


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise BadInput(
            f"a title has 1 to {LONGEST_TITLE} printable characters", f"标题应为 1 到 {LONGEST_TITLE} 个可见字符"
        )
    return title


def _address(url: str) -> Address:
    """Where the page is; only what everyone can reach can be in a library."""
    try:
        if not url.strip().isprintable():
            raise NotAnAddress("malformed address")
        address = canonical(url)
    except NotAnAddress as error:
        raise BadInput(
            f"this is not the address of a page ({error}); it has to begin with https://",
            "这不是网页地址，地址要以 https:// 开头。",
        ) from None
    host = urlsplit(address.url).hostname or ""
    if not _public(host):
        raise BadInput(
            f"{host} is an address of a private network; name a page that everyone can reach",
            f"{host} 是内部网络地址，请给出大家都能打开的网页。",
        )
    return address


def _public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host.rstrip(".") and not host.endswith((".local", ".localhost", ".internal"))


def _key_of(url: str) -> str:
    try:
        return canonical(url).key
    except NotAnAddress:
        return ""


def _id_of(scope: Scope, address: Address) -> str:
    """The same for two spellings of one address, so that two who add it at once collide."""
    digest = hashlib.blake2b(f"{scope.guild_id}\n{address.key}".encode(), digest_size=10).hexdigest()
    return f"member-{digest}"


def _known(title: str) -> BadInput:
    return BadInput(f"This page is in the library already: {title}", f"这个网页已经在资料库里了：{title}")


def _waits(title: str) -> BadInput:
    return BadInput(
        f"This page was suggested already and waits for a moderator: {title}",
        f"这个网页已经有人推荐，正在等管理员审核：{title}",
    )
