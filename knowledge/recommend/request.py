"""What is asked of the recommender and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.content import Level, Words
from knowledge.readings import Reading
from knowledge.words import Message, core_languages

MOST_ITEMS = 5


LEAST_ITEMS = 3
"""Below this a list is filled with what is nearest."""


@dataclass(frozen=True, slots=True)
class Request:
    level: Level | None
    """None: the one that the member has reached, beginner where nothing is known of them."""
    topic: str
    lang: str = "en"
    also: tuple[str, ...] = ()
    """Other topics that the member named."""
    named: frozenset[str] = frozenset()
    """Ids of readings whose titles say what the member named."""
    kinds: frozenset[str] = frozenset()
    """Empty: any."""
    only_lang: str | None = None
    """Items in this language alone; otherwise the member's language is preferred."""
    minutes: int | None = None
    """At hand, for all items together."""
    stretch: bool = False
    first: frozenset[str] = frozenset()
    """Ids of notes on the very subject that was named."""
    missing: tuple[str, ...] = ()
    """Subjects that were named and that the library has no topic for."""
    without: frozenset[str] = frozenset()
    """Kinds that are not wanted."""
    pace: str = ""
    """Time that comes again and again, as it was typed."""
    assumed: bool = False
    """No subject was named."""
    most: int = MOST_ITEMS

    @property
    def reading_lang(self) -> str:
        """The language in which the readings are met."""
        return self.only_lang or self.lang

    @property
    def topics(self) -> tuple[str, ...]:
        return (self.topic, *self.also)


@dataclass(frozen=True, slots=True)
class Recommendation:
    level: Level
    topic: str
    title: Words
    """Of the topic."""
    items: tuple[Reading, ...]
    remarks: tuple[Message, ...] = ()
    """What the member should know about the list as a whole."""
    other_levels: tuple[Level, ...] = ()
    """Levels besides this one at which the library has something on the topic."""

    def as_json(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "topic": self.topic,
            "items": [item.as_json() for item in self.items],
            "other_levels": list(self.other_levels),
            "remarks": [
                {language.code: language.say(remark) for language in core_languages()} for remark in self.remarks
            ],
        }
