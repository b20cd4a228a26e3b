"""Labels with their reasons as messages, and what people settled, which wins over the rules."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.content import Level
from knowledge.words import Message


@dataclass(frozen=True, slots=True)
class LevelLabel:
    value: Level
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class TopicLabel:
    id: str
    score: float
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Classification:
    """A page's level and topics, the topic it is most about first."""

    level: LevelLabel
    topics: tuple[TopicLabel, ...]

    @property
    def topic_ids(self) -> tuple[str, ...]:
        return tuple(topic.id for topic in self.topics)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a person settled already: a member by an override, a curator in a list; either may leave parts open."""

    by: Message
    level: Level | None = None
    topics: tuple[str, ...] = ()
