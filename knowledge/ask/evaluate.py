"""Retrieval, answers and refusals over labelled questions, in numbers."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from knowledge.ask.answer import MOST_CHARACTERS, Answer
from knowledge.ask.asker import Asker
from knowledge.ask.labelled_questions import FOLLOW_UP, NONE, Label, plain, share_inside
from knowledge.ask.marks import MOST_MARKED
from knowledge.search.searcher import Hit, Searcher
from knowledge.store import Store
from knowledge.store.scope import Scope
from knowledge.store.tables import Snapshot

_PAGES = 10
_WITH_TRANSLATIONS = 2 * _PAGES
_ENOUGH_OF_GOLD = 0.6
_SPACE = re.compile(r"\s+")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    label: Label
    pages: tuple[bool, ...]
    """For each page in the order of search, whether it is relevant; a page and its translation are one."""
    answer: Answer
    in_reply: bool | None
    """Whether the excerpts hold the answering sentence; None where the label names none."""
    marked: bool | None
    """Whether the first three marks hold it."""
    marks: tuple[bool, ...] = ()
    """For each mark, whether it is a labelled sentence or lies within one; empty where the label names none."""
    excerpts: tuple[bool, ...] = ()
    """For each excerpt, whether it holds a labelled sentence; empty likewise."""

    def hit(self, k: int) -> bool:
        return any(self.pages[:k])


async def evaluate(
    labels: Sequence[Label],
    asker: Asker,
    searcher: Searcher,
    store: Store,
    mirror: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of `warpmate eval`; `mirror` is needed where labels name sentences of its pages."""
    return await report(outcomes_of(labels, asker, searcher, mirror, progress), store)


def outcomes_of(
    labels: Sequence[Label],
    asker: Asker,
    searcher: Searcher,
    mirror: Path | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """What came of each question."""
    outcomes = []
    for number, label in enumerate(labels, start=1):
        outcomes.append(outcome(label, asker, searcher, mirror))
        if progress:
            progress(number, len(labels))
    return outcomes


async def report(outcomes: Sequence[Outcome], store: Store) -> dict[str, Any]:
    """Return the numbers over these outcomes; the store holds the snapshots that the answers cite."""
    return {
        "cells": cells(outcomes),
        "answers": answers(outcomes, await support(outcomes, store)),
        "by_cell": by_cell(outcomes),
        "per_question": per_question(outcomes),
    }


def outcome(label: Label, asker: Asker, searcher: Searcher, mirror: Path | None) -> Outcome:
    question = asker.understood(label.question, label.follow_up_of, Scope())
    hits = searcher.findings(question, _WITH_TRANSLATIONS, per_page=1).hits
    answer, _ = asker.extract(label.question, follow_up_of=label.follow_up_of)
    golds = label.gold_texts(mirror)
    if not golds:
        return Outcome(label, relevant_pages(hits, label), answer, None, None)
    shown = "\n".join(excerpt.text for excerpt in answer.excerpts)[:MOST_CHARACTERS]
    return Outcome(
        label,
        relevant_pages(hits, label),
        answer,
        in_reply=_holds([shown], golds),
        marked=_holds(answer.marked[:MOST_MARKED], golds),
        marks=tuple(_holds([mark], golds) or _within(mark, golds) for mark in answer.marked),
        excerpts=tuple(_holds([excerpt.text], golds) for excerpt in answer.excerpts),
    )


def _holds(texts: Sequence[str], golds: Sequence[str]) -> bool:
    return any(share_inside(gold, texts) >= _ENOUGH_OF_GOLD for gold in golds)


def _within(mark: str, golds: Sequence[str]) -> bool:
    """Whether the mark is a part of an answering sentence that is longer than a sentence of ours."""
    return share_inside(plain(mark), golds) >= _ENOUGH_OF_GOLD


def relevant_pages(hits: Sequence[Hit], label: Label) -> tuple[bool, ...]:
    """Return for each page whether it is relevant; with its translation it takes one place, the better of both."""
    places: dict[tuple[str, str], bool] = {}
    for hit in hits:
        place = hit.passage.resource_id, hit.passage.path.replace(f"/{hit.passage.lang}/", "/")
        places[place] = places.get(place, False) or _relevant(hit, label)
    return tuple(places.values())[:_PAGES]


def _relevant(hit: Hit, label: Label) -> bool:
    return hit.passage.path in label.relevant or hit.passage.url in label.relevant


def cells(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """hit@k and ndcg@10 by page, for every cell with relevant pages."""
    by_cell: dict[str, list[Outcome]] = defaultdict(list)
    for found in outcomes:
        if found.label.cell != NONE:
            by_cell[found.label.cell].append(found)
    return {cell: _retrieval(of) for cell, of in sorted(by_cell.items())}


def _retrieval(outcomes: Sequence[Outcome]) -> dict[str, float]:
    row: dict[str, float] = {f"hit@{k}": _mean([found.hit(k) for found in outcomes]) for k in (1, 3, 5)}
    row["ndcg@10"] = _mean([_ndcg(found) for found in outcomes])
    row["n"] = len(outcomes)
    return row


def _ndcg(found: Outcome) -> float:
    gains = sum(1 / math.log2(rank + 2) for rank, relevant in enumerate(found.pages[:_PAGES]) if relevant)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(found.label.relevant), _PAGES)))
    return gains / ideal if ideal else 0.0


