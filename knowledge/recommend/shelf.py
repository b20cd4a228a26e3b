"""Everything that can be recommended, of whatever origin, in one shape: notes, resources, problems, tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from knowledge.content import Content, Level, Note, ProblemCard, Resource, Topics
from knowledge.store.tables import Resource as ResourceRow

LEVELS: tuple[Level, ...] = ("beginner", "intermediate", "advanced")
SOLVING_MINUTES: Mapping[str, int] = {"beginner": 30, "intermediate": 60, "advanced": 120}


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    title_en: str
    title_zh: str
    url: str | None
    langs: tuple[str, ...]
    """Languages in which it exists: a note has two, a page one."""
    kind: str
    level: Level
    topics: tuple[str, ...]
    """The first is what it is about; the others it touches."""
    minutes: int | None
    needs: tuple[str, ...] = ()
    """Ids of items, or `topic:<id>`."""
    stretch: bool = False
    link_state: str = "unknown"
    mentions: int = 0
    """How many lists name it."""

    @property
    def subject(self) -> str:
        return self.topics[0]

    @property
    def site(self) -> str:
        """Host of the page; our own things count by kind, so that notes and problems can stand side by side."""
        return urlsplit(self.url).netloc.removeprefix("www.") if self.url else f"own:{self.kind}"

    @property
    def own(self) -> bool:
        return self.id.startswith(("note:", "problem:"))

    def title(self, lang: str) -> str:
        return self.title_zh if lang == "zh" else self.title_en

    def lang_for(self, lang: str) -> str:
        """The language that a reader of `lang` will meet."""
        return lang if lang in self.langs else self.langs[0]


@dataclass(frozen=True)
class Shelf:
    """What one scope may be recommended: content, plus what members added and what the crawler learnt."""

    topics: Topics
    items: tuple[Item, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        return MappingProxyType({item.id: item for item in self.items})

    @cached_property
    def by_topic(self) -> Mapping[str, tuple[Item, ...]]:
        found: dict[str, list[Item]] = {topic.id: [] for topic in self.topics}
        for item in self.items:
            for topic in item.topics:
                found.setdefault(topic, []).append(item)
        return MappingProxyType({topic: tuple(items) for topic, items in found.items()})

    @cached_property
    def ancestors(self) -> Mapping[str, frozenset[str]]:
        """Topics that come before each topic, directly or not."""
        return MappingProxyType(
            {topic.id: frozenset(before.id for before in self.topics.before(topic.id)) for topic in self.topics}
        )

    def rests_on(self, item: Item, other: Item) -> bool:
        """True if `other` has to come first: it is named as a prerequisite, or its subject is."""
        if other.id in item.needs or f"topic:{other.subject}" in item.needs:
            return True
        return other.subject in self.ancestors.get(item.subject, frozenset())


def shelf_of(content: Content, rows: Iterable[ResourceRow] = ()) -> Shelf:
    """Content first; a row changes what it knows better (link, overrides, removal) or adds a member's resource."""
    items = {item.id: item for item in _from_content(content)}
    for row in rows:
        known = items.pop(row.id, None)
        if row.state == "approved" and not row.duplicate_of:
            if known is not None:
                items[row.id] = _overridden(known, row)
            elif row.origin == "member" and row.topics:
                items[row.id] = _overridden(_from_row(row), row)
    return Shelf(content.topics, tuple(items.values()))


def _from_content(content: Content) -> Iterable[Item]:
    yield from _notes(content.notes)
    yield from (_from_resource(resource) for resource in content.resources)
    yield from (_from_problem(card) for card in content.problems)


def _notes(notes: tuple[Note, ...]) -> Iterable[Item]:
    """A note and its counterpart in the other language are one item."""
    pairs: dict[str, dict[str, Note]] = {}
    for note in notes:
        pairs.setdefault(note.slug, {})[note.lang] = note
    slugs = set(pairs)
    for slug, sides in pairs.items():
        any_side = sides.get("en") or sides["zh"]
        yield Item(
            id=f"note:{slug}",
            title_en=sides.get("en", any_side).title,
            title_zh=sides.get("zh", any_side).title,
            url=None,
            langs=tuple(sorted(sides)),
            kind="note",
            level=any_side.level,
            topics=any_side.topics,
            minutes=any_side.minutes,
            needs=tuple(f"note:{need}" if need in slugs else f"topic:{need}" for need in any_side.needs),
        )


def _from_resource(resource: Resource) -> Item:
    return Item(
        id=resource.id,
        title_en=resource.title_in("en"),
        title_zh=resource.title_in("zh"),
        url=resource.url,
        langs=("en", "zh") if resource.titles else (resource.lang,),
        kind=resource.kind,
        level=resource.level,
        topics=resource.topics,
        minutes=resource.minutes,
        needs=resource.prerequisites,
        stretch=resource.stretch,
        mentions=len({mention.list for mention in resource.named_by}),
    )


def _from_problem(card: ProblemCard) -> Item:
    return Item(
        id=f"problem:{card.slug}",
        title_en=card.title.en,
        title_zh=card.title.zh,
        url=None,
        langs=("en", "zh"),
        kind="problem",
        level=card.level,
        topics=card.topics,
        minutes=SOLVING_MINUTES[card.level],
        needs=(*(f"problem:{slug}" for slug in card.needs), *card.readings),
    )


def _from_row(row: ResourceRow) -> Item:
    return Item(
        id=row.id,
        title_en=row.title,
        title_zh=row.title,
        url=row.url,
        langs=(row.lang,),
        kind=row.kind,
        level=row.level if row.level in LEVELS else "intermediate",
        topics=tuple(row.topics),
        minutes=row.minutes,
        needs=tuple(row.prerequisites),
    )


def _overridden(item: Item, row: ResourceRow) -> Item:
    decided: dict[str, Any] = {key: row.overrides[key] for key in ("level", "minutes") if key in row.overrides}
    if topics := row.overrides.get("topics"):
        decided["topics"] = tuple(topics)
    return replace(item, link_state=row.link_state, **decided)
