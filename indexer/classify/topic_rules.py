"""Which topics a page is about: weighted counts of the topics' own words, each label with the words found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log2

from indexer.classify.labels import TopicLabel
from indexer.classify.page_features import PageFeatures
from indexer.classify.stated_topics import topic_terms
from knowledge.content import Topics
from knowledge.words import Message

IN_TITLE, IN_ADDRESS, IN_SITE, IN_HEADINGS, IN_TEXT, EACH_TERM = 8.0, 2.0, 4.0, 1.0, 1.0, 0.5
LOWEST_SCORE = 2.0
SHARE_OF_BEST = 0.5
ENOUGH_SCORE = 10.0
"""The score from which a topic is kept in any case; below it, a topic needs half the best one's score."""
NEEDED_SHARE_OF_BEST = 0.6
"""How near a topic must come to a stronger one that builds on it, to count beside that."""
BACKGROUND_SHARE_OF_BEST = 0.8
"""How near a topic that every page of the field mentions must come to the strongest one to count."""
BACKGROUND = frozenset({"deep-learning-basics", "frameworks"})
MOST_TOPICS = 3

Hits = Mapping[str, Counter[str]]
"""How often each word of a topic stands in a text: {topic: {word: times}}."""
Places = Mapping[str, Hits]


class TopicRules:
    """The closed list of topics with their words, ready to be looked for in pages."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._terms = topic_terms(topics)

    def places(self, features: PageFeatures) -> Places:
        """Return where the page uses words of which topic."""
        return {
            "title": self._terms.counts(features.title),
            "address": self._terms.counts(features.address),
            "site": self._terms.counts(features.site),
            "headings": self._terms.counts(features.headings),
            "text": self._terms.counts(features.text),
        }

    def topics(self, places: Places, features: PageFeatures) -> tuple[TopicLabel, ...]:
        """Return at most three topics, the strongest first."""
        score = {topic: _score(topic, places, features) for topic in {t for hits in places.values() for t in hits}}
        return tuple(TopicLabel(topic, score[topic], _reasons(topic, places)) for topic in self._chosen(score))

    def _chosen(self, score: Mapping[str, float]) -> list[str]:
        ranked = sorted(score, key=lambda topic: (-score[topic], self._topics.position[topic]))
        if not ranked:
            return []
        best = score[ranked[0]]
        least = max(LOWEST_SCORE, min(ENOUGH_SCORE, SHARE_OF_BEST * best))
        near = [topic for topic in ranked if score[topic] >= least]
        return [topic for topic in near if not self._is_background(topic, near, score)][:MOST_TOPICS]

    def _is_background(self, topic: str, near: list[str], score: Mapping[str, float]) -> bool:
        share = score[topic] / score[near[0]]
        stronger = near[: near.index(topic)]
        if topic in BACKGROUND and share < BACKGROUND_SHARE_OF_BEST:
            return True
        return share < NEEDED_SHARE_OF_BEST and any(topic in self._topics[other].needs for other in stronger)


def _score(topic: str, places: Places, features: PageFeatures) -> float:
    title, address, site, headings, text = (places[name].get(topic, Counter[str]()) for name in places)
    in_text = IN_TEXT * log2(1 + features.per_thousand(text.total()))
    different = EACH_TERM * sum(log2(1 + times) for times in text.values())
    return (
        IN_TITLE * min(2, len(title))
        + IN_ADDRESS * min(1, len(address))
        + IN_SITE * min(1, len(site))
        + IN_HEADINGS * log2(1 + headings.total())
        + in_text
        + different
    )


def _reasons(topic: str, places: Places) -> tuple[Message, ...]:
    """Return the words that were found most often, place by place."""
    return tuple(
        Message(f"label.{place}", terms=tuple(term for term, _ in hits[topic].most_common(3)))
        for place, hits in places.items()
        if topic in hits
    )