def answers(outcomes: Sequence[Outcome], citation_support: float) -> dict[str, float]:
    unanswerable = [found for found in outcomes if found.label.cell == NONE]
    asked = [found for found in outcomes if found.label.cell not in {NONE, FOLLOW_UP}]
    times = sorted(found.answer.timings_ms["total"] for found in outcomes)
    marked = _mean([found.marked for found in asked if found.marked is not None])
    lost = _mean([found.answer.status == "refused" for found in asked])
    lengths = sorted(sum(len(one.text) for one in found.answer.excerpts) for found in asked if found.answer.excerpts)
    return {
        "citation_support": citation_support,
        "gold_in_reply": _mean([found.in_reply for found in asked if found.in_reply is not None]),
        "gold_marked@3": marked,
        "gold_sentence@3": marked,
        "marks_beside_gold": _beside([found.marks for found in asked]),
        "excerpts_beside_gold": _beside([found.excerpts for found in asked]),
        "false_answers": _share(unanswerable, "answered"),
        "refused_unanswerable": _share(unanswerable, "refused"),
        "perhaps_unanswerable": _share(unanswerable, "perhaps"),
        "perhaps_answerable": _share(asked, "perhaps"),
        "lost_answers": lost,
        "false_refusals": lost,
        "chars_p50": _quantile(lengths, 0.5),
        "p50_ms": _quantile(times, 0.5),
        "p95_ms": _quantile(times, 0.95),
    }


def _beside(shown: Sequence[Sequence[bool]]) -> float:
    """Share of all marks, or of all excerpts, that are not the labelled answer: others may answer as well."""
    return _mean([not right for of_one in shown for right in of_one])


def _share(outcomes: Sequence[Outcome], status: str) -> float:
    return _mean([found.answer.status == status for found in outcomes])


def by_cell(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The same as `answers`, for the questions of each cell."""
    of: dict[str, list[Outcome]] = defaultdict(list)
    for found in outcomes:
        of[found.label.cell].append(found)
    return {cell: answers(mine, 1.0) for cell, mine in sorted(of.items())}


def per_question(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            "id": found.label.id,
            "cell": found.label.cell,
            "status": found.answer.status,
            "pages": [citation.path for citation in found.answer.citations],
            "gold_in_reply": found.in_reply,
            "gold_marked": found.marked,
            "chars": sum(len(excerpt.text) for excerpt in found.answer.excerpts),
            "ms": found.answer.timings_ms["total"],
        }
        for found in outcomes
    ]


async def support(outcomes: Sequence[Outcome], store: Store) -> float:
    """Share of the excerpts that stand, white space collapsed, in the stored snapshot that they cite."""
    quotes = [
        (citation.snapshot_id, excerpt.text)
        for found in outcomes
        for excerpt in found.answer.excerpts
        for citation in found.answer.citations
        if citation.n == excerpt.citation
    ]
    texts: dict[int, str] = {}
    async with store.session(Scope.all()) as session:
        for number in {snapshot_id for snapshot_id, _ in quotes}:
            text = await session.scalar(select(Snapshot.text).where(Snapshot.id == number))
            texts[number] = _collapsed(text or "")
    return _mean([_collapsed(quote) in texts[number] for number, quote in quotes], empty=1.0)


def _collapsed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _mean(values: Sequence[float | bool], empty: float = 0.0) -> float:
    return round(sum(values) / len(values), 4) if values else empty


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
