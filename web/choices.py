"""What the forms offer to choose from."""

from __future__ import annotations

from itertools import groupby

from knowledge.content import Topic, Topics
from knowledge.recommend.shelf import LEVELS


def topics_by_area(topics: Topics) -> list[tuple[str, list[Topic]]]:
    """Areas in the order in which their first topic is learnt, topics in learning order."""
    first = {topic.area: topics.position[topic.id] for topic in reversed(topics.in_order)}
    ordered = sorted(topics, key=lambda topic: (first[topic.area], topics.position[topic.id]))
    return [(area, list(group)) for area, group in groupby(ordered, key=lambda topic: topic.area)]


def levels() -> tuple[str, ...]:
    return LEVELS
