"""Arithmetic intensity of convolutions and matrix products, and their place under a card's roofline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.calc.working import Step, Working, si
from knowledge.errors import BadInput
from knowledge.words import Message
from worker.hardware.cards import CardFacts, cards, find_card, nearest_cards
from worker.hardware.roofline import Ceilings, Position, position

FORMAT_BYTES: Mapping[str, int] = {"fp64": 8, "fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done: how many operations on how many elements of which format."""

    flops: float
    elements: Mapping[str, int]
    """By tensor; each is moved once."""
    form: str

    @property
    def moved_bytes(self) -> int:
        return sum(self.elements.values()) * FORMAT_BYTES[self.form]


def convolution(
    *,
    kernel: int,
    channels_in: int,
    channels_out: int,
    height: int,
    width: int,
    batch: int = 1,
    stride: int = 1,
    form: str = "fp32",
    card: str = "NVIDIA H200",
) -> Working:
    """A square kernel with `same` padding; every tensor is moved once."""
    sizes = {"kernel": kernel, "channels_in": channels_in, "channels_out": channels_out}
    sizes |= {"height": height, "width": width, "batch": batch}
    _check(form, stride=stride, **sizes)
    outputs = (batch, -(-height // stride), -(-width // stride), channels_out)
    out_elements = outputs[0] * outputs[1] * outputs[2] * outputs[3]
    elements = {
        "x": batch * height * width * channels_in,
        "w": channels_out * channels_in * kernel**2,
        "y": out_elements,
    }
    work = _Work(2.0 * out_elements * channels_in * kernel**2, elements, form)
    steps = (
        Step(Message("working.outputs"), "·".join(map(str, outputs)), out_elements),
        Step(Message("working.multiplications"), f"{channels_in}·{kernel}·{kernel}", channels_in * kernel**2),
        Step(Message("working.operations"), Message("formula.operations"), work.flops, "FLOP"),
    )
    return _placed(Message("title.convolution", **sizes), steps, work, card_named(card))


def product(*, m: int, n: int, k: int, form: str = "fp32", card: str = "NVIDIA H200") -> Working:
    """C = A·B with A (m, k), B (k, n); every matrix is moved once."""
    _check(form, m=m, n=n, k=k)
    work = _Work(2.0 * m * n * k, {"A": m * k, "B": k * n, "C": m * n}, form)
    steps = (Step(Message("working.operations"), f"2·{m}·{n}·{k}", work.flops, "FLOP"),)
    return _placed(Message("title.product", m=m, n=n, k=k), steps, work, card_named(card))


def card_names() -> tuple[str, ...]:
    """Every card of the table."""
    return tuple(card.name for card in cards())


def card_named(name: str) -> CardFacts:
    """The card, or an error that offers the nearest names."""
    if found := find_card(name):
        return found
    raise BadInput("error.calculation.card_unknown", name=name, nearest=tuple(nearest_cards(name)) or card_names())


def _check(form: str, **sizes: int) -> None:
    for name, value in sizes.items():
        if not 1 <= value <= _LARGEST:
            raise BadInput("error.calculation.out_of_range", name=name, least=1, most=_LARGEST, value=value)
    if form not in FORMAT_BYTES:
        raise BadInput("error.calculation.format_unknown", name=form, known=tuple(FORMAT_BYTES))


def _placed(title: Message, steps: tuple[Step, ...], work: _Work, card: CardFacts) -> Working:
    """The working with the bytes, the intensity and what the card's roof allows."""
    ceilings = _ceilings(card, work.form)
    place = position(work.flops, work.moved_bytes, ceilings)
    conclusion = Message(
        f"conclusion.{place.bound}",
        intensity=place.intensity,
        ridge=ceilings.ridge,
        rate=si(place.attainable_gflop_per_s * 1e9, "FLOP/s"),
    )
    return Working(title, (*steps, *_under_the_roof(work, card, ceilings, place)), conclusion, {
        "card": card.name,
        "form": work.form,
        "flops": work.flops,
        "bytes": work.moved_bytes,
        **_facts(ceilings, place),
    })  # fmt: skip


def _ceilings(card: CardFacts, form: str) -> Ceilings:
    if card.bandwidth_gb_per_s is None or not (known := tuple(form for form in FORMAT_BYTES if form in card.tflops)):
        raise BadInput("error.calculation.no_roof", card=card.name)
    if form not in card.tflops:
        raise BadInput("error.calculation.no_rate", card=card.name, form=form, known=known)
    return Ceilings(card.bandwidth_gb_per_s, card.tflops[form] * 1e3)


def _under_the_roof(work: _Work, card: CardFacts, ceilings: Ceilings, place: Position) -> tuple[Step, ...]:
    parts = " + ".join(f"{name} {count}" for name, count in work.elements.items())
    roof = f"{card.tflops[work.form]:g} TFLOP/s / {ceilings.gb_per_s:g} GB/s"
    return (
        Step(Message("working.bytes"), f"({parts}) · {FORMAT_BYTES[work.form]} B", work.moved_bytes, "B"),
        Step(Message("working.intensity"), Message("formula.intensity"), place.intensity, "FLOP/B"),
        Step(Message("working.ridge", card=card.name, form=work.form), roof, ceilings.ridge, "FLOP/B"),
        Step(Message("working.rate"), Message("formula.rate"), place.attainable_gflop_per_s * 1e9, "FLOP/s"),
        Step(Message("working.time"), Message("formula.time"), place.attainable_us * 1e-6, "s"),
    )


def _facts(ceilings: Ceilings, place: Position) -> dict[str, Any]:
    return {
        "intensity": place.intensity,
        "ridge": ceilings.ridge,
        "bound": place.bound,
        "attainable_gflop_per_s": place.attainable_gflop_per_s,
        "attainable_us": place.attainable_us,
        "gb_per_s": ceilings.gb_per_s,
        "gflop_per_s": ceilings.gflop_per_s,
    }
