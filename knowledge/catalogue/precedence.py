"""Whose word on a reading counts, of its level, topics, title, minutes, summary and state.

1. What a person stated by `/resource edit` or `add`, and a moderator's removal: kept in the row's `overrides`.
2. What curators wrote under content/.
3. What its page says, and the level and topics that the rules of the indexer give it.

An emptied list of topics is a statement too. `override` and `decide` write the first; `fill` writes the others and
leaves alone what stands in the first; `stated_by_people` reads it, for an item and for the classifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowledge.content import LEVELS, Level
from knowledge.store.library import Resource


def override(row: Resource, stated: Mapping[str, Any]) -> None:
    """Write what a person states of the reading, column by column; from then on it stands."""
    row.overrides = {**(row.overrides or {}), **stated}
    for column, value in stated.items():
        setattr(row, column, value)


def decide(row: Resource, state: str) -> None:
    """Keep what a person decided; a removal stands among the overrides: no crawl and no file undoes it."""
    kept = {key: value for key, value in (row.overrides or {}).items() if key != "state"}
    row.state, row.overrides = state, kept | ({"state": state} if state == "removed" else {})


def fill(row: Resource, found: Mapping[str, Any]) -> bool:
    """Write what a file, a page or a classifier says, except where a person decided; tell whether it is new."""
    open_ = {column: value for column, value in found.items() if column not in (row.overrides or {})}
    fresh = {column: value for column, value in open_.items() if getattr(row, column) != value}
    for column, value in fresh.items():
        setattr(row, column, value)
    return bool(fresh)


def stated_by_people(row: Resource) -> dict[str, Any]:
    """What people set of a reading, as fields of an item."""
    stated: dict[str, Any] = {}
    for key, value in (row.overrides or {}).items():
        if key == "title":
            stated |= {"title_en": value, "title_zh": value}
        elif key == "level":
            stated["stated_level"] = level_named(value)
        elif key == "topics":
            stated["topics"] = tuple(value)
        elif key in {"minutes", "summary_en", "summary_zh"}:
            stated[key] = value
    return stated


def level_named(name: str | None) -> Level | None:
    return next((level for level in LEVELS if level == name), None)
