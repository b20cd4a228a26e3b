"""Level and topics of a page by rules that say why."""

from indexer.classify.classifier import Classifier
from indexer.classify.labels import Classification, LevelLabel, Settled, TopicLabel
from indexer.classify.page_features import PageFeatures, features_of

__all__ = [
    "Classification",
    "Classifier",
    "LevelLabel",
    "PageFeatures",
    "Settled",
    "TopicLabel",
    "features_of",
]
