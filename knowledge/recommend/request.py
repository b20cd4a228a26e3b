"""What is asked of the recommender and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.content import Level
from knowledge.readings import Reading
from knowledge.words import Message, core_languages

MOST_ITEMS = 5


@dataclass(frozen=True, slots=True)
class Request:
    level: Level
    topic: str
    lang: str = "en"
    kinds: frozenset[str] = frozenset()
    """Empty: any."""
    only_lang: str | None = None
    """Items in this language alone; otherwise the member's language is preferred."""
    minutes: int | None = None
    """At hand, for all items together."""
    stretch: bool = False
    most: int = MOST_ITEMS


@dataclass(frozen=True, slots=True)
class Recommendation:
    level: Level
    topic: str
    items: tuple[Reading, ...]
    remarks: tuple[Message, ...] = ()
    """What the member should know about the list as a whole."""

    def as_json(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "topic": self.topic,
            "items": [item.as_json() for item in self.items],
            "remarks": [
                {language.code: language.say(remark) for language in core_languages()} for remark in self.remarks
            ],
        }
