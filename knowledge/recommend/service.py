"""The recommend flow as the faces use it: ask for readings or a path, tell what was read, look at progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select

from knowledge.content import Content, Level, Words
from knowledge.content.names import level_named, topic_named
from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.readings import Reading
from knowledge.recommend.choose import PORTALS, Candidate, choose
from knowledge.recommend.history import EVENTS, Event, History, estimated_level, history_of
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.reasons import reading_of, why
from knowledge.recommend.request import Recommendation, Request
from knowledge.recommend.shelf import LEVELS, Item, Shelf, shelf_of
from knowledge.recommend.way import Way, way_to
from knowledge.store import Scope, Store
from knowledge.store.tables import MemberLevel, ReadingEvent
from knowledge.store.tables import Resource as ResourceRow
from knowledge.words import Message

_READINGS_OF_A_FINDING = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's place in one topic."""

    topic: str
    title: Words
    level: Level | None
    set_by_member: bool
    done: int
    available: int


class Recommender:
    def __init__(self, store: Store, content: Content, finding_topics: Mapping[str, tuple[str, ...]]) -> None:
        self._store = store
        self._content = content
        self._finding_topics = finding_topics
        self._plain = shelf_of(content)
        self._shelves: dict[str | None, tuple[tuple[int, datetime | None], Shelf]] = {}

    def parse(self, level: str, topic: str, lang: str = "en", **options: Any) -> Request:
        """A request from what a member typed; NotFound offers what is near."""
        return Request(level_named(level), topic_named(self._content.topics, topic, lang).id, lang=lang, **options)

    async def recommend(self, scope: Scope, request: Request, member_id: str | None = None) -> Recommendation:
        shelf = await self.shelf(scope)
        return recommendation(shelf, request, await self.history(member_id))

    async def path(self, scope: Scope, topic: str, lang: str = "en", member_id: str | None = None) -> Way:
        goal = topic_named(self._content.topics, topic, lang).id
        return way_to(await self.shelf(scope), goal, await self.history(member_id), lang)

    async def remember(self, scope: Scope, member_id: str, item: str, event: str) -> None:
        """One more line in the member's log; concurrent ones all stay."""
        if event not in EVENTS:
            raise BadInput("error.reading.event_unknown", name=event, known=EVENTS)
        if item not in (await self.shelf(scope)).by_id:
            raise NotFound("error.reading.unknown", name=item)
        async with self._store.session(scope) as session:
            await ensure_member(session, member_id)
            session.add(ReadingEvent(member_id=member_id, item=item, event=event))

    async def set_level(self, member_id: str, topic: str, level: str | None, lang: str = "en") -> None:
        """The member's own word on their level in a topic; None goes back to the estimate."""
        topic_id = topic_named(self._content.topics, topic, lang).id
        named = level_named(level) if level is not None else None
        async with self._store.session(Scope.all()) as session:
            await ensure_member(session, member_id)
            await session.execute(
                delete(MemberLevel).where(MemberLevel.member_id == member_id, MemberLevel.topic == topic_id)
            )
            if named is not None:
                session.add(MemberLevel(member_id=member_id, topic=topic_id, level=named))

    async def progress(self, scope: Scope, member_id: str) -> tuple[Standing, ...]:
        """Every topic in which the member did something or set a level, in the order of topics."""
        shelf, history = await self.shelf(scope), await self.history(member_id)
        touched = {topic for item in history.done if item in shelf.by_id for topic in shelf.by_id[item].topics}
        return tuple(
            _standing(shelf, history, topic.id)
            for topic in shelf.topics
            if topic.id in touched | history.set_levels.keys()
        )

    async def saved(self, scope: Scope, member_id: str, lang: str = "en") -> tuple[Reading, ...]:
        shelf, history = await self.shelf(scope), await self.history(member_id)
        return tuple(
            reading_of(shelf.by_id[item], lang, why(shelf, _plain_candidate(shelf.by_id[item]), (), history, lang))
            for item in history.saved
            if item in shelf.by_id
        )

    async def history(self, member_id: str | None) -> History:
        if member_id is None:
            return History()
        events = (
            select(ReadingEvent.item, ReadingEvent.event)
            .where(ReadingEvent.member_id == member_id)
            .order_by(ReadingEvent.at, ReadingEvent.id)
        )
        levels = select(MemberLevel.topic, MemberLevel.level).where(MemberLevel.member_id == member_id)
        async with self._store.reading(Scope.all()) as session:
            rows = [(item, event) for item, event in await session.execute(events)]
            set_levels = {topic: level_named(level) for topic, level in await session.execute(levels)}
        return history_of(rows, set_levels)

    async def shelf(self, scope: Scope) -> Shelf:
        """What this scope may be recommended; built anew only when a row changed."""
        async with self._store.reading(scope) as session:
            changes = select(func.count(ResourceRow.id), func.max(ResourceRow.updated_at))
            count, newest = (await session.execute(changes)).one()
            known = self._shelves.get(scope.guild_id)
            if known is not None and known[0] == (count, newest):
                return known[1]
            rows = (await session.scalars(select(ResourceRow))).all()
        shelf = shelf_of(self._content, rows)
        self._shelves[scope.guild_id] = ((count, newest), shelf)
        return shelf

    def for_finding(self, finding_id: str, lang: str) -> tuple[dict[str, Any], ...]:
        """What to read about a finding of the judge: a note, a page and the problem that practises it."""
        topics = self._finding_topics.get(finding_id, ())
        found: list[Item] = []
        for kinds in ({"note"}, {"problem"}, None):
            if item := _best_about(self._plain, topics, kinds, found, lang):
                found.append(item)
        found = found[:_READINGS_OF_A_FINDING]
        return tuple(
            reading_of(item, lang, why(self._plain, _plain_candidate(item), (), History(), lang)).as_json()
            for item in found
        )


