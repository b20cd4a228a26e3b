"""Forum threads as readings: moderators pick messages, each author is asked, and only what is agreed to is kept.

A thread needs its question and at least one answer: without either nothing of it is kept. The rows are the truth; a
round of the indexer brings the library up to them (`indexer/forum_pages.py`), so what is taken back goes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.catalogue.precedence import decide
from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.library import Resource, Snapshot
from knowledge.store.tables import KeptMessage, KeptThread
from knowledge.text.language import language_of

ORIGIN = "forum"
MOST_MESSAGES = 25
ANSWER_WITHIN = timedelta(days=7)
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Picked:
    """A message as it stood when a moderator picked it."""

    message: str
    author: str
    text: str
    edited_at: datetime | None = None
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread with what was picked of it, in the order in which it was written."""

    id: str
    guild_id: str
    thread: str
    title: str
    state: str
    until: datetime | None
    messages: tuple[Picked, ...]
    resource_id: str = ""
    """The reading that was made of it."""

    @property
    def question(self) -> Picked | None:
        return next((one for one in self.messages if one.message == self.thread), None)

    @property
    def is_whole(self) -> bool:
        """Whether there is a question and an answer."""
        return self.question is not None and len(self.messages) > 1

    @property
    def url(self) -> str:
        return f"https://discord.com/channels/{self.guild_id}/{self.thread}"

    def of(self, author: str) -> tuple[Picked, ...]:
        return tuple(one for one in self.messages if one.author == author)

    @property
    def unasked(self) -> tuple[str, ...]:
        """Return the authors who have not agreed yet, in order."""
        return tuple(dict.fromkeys(one.author for one in self.messages if not one.agreed))


@dataclass(frozen=True, slots=True)
class KeptThreads:
    store: Store
    clock: Callable[[], datetime] = now

    async def pick(self, scope: Scope, thread: str, title: str, picked: Picked) -> Thread:
        """Put a message among those that are to be kept; picked again, it is put back."""
        if scope.guild_id is None:
            raise BadInput("error.group.no_guild")
        async with self.store.session(scope) as session:
            row = await session.scalar(select(KeptThread).where(KeptThread.thread == thread).with_for_update())
            if row is None:
                row = KeptThread(guild_id=scope.guild_id, thread=thread, title=title, created_at=self.clock())
                session.add(row)
                await session.flush()
            _check(row.state == "picking", "error.forum.asked_already")
            known = await session.get(KeptMessage, picked.message)
            if known is not None:
                await session.delete(known)
            else:
                _check(len((await _thread(session, row)).messages) < MOST_MESSAGES, "error.forum.too_many")
                await ensure_member(session, picked.author)
                session.add(
                    KeptMessage(
                        guild_id=scope.guild_id, message=picked.message, kept_thread=row.id, author=picked.author,
                        text=picked.text, edited_at=picked.edited_at,
                    )
                )  # fmt: skip
            await session.flush()
            return await _thread(session, row)

    async def ask(self, scope: Scope, id_: str) -> Thread:
        """Begin to ask the authors; said twice it holds once."""
        async with self.store.session(scope) as session:
            row = await _row(session, id_)
            found = await _thread(session, row)
            _check(found.is_whole, "error.forum.not_whole")
            if row.state == "picking":
                row.state, row.until = "asking", self.clock() + ANSWER_WITHIN
            return await _thread(session, row)

    async def drop(self, scope: Scope, id_: str) -> None:
        """Forget what was picked, as long as nobody was asked."""
        async with self.store.session(scope) as session:
            row = await _row(session, id_)
            _check(row.state == "picking", "error.forum.asked_already")
            await session.delete(row)

    async def find(self, scope: Scope, id_: str) -> Thread:
        """NotFound once nothing of it is left."""
        async with self.store.reading(scope) as session:
            return await _thread(session, await _row(session, id_))

    async def agree(self, scope: Scope, id_: str, author: str, gone: Collection[str] = ()) -> Thread | None:
        """Keep an author's messages, less those that they changed or deleted since; None where nothing is left."""
        async with self.store.session(scope) as session:
            row = await _row(session, id_)
            theirs = (KeptMessage.kept_thread == id_, KeptMessage.author == author)
            await session.execute(delete(KeptMessage).where(*theirs, KeptMessage.message.in_(gone)))
            await session.execute(update(KeptMessage).where(*theirs).values(agreed=True))
            return await self._settled(session, row)

    async def refuse(self, scope: Scope, id_: str, author: str) -> None:
        """Keep nothing of an author, now or no longer."""
        async with self.store.session(scope) as session:
            row = await _row(session, id_)
            theirs = (KeptMessage.kept_thread == id_, KeptMessage.author == author)
            await session.execute(delete(KeptMessage).where(*theirs))
            await self._settled(session, row)

    async def withdraw(self, scope: Scope, author: str) -> int:
        """Take back everything of an author in this guild; returns how many messages it was."""
        async with self.store.session(scope) as session:
            theirs = delete(KeptMessage).where(KeptMessage.author == author)
            gone = (await session.execute(theirs.returning(KeptMessage.kept_thread))).scalars().all()
            for id_ in dict.fromkeys(gone):
                await self._settled(session, await _row(session, id_))
        return len(gone)

    async def asking(self) -> tuple[Thread, ...]:
        """Return every thread whose authors are asked, in any guild; those whose time is over are settled."""
        at = self.clock()
        async with self.store.session(_EVERYWHERE) as session:
            rows = await session.scalars(
                select(KeptThread).where(KeptThread.state == "asking").order_by(KeptThread.created_at, KeptThread.id)
            )
            found = []
            for row in rows.all():
                if row.until is not None and row.until <= at:
                    silent = (KeptMessage.kept_thread == row.id, KeptMessage.agreed.is_(False))
                    await session.execute(delete(KeptMessage).where(*silent))
                    await self._settled(session, row)
                else:
                    found.append(await _thread(session, row))
            stale = (KeptThread.state == "picking", KeptThread.created_at <= at - ANSWER_WITHIN)
            await session.execute(delete(KeptThread).where(*stale))
        return tuple(found)

    async def kept(self, scope: Scope) -> Sequence[Thread]:
        """Return what a guild keeps; what is no longer whole, since a member was forgotten, goes."""
        async with self.store.session(scope) as session:
            rows = await session.scalars(
                select(KeptThread).where(KeptThread.state == "kept", KeptThread.guild_id == scope.guild_id)
            )
            found = [await self._settled(session, row) for row in rows.all()]
        return [thread for thread in found if thread is not None]

    async def _settled(self, session: AsyncSession, row: KeptThread) -> Thread | None:
        """Bring a thread up to its messages: nothing without question and answer, a draft once nobody is awaited."""
        await session.flush()
        found = await _thread(session, row)
        resource = await session.get(Resource, row.resource_id) if row.resource_id else None
        if not found.is_whole:
            if resource is not None:
                await session.execute(delete(Snapshot).where(Snapshot.resource_id == resource.id))
                decide(resource, "removed")
            await session.delete(row)
            return None
        if row.state == "asking" and not found.unasked:
            row.state, row.until, row.resource_id = "kept", None, await _drafted(session, found)
        return await _thread(session, row)


