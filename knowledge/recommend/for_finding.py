"""Readings about a finding of the judge: a note, the problem that practises its topic, and a page."""

from __future__ import annotations

from knowledge.readings import Reading
from knowledge.recommend.choose import PORTALS, Candidate
from knowledge.recommend.history import History
from knowledge.recommend.reasons import readings_of
from knowledge.recommend.shelf import LEVELS, Item, Shelf


def readings_about(shelf: Shelf, topics: tuple[str, ...], lang: str) -> tuple[Reading, ...]:
    """Return the best note, problem and page about any of the topics, as far as there are some."""
    found: list[Item] = []
    for kinds in ({"note"}, {"problem"}, None):
        if item := _best_about(shelf, topics, kinds, found, lang):
            found.append(item)
    return tuple(
        reading for item in found for reading in readings_of(shelf, [Candidate(item, "on_topic")], History(), lang)
    )


def _best_about(
    shelf: Shelf, topics: tuple[str, ...], kinds: set[str] | None, taken: list[Item], lang: str
) -> Item | None:
    """The best of these kinds about any of the topics: a problem nobody can solve yet helps nobody, so easy first."""
    found = [
        (LEVELS.index(item.level) if item.kind == "problem" else 0, rank, item.subject != topic, item)
        for rank, topic in enumerate(topics)
        for item in shelf.by_topic.get(topic, ())
        if item not in taken
        and not item.stretch
        and item.link_state != "dead"
        and (item.kind in kinds if kinds else not item.own and item.kind not in PORTALS)
    ]
    if not found:
        return None
    return min(found, key=lambda row: (*row[:3], lang not in row[3].langs, LEVELS.index(row[3].level), row[3].id))[3]
