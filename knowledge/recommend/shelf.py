"""What one scope may be recommended, by id and by topic: notes, resources, problems, tasks, whatever their origin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from knowledge.catalogue.item import Item, items_of
from knowledge.content import LEVELS, Content, Topics
from knowledge.store.library import Resource

__all__ = ["LEVELS", "Item", "Shelf", "shelf_of"]


@dataclass(frozen=True)
class Shelf:
    """What one scope may be recommended: content, plus what members added and what the crawler learnt."""

    topics: Topics
    items: tuple[Item, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """By the id in the database, and by the one in content/ where that differs."""
        return MappingProxyType({id_: item for item in self.items for id_ in (item.curated_id, item.id) if id_})

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


def shelf_of(content: Content, rows: Iterable[Resource] = ()) -> Shelf:
    """The catalogue's items that can be recommended."""
    return Shelf(content.topics, tuple(item for item in items_of(content, rows) if _recommendable(item)))


def _recommendable(item: Item) -> bool:
    """Pages of a mirror serve answers only, and what is about no topic fits no wish."""
    return item.state == "approved" and not item.duplicate_of and item.origin != "mirror" and bool(item.topics)
