"""What members type: levels and topics by any usual name, with typos, in either language."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from knowledge.content import Level, Topic, Topics
from knowledge.content.shared_types import LEVELS
from knowledge.content.topics import names, plain_name
from knowledge.errors import NotFound
from knowledge.words import FOLDER, Message, language_codes, read_table

_CLOSE_ENOUGH = 0.78
"""Below this a near name is offered, not taken: `rdna` is not `rdma` with a typo."""


def level_named(name: str) -> Level:
    """The level meant, or NotFound that lists them."""
    levels, plain = level_names(), plain_name(name)
    if plain in levels:
        return levels[plain]
    if near := difflib.get_close_matches(plain, levels, n=1, cutoff=0.75):
        return levels[near[0]]
    raise NotFound("error.level.unknown", name=name, known=tuple(Message(f"level.{level}") for level in LEVELS))


@cache
def level_names() -> Mapping[str, Level]:
    """Every word for a level that the word files of any language have, by its plain form."""
    tables = (read_table(FOLDER / code / "typed.toml").get("level", {}) for code in language_codes())
    words = ((name, level) for table in tables for level in LEVELS for name in table.get(level, ()))
    return MappingProxyType({plain_name(name): level for name, level in words})


def topic_named(topics: Topics, name: str, lang: str = "en") -> Topic:
    """The topic meant, or NotFound that offers the nearest."""
    if not plain_name(name):
        raise NotFound("error.topic.missing")
    if exact := topics.named(name):
        return exact
    ranked = _ranked(topics, name)
    if ranked and ranked[0][0] >= _CLOSE_ENOUGH and (len(ranked) == 1 or ranked[0][0] - ranked[1][0] > 0.02):
        return ranked[0][1]
    raise NotFound("error.topic.unknown", name=name, nearest=tuple(topic.title for _, topic in ranked[:4]))


def _ranked(topics: Topics, name: str) -> list[tuple[float, Topic]]:
    """Every topic by how near its nearest name is; equal ones in reading order."""
    scored = [
        (max(_nearness(plain_name(name), plain_name(known)) for known in names(topic)), topic) for topic in topics
    ]
    return sorted(scored, key=lambda pair: (-pair[0], topics.position[pair[1].id]))


def _nearness(wanted: str, known: str) -> float:
    """1 for equal; a whole part of a longer name counts by the share that it covers; else the edit ratio."""
    ratio = difflib.SequenceMatcher(None, wanted, known).ratio()
    if len(wanted) >= 3 or not wanted.isascii():
        if wanted in known:
            return max(ratio, 0.75 + 0.25 * len(wanted) / len(known))
        if known in wanted and (len(known) >= 4 or not known.isascii()):
            return max(ratio, 0.7 + 0.25 * len(known) / len(wanted))
    return ratio
