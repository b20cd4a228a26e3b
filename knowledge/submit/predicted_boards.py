"""Leaderboards of predicted times: for each card that enough is known of, whether anybody has it or not.

A prediction comes from the counts in a verdict and the constants of today, so that the same kernels are always ranked
alike. Only accepted kernels stand here, and only where the prediction says something (`Predicted.ranked`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import select

from knowledge.content.solution_times import time_text
from knowledge.errors import NotFound
from knowledge.prediction.predict import Predicted, mean_us, predict_all, predictable_cards
from knowledge.store import Scope, Store
from knowledge.store.tables import Submission, VerdictRow
from knowledge.submit.kernel_facts import KernelLanguage
from worker.hardware.cards import CardFacts, find_card
from worker.protocol import Counted, Form

DEFAULT_CARD = "NVIDIA H200"
"""The card that the constants were fitted on."""

MOST_ENTRIES = 2_000
"""The newest are looked at."""
_COUNTED = msgspec.json.Decoder(tuple[Counted, ...])


@dataclass(frozen=True, slots=True)
class PredictedStanding:
    rank: int
    member_id: str
    submission: str
    handed_in_at: datetime
    language: KernelLanguage
    predicted: tuple[Predicted, ...]
    """Each timed shape."""

    @property
    def us(self) -> float:
        """What it is ranked by."""
        return mean_us(self.predicted)

    @property
    def time(self) -> str:
        return time_text(self.us)

    @property
    def extrapolated(self) -> bool:
        return any(one.extrapolated for one in self.predicted)


@dataclass(frozen=True, slots=True)
class PredictedBoards:
    store: Store

    async def board(
        self, scope: Scope, problem: str, card: str, limit: int = 20, language: KernelLanguage | None = None
    ) -> tuple[PredictedStanding, ...]:
        """Return who stands where on that card, each member with the best kernel; NotFound for an unknown card."""
        facts = named_card(card)
        accepted = (
            select(
                Submission.member_id, Submission.id, Submission.created_at, VerdictRow.language, VerdictRow.counted
            )
            .join(VerdictRow, VerdictRow.submission_id == Submission.id)
            .where(
                VerdictRow.problem == problem,
                VerdictRow.counted.is_not(None),
                VerdictRow.visible_to(scope),
                *([VerdictRow.language == language] if language else []),
                Submission.form == Form.KERNEL.value,
                Submission.withdrawn.is_(False),
                Submission.visible_to(scope),
            )
            .order_by(VerdictRow.at.desc())
            .limit(MOST_ENTRIES)
        )
        async with self.store.reading(scope) as session:
            rows: Sequence[Any] = (await session.execute(accepted)).all()
        return await asyncio.to_thread(_ranked, rows, facts, limit)


def predicted_card(name: str) -> CardFacts | None:
    """Return the card of that name or alias, if a time on it can be predicted."""
    found = find_card(name)
    return found if found in predictable_cards() else None


def named_card(name: str) -> CardFacts:
    """Return the card; NotFound names some that a time can be predicted on."""
    found = predicted_card(name)
    if found is None:
        known = tuple(card.name for card in predictable_cards()[:3])
        raise NotFound("error.card.not_predictable", name=name[:64], known=known)
    return found


@lru_cache(maxsize=2 * MOST_ENTRIES)
def _predicted(counted: str, card: str) -> tuple[Predicted, ...]:
    """Return every shape's time by what was counted and the card, whoever's kernel it was: a long board is shown
    again and again, and each entry takes a tenth of a millisecond.
    """
    return predict_all(_COUNTED.decode(counted), named_card(card))


def _ranked(rows: Sequence[Any], card: CardFacts, limit: int) -> tuple[PredictedStanding, ...]:
    entries = []
    for member, submission, at, written_in, counted in rows:
        predicted = _predicted(counted, card.name)
        if predicted and all(one.ranked for one in predicted):
            entries.append(PredictedStanding(0, member, submission, at, written_in, predicted))
    best: dict[str, PredictedStanding] = {}
    for entry in sorted(entries, key=lambda one: (one.us, one.handed_in_at, one.submission)):
        best.setdefault(entry.member_id, entry)
    return tuple(
        PredictedStanding(rank, one.member_id, one.submission, one.handed_in_at, one.language, one.predicted)
        for rank, one in enumerate(list(best.values())[:limit], start=1)
    )