def recommendation(shelf: Shelf, request: Request, history: History) -> Recommendation:
    """The pure heart: choose, order, explain, and say what is amiss with the list as a whole."""
    candidates = {candidate.item.id: candidate for candidate in choose(shelf, request, history)}
    ordered = in_reading_order(shelf, [candidate.item for candidate in candidates.values()])
    items = tuple(
        reading_of(item, request.lang, why(shelf, candidates[item.id], ordered[at + 1 :], history, request.lang))
        for at, item in enumerate(ordered)
    )
    return Recommendation(request.level, request.topic, items, tuple(_remarks(shelf, request, items)))


def _remarks(shelf: Shelf, request: Request, items: tuple[Reading, ...]) -> list[Message]:
    remarks = []
    if len(items) < request.most:
        remarks.append(Message("remark.few", n=len(items)) if items else Message("remark.none"))
    if not items and (levels := _levels_with_something(shelf, request)):
        remarks.append(Message("remark.other_levels", levels=tuple(Message(f"level.{level}") for level in levels)))
    if items and request.lang not in {item.lang for item in items}:
        remarks.append(Message("remark.other_language"))
    return remarks


def _levels_with_something(shelf: Shelf, request: Request) -> list[Level]:
    usable = [item for item in shelf.by_topic[request.topic] if item.link_state != "dead"]
    return [level for level in LEVELS if any(item.level == level for item in usable)]


def _plain_candidate(item: Item) -> Candidate:
    return Candidate(item, "on_topic", below=False)


def _best_about(
    shelf: Shelf, topics: tuple[str, ...], kinds: set[str] | None, taken: list[Item], lang: str
) -> Item | None:
    """The best of these kinds about any of the topics: a problem nobody can solve yet helps nobody, so easy first."""
    found = [
        (LEVELS.index(item.level) if item.kind == "problem" else 0, rank, item.subject != topic, item)
        for rank, topic in enumerate(topics)
        for item in shelf.by_topic.get(topic, ())
        if item not in taken
        and not item.stretch
        and item.link_state != "dead"
        and (item.kind in kinds if kinds else not item.own and item.kind not in PORTALS)
    ]
    if not found:
        return None
    return min(found, key=lambda row: (*row[:3], lang not in row[3].langs, LEVELS.index(row[3].level), row[3].id))[3]


def _standing(shelf: Shelf, history: History, topic: str) -> Standing:
    level, set_by_member = estimated_level(shelf, history, topic)
    about = shelf.by_topic[topic]
    done = sum(item.id in history.done for item in about)
    return Standing(topic, shelf.topics[topic].title, level, set_by_member, done, len(about))


def event_named(name: str) -> Event:
    """An event as a face spells it; BadInput lists what there is."""
    for event in EVENTS:
        if event == name.replace("-", "_"):
            return event
    raise BadInput("error.reading.event_unknown", name=name, known=EVENTS)
