"""What a plan leads to: the path to a topic, a topic by itself, or a problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from knowledge.content import Content, Words
from knowledge.content.names import topic_named
from knowledge.content.topics import plain_name
from knowledge.words import Message

GoalKind = Literal["path", "topic", "problem"]


@dataclass(frozen=True, slots=True)
class Goal:
    """`path` leads to a topic by everything that it rests on; `topic` takes that as known."""

    kind: GoalKind
    name: str
    """Id of the topic, or slug of the problem."""
    title: Words
    """Of the topic or the problem."""

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def said(self) -> Message:
        """What the plan leads to, as a sentence."""
        if self.kind == "path":
            return Message("path.title", topic=self.title)
        return Message("plan.problem" if self.kind == "problem" else "plan.topic", title=self.title)


def goals(content: Content) -> Iterator[Goal]:
    """Everything that can be chosen: paths and topics in the order to learn them, then problems."""
    kinds: tuple[GoalKind, ...] = ("path", "topic")
    for kind in kinds:
        for topic in content.topics:
            yield Goal(kind, topic.id, topic.title)
    for card in content.problems:
        yield Goal("problem", card.slug, card.title)


def goal_named(content: Content, text: str, lang: str = "en") -> Goal:
    """The goal of this id, the problem of this name, else the path to the topic meant; NotFound offers some."""
    kind, _, name = text.strip().partition(":")
    for goal in goals(content):
        if goal.kind == "problem" and plain_name(text) in {plain_name(one) for one in _names(goal)}:
            return goal
        if goal.kind == kind and goal.name == name:
            return goal
    topic = topic_named(content.topics, name if kind in {"path", "topic", "problem"} and name else text, lang)
    return Goal("topic" if kind == "topic" else "path", topic.id, topic.title)


def _names(goal: Goal) -> tuple[str, ...]:
    return goal.name, goal.title.en, goal.title.zh
