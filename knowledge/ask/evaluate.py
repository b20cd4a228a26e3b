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
from knowledge.ask.choose import MOST_MARKED
from knowledge.ask.labelled_questions import FOLLOW_UP, NONE, Label, share_inside
from knowledge.search.searcher import Hit, Searcher
from knowledge.store import Store
from knowledge.store.scope import Scope
from knowledge.store.tables import Snapshot

_PAGES = 10
_ENOUGH_OF_GOLD = 0.6
_SPACE = re.compile(r"\s+")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    label: Label
    pages: tuple[bool, ...]
    """For each page in the order of search, whether it is relevant."""
    answer: Answer
    in_reply: bool | None
    """Whether the excerpts hold the answering sentence; None where the label names none."""
    marked: bool | None
    """Whether the first three marks hold it."""

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
    pages = tuple(_relevant(hit, label) for hit in searcher.findings(question, _PAGES, per_page=1).hits)
    answer, _ = asker.extract(label.question, follow_up_of=label.follow_up_of)
    golds = label.gold_texts(mirror)
    if not golds:
        return Outcome(label, pages, answer, None, None)
    shown = "\n".join(excerpt.text for excerpt in answer.excerpts)[:MOST_CHARACTERS]
    return Outcome(label, pages, answer, _holds([shown], golds), _holds(answer.marked[:MOST_MARKED], golds))


def _holds(texts: Sequence[str], golds: Sequence[str]) -> bool:
    return any(share_inside(gold, texts) >= _ENOUGH_OF_GOLD for gold in golds)


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