def _check(holds: bool, error: str) -> None:
    if not holds:
        raise BadInput(error, most=MOST_MESSAGES)


async def _row(session: AsyncSession, id_: str) -> KeptThread:
    row: KeptThread | None = await session.scalar(select(KeptThread).where(KeptThread.id == id_).with_for_update())
    if row is None:
        raise NotFound("error.forum.gone")
    return row


async def _thread(session: AsyncSession, row: KeptThread) -> Thread:
    of_it = select(KeptMessage).where(KeptMessage.kept_thread == row.id)
    rows = sorted(await session.scalars(of_it), key=lambda one: int(one.message))
    messages = tuple(Picked(one.message, one.author, one.text, one.edited_at, one.agreed) for one in rows)
    return Thread(
        row.id, row.guild_id or "", row.thread, row.title, row.state, row.until, messages, row.resource_id or ""
    )


async def _drafted(session: AsyncSession, thread: Thread) -> str:
    """Return the id of the thread's reading: a draft that waits for a moderator as any suggestion does."""
    here = (Resource.guild_id == thread.guild_id, Resource.url == thread.url)
    reading: Resource | None = await session.scalar(select(Resource).where(*here))
    if reading is None:
        digest = hashlib.blake2b(f"{thread.guild_id}\n{thread.thread}".encode(), digest_size=10).hexdigest()
        reading = Resource(
            id=f"forum-{digest}", guild_id=thread.guild_id, url=thread.url, title=thread.title,
            lang=language_of(f"{thread.title} {thread.messages[0].text}"), kind="discussion",
            summary_by="extractive", overrides={},
        )  # fmt: skip
        session.add(reading)
    reading.origin = ORIGIN
    decide(reading, "pending")
    return reading.id
