"""Level and topics of a page by rules that say why."""

from indexer.classify.classifier import Classifier
from indexer.classify.labels import Classification, LevelLabel, Settled, TopicLabel
from indexer.classify.reading import Reading, reading_of

__all__ = [
    "Classification",
    "Classifier",
    "LevelLabel",
    "Reading",
    "Settled",
    "TopicLabel",
    "reading_of",
]
