"""How lists fit requests in members' own words: `python -m tests.eval.requests` grades requests.yaml and wishes.yaml.

A file of further requests, a JSON object a line with the same fields, is graded with `--also FILE`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from knowledge.errors import SafeError
from knowledge.recommend import Recommendation, Recommender
from knowledge.recommend.history import History
from knowledge.recommend.request import LEAST_ITEMS
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import Shelf, shelf_of
from tests.shipped_content import shipped_content

LABELS = tuple(Path(__file__).with_name(name) for name in ("requests.yaml", "wishes.yaml"))
REQUESTS, WISHES = ("review", "development"), ("subjects", "short", "backgrounds", "books", "limits")
"""The parts of the two files."""


@dataclass(frozen=True, slots=True)
class Graded:
    asked: Mapping[str, Any]
    found: Recommendation | None
    """None where it was refused."""
    grade: int
    why: tuple[str, ...]
    """What is amiss."""


def requests(part: str) -> list[dict[str, Any]]:
    tables = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in LABELS)
    return [one for table in tables for one in table.get(part, ())]


def graded(asked: Iterable[Mapping[str, Any]]) -> list[Graded]:
    content = shipped_content()
    shelf, recommender = shelf_of(content), Recommender(None, content, {})  # type: ignore[arg-type]  reads no database
    return [_graded(one, recommender, shelf) for one in asked]


def _graded(asked: Mapping[str, Any], recommender: Recommender, shelf: Shelf) -> Graded:
    options = {name: asked[name] for name in ("minutes", "only_lang") if name in asked}
    kinds = frozenset({asked["kind"]} if "kind" in asked else ())
    try:
        text = asked.get("text") or asked["topic"]
        request = recommender.parse(asked.get("level"), text, asked["lang"], kinds=kinds, **options)
        found = recommendation(shelf, request, History())
    except SafeError as error:
        return Graded(asked, None, 0, (str(error),))
    amiss = tuple(_amiss(asked, found, shelf))
    ids = {item.resource_id for item in found.items}
    some = any(ids & _alternatives(entry) for entry in asked["must"])
    useful = some and found.level == asked.get("expect", found.level)
    return Graded(asked, found, 2 if not amiss else 1 if useful else 0, amiss)


def _amiss(asked: Mapping[str, Any], found: Recommendation, shelf: Shelf) -> Iterable[str]:
    ids = [item.resource_id for item in found.items]
    if found.level != asked.get("expect", found.level):
        yield f"is for {found.level}"
    yield from (f"lacks {entry}" for entry in asked["must"] if not _alternatives(entry) & set(ids))
    yield from (f"has {name}" for name in asked.get("must_not", ()) if name in ids)
    if ids and ids[0] not in asked.get("first", ids[:1]):
        yield f"begins with {ids[0]}"
    said = {remark.id for remark in found.remarks}
    yield from (f"does not say {remark}" for remark in asked.get("says", ()) if remark not in said)
    off = [name for name in ids if not set(shelf.by_id[name].topics) & set(asked["about"])]
    if len(off) > 1:
        yield f"off the subject: {', '.join(off)}"
    if len(ids) < asked.get("least", LEAST_ITEMS):
        yield f"only {len(ids)}"


def _alternatives(entry: str | list[str]) -> set[str]:
    return {entry} if isinstance(entry, str) else set(entry)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--also", type=Path, help="further requests, one JSON object a line")
    options.add_argument("--lists", action="store_true", help="print every list")
    given = options.parse_args()
    parts = {part: requests(part) for part in (*REQUESTS, *WISHES)}
    if given.also:
        lines = given.also.read_text(encoding="utf-8").splitlines()
        parts[given.also.stem] = [json.loads(line) for line in lines if line.strip()]
    for part, asked in parts.items():
        found = graded(asked)
        share = [sum(one.grade == grade for one in found) for grade in (2, 1, 0)]
        print(f"{part:12} {len(found):3} requests: grade 2 {share[0] / len(found):.0%}, 1: {share[1]}, 0: {share[2]}")
        for one in found:
            if one.grade < 2 or given.lists:
                _show(one)


def _show(one: Graded) -> None:
    print(f"  {one.grade} {one.asked.get('text') or one.asked['topic']}  {'; '.join(one.why)}")
    if one.found is None:
        return
    for remark in one.found.remarks:
        print(f"      | {remark.text(one.asked['lang'])}")
    for item in one.found.items:
        print(f"      {item.resource_id:42} {item.level[:3]} {item.lang} {item.minutes or '-'}  {item.why}")


if __name__ == "__main__":
    main()
