"""Topics that a list states in its titles, headings and descriptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from indexer.classify.terms import Terms
from knowledge.content import Topics

TITLE, HEADING, DESCRIPTION = 4, 3, 1
MOST_TOPICS = 4


class StatedTopics:
    """Matches a list's words against the names and keywords of the closed topics."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._terms = topic_terms(topics)

    def topics(self, labels: Iterable[tuple[str, Sequence[str], str]]) -> tuple[str, ...]:
        """Return the topics that (title, section, description) of each label name, the clearest first."""
        score: Counter[str] = Counter()
        for title, section, description in labels:
            for weight, text in (
                (TITLE, title),
                (HEADING, section[-1] if section else ""),
                (DESCRIPTION, description),
            ):
                for topic, terms in self._terms.counts(text).items():
                    score[topic] += weight * min(2, len(terms))
        ranked = sorted(score, key=lambda topic: (-score[topic], self._topics.position[topic]))
        return tuple(ranked[:MOST_TOPICS])


def topic_terms(topics: Topics) -> Terms:
    """Return the terms of every topic, its title and keywords; aliases are too loose for running text."""
    owners: dict[str, list[str]] = {}
    for topic in topics:
        for name in (topic.title.en, topic.title.zh, *topic.keywords):
            owners.setdefault(name, []).append(topic.id)
    return Terms(owners)
