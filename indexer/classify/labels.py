"""A label and why it was given, as messages; what wins over the rules."""

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
    """What someone said already: a member's override before a curator's list; either may leave things open."""

    by: Message
    level: Level | None = None
    topics: tuple[str, ...] = ()
