"""Arithmetic intensity of convolutions and matrix products, and their place under a card's roofline."""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.calc.working import Step, Working, si
from knowledge.errors import BadInput
from worker.hardware.cards import CardFacts, cards, find_card, nearest_cards
from worker.hardware.roofline import Ceilings, Position, position

FORMAT_BYTES: Mapping[str, int] = {"fp64": 8, "fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
_LARGEST = 1 << 20


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
    _check_sizes(
        kernel=kernel,
        channels_in=channels_in,
        channels_out=channels_out,
        height=height,
        width=width,
        batch=batch,
        stride=stride,
    )
    out_height, out_width = -(-height // stride), -(-width // stride)
    macs = batch * out_height * out_width * channels_out * channels_in * kernel**2
    elements = {
        "x": batch * height * width * channels_in,
        "w": channels_out * channels_in * kernel**2,
        "y": batch * out_height * out_width * channels_out,
    }
    steps = (
        Step("outputs", "输出元素数", f"{batch}·{out_height}·{out_width}·{channels_out}", elements["y"]),
        Step(
            "multiplications for one output",
            "每个输出的乘法次数",
            f"{channels_in}·{kernel}·{kernel}",
            channels_in * kernel**2,
        ),
        Step(
            "operations (a multiply-add is two)",
            "运算次数（一次乘加算两次）",
            "2 · outputs · multiplications",
            2 * macs,
            "FLOP",
        ),
        *_moved(elements, form),
    )
    name = f"{kernel}×{kernel} convolution, {channels_in}→{channels_out} channels, {batch}×{height}×{width}"
    zh = f"{kernel}×{kernel} 卷积，{channels_in}→{channels_out} 通道，{batch}×{height}×{width}"
    return _placed((name, zh), steps, flops=2.0 * macs, elements=sum(elements.values()), form=form, card_name=card)


def product(*, m: int, n: int, k: int, form: str = "fp32", card: str = "NVIDIA H200") -> Working:
    """C = A·B with A (m, k), B (k, n); every matrix is moved once."""
    _check_sizes(m=m, n=n, k=k)
    elements = {"A": m * k, "B": k * n, "C": m * n}
    steps = (
        Step(
            "operations (a multiply-add is two)",
            "运算次数（一次乘加算两次）",
            f"2·{m}·{n}·{k}",
            2.0 * m * n * k,
            "FLOP",
        ),
        *_moved(elements, form),
    )
    title = (f"matrix product {m}×{k} · {k}×{n}", f"矩阵乘法 {m}×{k} · {k}×{n}")
    return _placed(title, steps, flops=2.0 * m * n * k, elements=sum(elements.values()), form=form, card_name=card)


def card_names() -> tuple[str, ...]:
    """Every card of the table."""
    return tuple(card.name for card in cards())


def card_named(name: str) -> CardFacts:
    """The card, or an error that offers the nearest names."""
    if found := find_card(name):
        return found
    offered = ", ".join(nearest_cards(name) or tuple(card.name for card in cards()))
    raise BadInput(
        f"no card named {name!r} is in the table; try {offered}", f"表中没有名为“{name}”的显卡，可以试试：{offered}"
    )


def _check_sizes(**sizes: int) -> None:
    for name, value in sizes.items():
        if not 1 <= value <= _LARGEST:
            raise BadInput(
                f"{name} must be from 1 to {_LARGEST}, not {value}",
                f"{name} 必须在 1 到 {_LARGEST} 之间，而不是 {value}",
            )


def _moved(elements: Mapping[str, int], form: str) -> tuple[Step, ...]:
    if form not in FORMAT_BYTES:
        known = ", ".join(FORMAT_BYTES)
        raise BadInput(
            f"{form!r} is not a number format here; use one of {known}", f"不支持数值格式“{form}”，可用的有：{known}"
        )
    size = FORMAT_BYTES[form]
    parts = " + ".join(f"{name} {count}" for name, count in elements.items())
    return (
        Step(
            "bytes moved, each tensor once",
            "搬运的字节数（每个张量一次）",
            f"({parts}) · {size} B",
            sum(elements.values()) * size,
            "B",
        ),
    )


def _placed(
    title: tuple[str, str], steps: tuple[Step, ...], *, flops: float, elements: int, form: str, card_name: str
) -> Working:
    card = card_named(card_name)
    if form not in card.tflops:
        known = ", ".join(card.tflops)
        raise BadInput(
            f"{card.name} has no stated {form} rate; it has {known}",
            f"{card.name} 没有公布 {form} 的峰值，只有：{known}",
        )
    moved = elements * FORMAT_BYTES[form]
    ceilings = Ceilings(card.bandwidth_gb_per_s, card.tflops[form] * 1e3)
    place = position(flops, moved, ceilings)
    last = (
        Step("arithmetic intensity", "计算强度", "operations / bytes", place.intensity, "FLOP/B"),
        Step(
            f"ridge of {card.name} at {form}",
            f"{card.name} 在 {form} 下的拐点",
            f"{card.tflops[form]:g} TFLOP/s / {card.bandwidth_gb_per_s:g} GB/s",
            ceilings.ridge,
            "FLOP/B",
        ),
        Step(
            "attainable rate",
            "可达到的速率",
            "min(peak, intensity · bandwidth)",
            place.attainable_gflop_per_s * 1e9,
            "FLOP/s",
        ),
        Step("shortest possible time", "最短时间", "operations / attainable rate", place.attainable_us, "µs"),
    )
    return Working(
        *title,
        (*steps, *last),
        _conclusion_en(place, ceilings),
        _conclusion_zh(place, ceilings),
        {
            "card": card.name,
            "form": form,
            "flops": flops,
            "bytes": moved,
            "intensity": place.intensity,
            "ridge": ceilings.ridge,
            "bound": place.bound,
            "attainable_gflop_per_s": place.attainable_gflop_per_s,
            "attainable_us": place.attainable_us,
            "gb_per_s": ceilings.gb_per_s,
            "gflop_per_s": ceilings.gflop_per_s,
        },
    )


def _conclusion_en(place: Position, ceilings: Ceilings) -> str:
    side = "below" if place.bound == "memory" else "above"
    what = "memory bandwidth is the limit" if place.bound == "memory" else "arithmetic is the limit"
    rate = si(place.attainable_gflop_per_s * 1e9, "FLOP/s")
    return f"{place.intensity:.3g} FLOP/B is {side} the ridge at {ceilings.ridge:.3g}: {what}, at best {rate}."


def _conclusion_zh(place: Position, ceilings: Ceilings) -> str:
    side = "低于" if place.bound == "memory" else "高于"
    what = "受内存带宽限制" if place.bound == "memory" else "受计算能力限制"
    rate = si(place.attainable_gflop_per_s * 1e9, "FLOP/s")
    return f"计算强度 {place.intensity:.3g} FLOP/B {side}拐点 {ceilings.ridge:.3g}：{what}，最高可达 {rate}。"
