"""The content that comes along, read once in a test process: it is frozen, so every test may have the same."""

from __future__ import annotations

import copy
import functools
from typing import cast

from knowledge.content import Content, load_content
from knowledge.content.findings import load_finding_topics
from knowledge.recommend import Recommender
from knowledge.store import Store
from tests.folders import CONTENT


@functools.cache
def shipped_content() -> Content:
    return load_content(CONTENT)


def shipped_recommender(store: Store) -> Recommender:
    """Over this store. What follows from the content alone takes a quarter of a second, and is found out once."""
    recommender = copy.copy(_without_store())
    recommender._store, recommender._shelves = store, {}
    return recommender


@functools.cache
def _without_store() -> Recommender:
    content = shipped_content()
    recommender = Recommender(cast(Store, None), content, load_finding_topics(CONTENT, content.topics))
    recommender._plain, recommender._lexicon  # noqa: B018  read here, so that copies have them
    return recommender
