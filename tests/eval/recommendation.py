"""How good recommendations are on the labelled requests, with a plain baseline beside them.

Run alone: `python -m tests.eval.recommendation`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from knowledge.content import Level
from knowledge.content.names import level_named, topic_named
from knowledge.recommend.history import History, history_of
from knowledge.recommend.order import inversions
from knowledge.recommend.request import MOST_ITEMS, Recommendation, Request
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import LEVELS, Item, Shelf, shelf_of
from tests.shipped_content import shipped_content

LABELS = Path(__file__).with_name("recommend.yaml")
CONTENT = Path(__file__).parents[2] / "content"


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    level: Level
    request: Request
    history: History
    good: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Over all cases. Precision: the share of what was recommended that a labeller accepts."""

    precision: float
    items: int
    inversions: int
    hidden: int
    """Dead or already dealt with by the member."""
    off_level: int
    """Neither at the level asked for nor, with the reason given, one below."""
    without_own_language: int
    """Lists without an item in the member's language although one would fit."""
    misses: tuple[tuple[str, str], ...]


def cases(shelf: Shelf) -> list[Case]:
    labels = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    return [_case(shelf, entry, labels["later"].get(entry["id"], [])) for entry in labels["requests"]]


def _case(shelf: Shelf, entry: dict[str, Any], later: Sequence[str]) -> Case:
    topic = topic_named(shelf.topics, entry["topic"], entry["lang"]).id
    level = level_named(entry["level"])
    request = Request(level, topic, lang=entry["lang"])
    history = history_of([(item, event) for event, item in entry.get("history", [])])
    return Case(entry["id"], level, request, history, frozenset([*entry["good"], *later]))


def score(shelf: Shelf, results: Sequence[tuple[Case, Recommendation]]) -> Score:
    shown = [(case, shelf.by_id[item.resource_id], item.why) for case, found in results for item in found.items]
    lists = [(case, [shelf.by_id[item.resource_id] for item in found.items]) for case, found in results]
    misses = tuple((case.id, item.id) for case, item, _ in shown if item.id not in case.good)
    return Score(
        precision=1 - len(misses) / len(shown),
        items=len(shown),
        inversions=sum(len(inversions(shelf, items)) for _, items in lists),
        hidden=sum(item.id in case.history.hidden or item.link_state == "dead" for case, item, _ in shown),
        off_level=sum(not _level_holds(case.level, item, why) for case, item, why in shown),
        without_own_language=sum(_misses_language(shelf, case, items) for case, items in lists),
        misses=misses,
    )


def _level_holds(level: Level, item: Item, why: str) -> bool:
    distance = LEVELS.index(level) - LEVELS.index(item.level)
    said = {
        1: ("one level below", "低一级", "too hard", "太难"),
        2: ("two levels below", "低两级", "too hard", "太难"),
        -1: ("one level above", "高一级"),
        -2: ("two levels above", "高两级"),
    }
    return distance == 0 or any(sign in why for sign in said[distance])


def _misses_language(shelf: Shelf, case: Case, items: list[Item]) -> bool:
    if any(case.request.lang in item.langs for item in items):
        return False
    fitting = shelf.by_topic[case.request.topic]
    return any(
        case.request.lang in item.langs
        and item.level == case.level
        and not item.stretch
        and item.id not in case.history.hidden
        for item in fitting
    )


def baseline(shelf: Shelf, case: Case) -> Recommendation:
    """Same level and topic, by similarity of title and topic, nothing else: what a tag filter would give."""
    from knowledge.recommend.reasons import reading_of

    title = shelf.topics[case.request.topic].title.text(case.request.lang)
    fitting = [item for item in shelf.by_topic[case.request.topic] if item.level == case.level]
    fitting.sort(
        key=lambda item: difflib.SequenceMatcher(None, title.lower(), item.title_en.lower()).ratio(), reverse=True
    )
    items = tuple(reading_of(item, case.request.lang, "") for item in fitting[:MOST_ITEMS])
    return Recommendation(case.level, case.request.topic, shelf.topics[case.request.topic].title, items)


def main() -> None:
    shelf = shelf_of(shipped_content())
    labelled = cases(shelf)
    ours = score(shelf, [(case, recommendation(shelf, case.request, case.history)) for case in labelled])
    plain = score(shelf, [(case, found) for case in labelled if (found := baseline(shelf, case)).items])
    print(f"{'':24}{'ours':>8}{'baseline':>10}")
    for name in ("precision", "items", "inversions", "hidden", "off_level", "without_own_language"):
        left, right = getattr(ours, name), getattr(plain, name)
        print(f"{name:24}{left:8.3f}{right:10.3f}" if name == "precision" else f"{name:24}{left:8}{right:10}")
    for case_id, item in ours.misses:
        print(f"  not accepted: {case_id} {item}")


if __name__ == "__main__":
    main()
