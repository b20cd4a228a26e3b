"""A kernel's time on a card, predicted from its counts, and what limits it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from knowledge.prediction.growth import Grown, grown
from knowledge.prediction.model import LIMITS, Constants, Cost, Limit, launch_cost
from worker.hardware.architectures import architecture
from worker.hardware.cards import CardFacts, cards
from worker.protocol import Counted

LEAST_MOVED = 0.6
"""Of the bytes that any solution has to move: what moves less, in the blocks that were run, does not do its work."""
MUCH_ARITHMETIC, LEAST_FLOPS = 50.0, 0.9
"""Operations for a byte above which these are looked at instead, and the share of them that has to be there."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """One timed shape on one card."""

    card: str
    sizes: Mapping[str, int]
    us: float
    limit: Limit
    """What takes longest."""
    shares: Mapping[Limit, float]
    """Of the predicted time, what each limit alone would take: the greatest, and others of a tenth and more."""
    extrapolated: bool
    """From counts at smaller sizes."""
    regular: bool
    """Whether these counts grow as those of loops do: else a prediction says little."""
    whole: bool
    """Whether the kernel does at this size as much as any solution has to."""

    @property
    def ranked(self) -> bool:
        return self.regular and self.whole


def predict(counted: Counted, card: CardFacts, constants: Constants | None = None) -> Predicted | None:
    """Return the time on that card; None where the card cannot hold a block of it, or too little is known of it.

    Nothing either of counts in which a launch is missing, as a worker once sent them.
    """
    if not predictable(card) or any(len(run.launches) != len(counted.launches) for run in counted.runs):
        return None
    found, used = grown(counted), constants or fitted().constants
    try:
        costs = [launch_cost(work, card, used) for work in found.launches]
    except ValueError:
        return None
    least_us = counted.bytes / (card.bandwidth_gb_per_s or math.inf) / 1e3 / used.dram_share
    us = max(sum(cost.us for cost in costs), least_us)
    shares = _shares(costs, us)
    return Predicted(
        card.name, counted.sizes, us, next(iter(shares)), shares, found.extrapolated, found.regular,
        _does_its_work(counted, found),
    )  # fmt: skip


def predict_all(counted: Sequence[Counted] | None, card: CardFacts) -> tuple[Predicted, ...]:
    """Return every shape's; nothing where one of them could not be told."""
    made = [predict(one, card) for one in counted or ()]
    told = tuple(one for one in made if one is not None)
    return told if len(told) == len(made) else ()


def mean_us(predicted: Sequence[Predicted]) -> float:
    """Return what kernels are ranked by: the geometric mean over all shapes."""
    return math.exp(sum(math.log(one.us) for one in predicted) / len(predicted))


def predictable(card: CardFacts) -> bool:
    """Whether enough is known of a card: its multiprocessors, clock, bandwidth, and what one of them can hold."""
    known = card.multiprocessors and card.bandwidth_gb_per_s and card.figures.get("boost_mhz")
    return bool(known) and architecture(card.arch) is not None


@cache
def predictable_cards() -> tuple[CardFacts, ...]:
    return tuple(card for card in cards() if predictable(card))


@dataclass(frozen=True, slots=True)
class Fitted:
    """The constants, with how near they come to times that were measured."""

    constants: Constants
    card: str
    date: str
    median_error: float
    """On problems that the fit had not seen."""


@cache
def fitted() -> Fitted:
    """Return what bench/cost_model.py wrote."""
    text = files("knowledge.prediction").joinpath("constants.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return Fitted(Constants(**document["constants"]), document["card"], document["date"], document["median_error"])


def _shares(costs: Sequence[Cost], us: float) -> dict[Limit, float]:
    shares: dict[Limit, float] = {limit: sum(cost.by_limit[limit] for cost in costs) / us for limit in LIMITS}
    greatest, *others = sorted(LIMITS, key=lambda one: -shares[one])
    return {limit: shares[limit] for limit in (greatest, *(one for one in others if shares[one] >= 0.1))}


def _does_its_work(counted: Counted, found: Grown) -> bool:
    if counted.bytes and counted.flops / counted.bytes > MUCH_ARITHMETIC:
        return sum(work.figures.get("flops", 0.0) for work in found.launches) >= LEAST_FLOPS * counted.flops
    return sum(work.read_bytes + work.written_bytes for work in found.launches) >= LEAST_MOVED * counted.bytes
