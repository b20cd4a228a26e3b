"""What a named card could reach at best on a problem's large shapes."""

from __future__ import annotations

from worker.hardware.cards import CardFacts, find_card
from worker.hardware.roofline import Ceilings, position
from worker.problem import Bench, Problem
from worker.protocol import Prediction

DEFAULT_CARD = "NVIDIA H200"

_HALF_RATE = 2
"""half2 arithmetic on the ordinary cores, against float."""


def default_card() -> CardFacts:
    card = find_card(DEFAULT_CARD)
    assert card is not None  # noqa: S101  # a row of our own table
    return card


def ceilings(card: CardFacts, bench: Bench) -> Ceilings:
    """Bandwidth, and the arithmetic rate that bounds this shape."""
    rates = {
        "float": card.tflops["fp32"],
        "double": card.tflops.get("fp64", card.tflops["fp32"] / 64),
        "half": card.tflops["fp32"] * _HALF_RATE,
        "half_tensor": card.tflops.get("fp16", card.tflops["fp32"]),
        "int8_tensor": card.tflops.get("int8", card.tflops.get("fp16", card.tflops["fp32"])),
    }
    return Ceilings(card.bandwidth_gb_per_s, rates[bench.peak] * 1e3)


def predict(problem: Problem) -> tuple[Prediction, ...]:
    """For each large shape, the datasheet's roofline. Never a measurement."""
    card = default_card()
    return tuple(_prediction(bench, card) for bench in problem.bench)


def _prediction(bench: Bench, card: CardFacts) -> Prediction:
    flops, moved = bench.flops.value(bench.sizes), bench.bytes.value(bench.sizes)
    best = position(flops, moved, ceilings(card, bench))
    return Prediction(card.name, dict(bench.sizes), best.bound, round(best.attainable_us, 3))
