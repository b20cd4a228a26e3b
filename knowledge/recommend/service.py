"""The recommend flow as the faces use it: ask for readings or a path, tell what was read, look at progress."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import delete, func, select

from knowledge.content import Content, Level, Words
from knowledge.content.names import level_named, topic_named
from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.readings import Reading
from knowledge.recommend.blend import blend, without_levels_said
from knowledge.recommend.choose import Candidate, choose, is_on_whole, suits
from knowledge.recommend.for_finding import readings_about
from knowledge.recommend.history import EVENTS, Event, History, estimated_level, history_of
from knowledge.recommend.lexicon import Lexicon, lexicon_of
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.path import ReadingPath, path_to
from knowledge.recommend.reasons import readings_of
from knowledge.recommend.remarks import remarks_on, understood, unheld
from knowledge.recommend.request import LEAST_ITEMS, MOST_ITEMS, Recommendation, Request
from knowledge.recommend.shelf import LEVELS, Item, Shelf, shelf_of
from knowledge.recommend.wish import wish_of
from knowledge.store import Scope, Store
from knowledge.store.tables import MemberLevel, ReadingEvent
from knowledge.store.tables import Resource as ResourceRow

_HEARD = ("also", "subjects", "first", "missing", "without", "behind", "bridges", "suited", "hints", "pace",
         "assumed", "compared", "against", "unwanted", "known", "without_levels", "sought", "near", "free",
         "vague", "gap", "then", "order", "official", "brief")  # fmt: skip
"""What a request takes over from a wish as it is."""
NearTo = Callable[[str | None, str], Mapping[str, float]]
"""How near readings are to a text, from 0 to 1, by their ids, for somebody in this guild."""
_LIKE = {"book": frozenset({"course"})}
"""Kinds that serve as well."""


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
        self._near: NearTo | None = None
        self._shelves: dict[str | None, tuple[tuple[int, datetime | None], Shelf]] = {}

    @cached_property
    def _plain(self) -> Shelf:
        return shelf_of(self._content)

    @cached_property
    def _lexicon(self) -> Lexicon:
        """Made with the first wish: most commands open a recommender and are told none."""
        return lexicon_of(self._content)

    def reads_by_meaning(self, near: NearTo) -> None:
        """From now on wishes are compared with readings by meaning too, which needs an embedder and an index."""
        self._near = near

    async def answer(
        self,
        scope: Scope,
        level: str | None,
        wish: str,
        lang: str = "en",
        member_id: str | None = None,
        **options: Any,
    ) -> Recommendation:
        """What a member typed, in any words, and what there is for it; UnknownTopic offers what is near."""
        request = await asyncio.to_thread(self.parse, level, wish, lang, guild_id=scope.guild_id, **options)
        return await self.recommend(scope, request, member_id)

    def parse(
        self, level: str | None, wish: str, lang: str = "en", *, guild_id: str | None = None, **options: Any
    ) -> Request:
        """A request from what a member typed, in any words; UnknownTopic offers what is near.

        What is stated beside the text (level, kinds, language, minutes) weighs more than what the text says. Blocks
        for some hundredths of a second where wishes are read by meaning.
        """
        named_outright = wish in self._content.topics
        near = functools.partial(self._near, guild_id) if self._near and not named_outright else None
        read = replace(wish_of(wish, self._plain, self._lexicon, near), free=not named_outright)
        said = {"kinds": read.kinds, "minutes": read.minutes, "only_lang": read.only_lang}
        stated = {name: value for name, value in options.items() if value or name not in said}
        named = level_named(level) if level else read.level
        heard = {name: getattr(read, name) for name in _HEARD}
        most = len(read.subjects) if read.each and len(read.subjects) > 1 else read.most or MOST_ITEMS
        if read.vague and read.missing:
            most = min(most, LEAST_ITEMS)
        return Request(named, read.topic, lang, **({"most": min(most, MOST_ITEMS)} | heard | said | stated))

    async def recommend(self, scope: Scope, request: Request, member_id: str | None = None) -> Recommendation:
        shelf = await self.shelf(scope)
        return recommendation(shelf, request, await self.history(member_id))

    async def path(self, scope: Scope, topic: str, lang: str = "en", member_id: str | None = None) -> ReadingPath:
        goal = wish_of(topic, self._plain, self._lexicon).topic
        return path_to(await self.shelf(scope), goal, await self.history(member_id), lang)

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
        return _standings(await self.shelf(scope), await self.history(member_id))

    async def saved(self, scope: Scope, member_id: str, lang: str = "en") -> tuple[Reading, ...]:
        return _saved(await self.shelf(scope), await self.history(member_id), lang)

    async def progress_and_saved(
        self, scope: Scope, member_id: str, lang: str = "en"
    ) -> tuple[tuple[Standing, ...], tuple[Reading, ...]]:
        """Return both for a page that shows them side by side: what they are told from is read once."""
        shelf, history = await self.shelf(scope), await self.history(member_id)
        return _standings(shelf, history), _saved(shelf, history, lang)

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
        """Return what to read about a finding of the judge, as JSON has it."""
        topics = self._finding_topics.get(finding_id, ())
        return tuple(reading.as_json() for reading in readings_about(self._plain, topics, lang))


def recommendation(shelf: Shelf, request: Request, history: History) -> Recommendation:
    """The pure heart: choose, order, explain, and say what is amiss with the list as a whole."""
    reached, _set = estimated_level(shelf, history, request.topic)
    level = request.level or reached or LEVELS[0]
    asked = request
    for gentler in _gentler(replace(asked, kinds=_kinds_of_what_is_sought(shelf, asked))):
        chosen = blend if _is_blended(asked) else choose
        request, found = gentler, chosen(shelf, level, gentler, history)
        if any(_is_within_reach(asked, each) for each in found):
            break
    if asked.level is None and reached is None and (asked.narrow or asked.near) and found:
        level, found = without_levels_said(found)
    ordered = found if _is_blended(asked) else _in_reading_order(shelf, found, request)
    items = readings_of(shelf, ordered, history, request.lang, goal=request.topic, in_lang=request.reading_lang)
    title, others = shelf.topics[request.topic].title, _other_levels(shelf, level, request)
    here = Recommendation(level, request.topic, title, items, other_levels=others)
    remarks = (
        *unheld(shelf, asked, here, ordered),
        *understood(shelf, asked),
        *remarks_on(shelf, asked, here, ordered, reached),
    )
    return replace(here, remarks=remarks)


def _kinds_of_what_is_sought(shelf: Shelf, asked: Request) -> frozenset[str]:
    """Of what was named and is not here in the language that was asked for, what is of its kind does instead."""
    sought = [shelf.by_id[id_] for id_ in shelf.here(asked.sought)]
    elsewhere = asked.only_lang and sought and not any(asked.only_lang in item.langs for item in sought)
    return asked.kinds or frozenset(item.kind for item in sought[:1] if elsewhere)


def _is_blended(asked: Request) -> bool:
    return bool(asked.near or asked.sought or asked.gap or (asked.free and asked.begins))


def _in_reading_order(shelf: Shelf, found: Sequence[Candidate], request: Request) -> tuple[Candidate, ...]:
    by_id = {candidate.item.id: candidate for candidate in found}
    in_order = in_reading_order(shelf, [each.item for each in found], request.topic, request.first)
    led_in = request.bridges if request.begins else frozenset[str]()
    return tuple(by_id[item.id] for item in sorted(in_order, key=lambda item: item.id not in led_in))


def _gentler(request: Request) -> Iterator[Request]:
    """The request, then with less time asked for, in any language, with kinds that are like it, with any kind."""
    kinds = [request.kinds]
    if request.kinds:
        kinds += [request.kinds | _LIKE[kind] for kind in request.kinds if kind in _LIKE]
        kinds.append(frozenset())
    for allowed in kinds:
        yield replace(request, kinds=allowed)
        if request.minutes is not None:
            yield replace(request, kinds=allowed, minutes=None)
        if request.only_lang and request.narrow:
            yield replace(request, kinds=allowed, only_lang=None)


def _is_within_reach(asked: Request, candidate: Candidate) -> bool:
    """False where a beginner who asked for a book would get one for experts."""
    if asked.kinds and asked.narrow and not _is_blended(asked):
        on_topic = asked.kinds == {"problem"} and candidate.role in {"on_topic", "also"}
        return on_topic or candidate.role == "named" or is_on_whole(candidate.item, asked)
    return not (asked.kinds and asked.level and candidate.away > 1)


def _other_levels(shelf: Shelf, level: Level, request: Request) -> tuple[Level, ...]:
    usable = [item for item in shelf.by_topic[request.topic] if suits(item, request)]
    return tuple(other for other in LEVELS if other != level and any(item.level == other for item in usable))


def _plain_candidate(item: Item) -> Candidate:
    return Candidate(item, "on_topic")


def _standings(shelf: Shelf, history: History) -> tuple[Standing, ...]:
    touched = {topic for item in history.done if item in shelf.by_id for topic in shelf.by_id[item].topics}
    touched |= history.set_levels.keys()
    return tuple(_standing(shelf, history, topic.id) for topic in shelf.topics if topic.id in touched)


def _saved(shelf: Shelf, history: History, lang: str) -> tuple[Reading, ...]:
    return tuple(
        reading
        for item in history.saved
        if item in shelf.by_id
        for reading in readings_of(shelf, [_plain_candidate(shelf.by_id[item])], history, lang)
    )


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
