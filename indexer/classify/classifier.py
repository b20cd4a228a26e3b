"""The entry to classification: what people settled wins, and rules decide what is left open."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.classify.labels import Classification, LevelLabel, Settled, TopicLabel
from indexer.classify.level_rules import Signal, level_of, signals
from indexer.classify.page_features import PageFeatures, features_of
from indexer.classify.topic_rules import Places, TopicRules
from indexer.extract.page import Page
from knowledge.content import Topics


class Classifier:
    """Labels pages with a level and with topics of the closed list."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._rules = TopicRules(topics)

    def classify(self, page: Page, url: str, settled: Sequence[Settled] = ()) -> Classification:
        """Return level and topics of a page. `settled` is ordered: a member's override before a list's statement."""
        return self.classify_features(features_of(page, url), settled)

    def classify_features(self, features: PageFeatures, settled: Sequence[Settled] = ()) -> Classification:
        places = self._rules.places(features)
        about = self._settled_topics(settled) or self._rules.topics(places, features)
        for said in settled:
            if said.level:
                return Classification(LevelLabel(said.level, (said.by,)), about)
        return Classification(level_of(self.signals(features, about, places)), about)

    def signals(
        self, features: PageFeatures, about: Sequence[TopicLabel], places: Places | None = None
    ) -> tuple[Signal, ...]:
        """Return the signals for the level of a page about these topics."""
        places = places or self._rules.places(features)
        return tuple(signals(features, about, places["text"], self._topics))

    def _settled_topics(self, settled: Sequence[Settled]) -> tuple[TopicLabel, ...]:
        for said in settled:
            if said.topics:
                return tuple(TopicLabel(topic, 1.0, (said.by,)) for topic in said.topics if topic in self._topics)
        return ()
