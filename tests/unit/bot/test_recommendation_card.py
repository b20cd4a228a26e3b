"""A list of readings fits Discord's limit of components, whatever is recommended and with a note beneath."""

from __future__ import annotations

import pytest

from bot.render.card import MOST_COMPONENTS, with_note
from bot.render.readings import recommendation_card
from knowledge.recommend import Recommender
from knowledge.recommend.history import History
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import shelf_of
from knowledge.words import read_languages
from tests.shipped_content import shipped_content


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("level", ["beginner", "intermediate", "advanced"])
def test_the_list_of_every_topic_leaves_room_for_a_note(level: str, lang: str) -> None:
    content, language = shipped_content(), read_languages("bot")[lang]
    shelf, recommender = shelf_of(content), Recommender(None, content, {})  # type: ignore[arg-type]  reads no database
    sizes = []
    for topic in content.topics:
        found = recommendation(shelf, recommender.parse(level, topic.id, lang), History())
        made = with_note(recommendation_card(found, language), "a note")
        sizes.append(made.view.total_children_count)
    assert sizes
    assert max(sizes) <= MOST_COMPONENTS
