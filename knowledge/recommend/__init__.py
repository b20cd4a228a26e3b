"""Recommend: the next thing to read, in the right order, for this member.

`Recommender` is the flow as the faces use it. Beneath it everything is pure: a `Shelf` of items, a member's
`History`, and functions that choose, order and explain.
"""

from knowledge.recommend.history import EVENTS, History
from knowledge.recommend.path import ReadingPath
from knowledge.recommend.request import Recommendation, Request
from knowledge.recommend.service import Recommender
from knowledge.recommend.shelf import Item, Shelf

__all__ = ["EVENTS", "History", "Item", "ReadingPath", "Recommendation", "Recommender", "Request", "Shelf"]
