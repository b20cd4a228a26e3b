"""What is asked of the recommender and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowledge.content import Level, Words
from knowledge.readings import Reading
from knowledge.words import Message, core_languages

MOST_ITEMS = 5


THE_FIELD = "cuda-basics"
"""What the library is about: named alone it is the way in, beside anything else it says nothing."""
LEAST_ITEMS = 3
"""Below this a list is filled with what is nearest."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a member wants to read about."""

    text: str
    """As they typed it."""
    topic: str
    items: tuple[str, ...] = ()
    """Ids of readings on this very thing; none where a whole topic was named."""
    whole: bool = False
    """The text is a name of the topic, so all on the topic is on the subject."""
    alias: bool = False
    """The text is one of the topic's names, if only of a part of it."""
    narrow: bool = True
    """There are readings on this very thing, which come before what else is on the topic."""


@dataclass(frozen=True, slots=True)
class Request:
    level: Level | None
    """None: the one that the member has reached, beginner where nothing is known of them."""
    topic: str
    lang: str = "en"
    also: tuple[str, ...] = ()
    """Other topics that the member named."""
    subjects: tuple[Subject, ...] = ()
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
    """Subjects that were named and on which the library has nothing."""
    without: frozenset[str] = frozenset()
    """Kinds that are not wanted."""
    behind: frozenset[str] = frozenset()
    """Ids of readings on what the member knows already."""
    bridges: frozenset[str] = frozenset()
    """Ids of readings that begin where the member comes from."""
    suited: frozenset[str] = frozenset()
    """Those, and what is as they wish it: with exercises, with pictures."""
    hints: frozenset[str] = frozenset()
    """Topics that were named beside what the request is about."""
    pace: str = ""
    """Time that comes again and again, as it was typed."""
    assumed: bool = False
    """No subject was named."""
    compared: bool = False
    """The member asks which of several is to be first."""
    against: frozenset[str] = frozenset()
    """Ids of readings on what is not wanted."""
    unwanted: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    """What is not wanted, and what the member has behind them, as it was typed."""
    without_levels: frozenset[Level] = frozenset()
    """Levels that are not wanted."""
    sought: tuple[str, ...] = ()
    """Ids of the readings whose title or author was named."""
    near: Mapping[str, float] = field(default_factory=dict)
    """How near readings are to what is meant, from 0 to 1, by their ids."""
    free: bool = False
    """In words of the member's own, not a topic's name."""
    vague: bool = False
    """Of what was named, the library knows nothing but the field itself."""
    gap: bool = False
    """Only a subject was named that is of another field."""
    then: frozenset[str] = frozenset()
    """Kinds that are to come after the others."""
    order: str = ""
    """How the list is to stand: `oldest` or `newest` first, or in `steps` from the easiest."""
    official: bool = False
    """By whoever makes the thing."""
    brief: bool = False
    """Nothing that takes days."""
    most: int = MOST_ITEMS

    @property
    def reading_lang(self) -> str:
        """The language in which the readings are met."""
        return self.only_lang or self.lang

    @property
    def topics(self) -> tuple[str, ...]:
        return (self.topic, *self.also)

    @property
    def named(self) -> frozenset[str]:
        """Ids of the readings on what the member named."""
        return frozenset(item for subject in self.subjects for item in subject.items)

    @property
    def begins(self) -> bool:
        """Whether a member with another background asks for the way in."""
        return bool(self.bridges) and self.topic == THE_FIELD and not self.also

    @property
    def narrow(self) -> bool:
        """Whether more was named than whole topics."""
        return any(subject.narrow for subject in self.subjects)


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
