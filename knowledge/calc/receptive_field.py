"""How far back into the image one value of a layer looks, layer by layer.

A layer with kernel k and stride s on a map whose values lie `jump` pixels apart widens the field by
(k - 1) · jump and multiplies the jump by s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from knowledge.calc.working import Step, Working
from knowledge.errors import BadInput
from knowledge.words import Message


@dataclass(frozen=True, slots=True)
class Layer:
    name: str
    kernel: int
    stride: int


@dataclass(frozen=True, slots=True)
class Reach:
    layer: Layer
    field: int
    """Pixels of the image that one value depends on, along one side."""
    jump: int
    """Pixels between neighbouring values."""


def reaches(layers: Iterable[Layer]) -> tuple[Reach, ...]:
    """The receptive field after each layer."""
    field, jump = 1, 1
    found = []
    for layer in layers:
        field += (layer.kernel - 1) * jump
        jump *= layer.stride
        found.append(Reach(layer, field, jump))
    return tuple(found)


def receptive_field(network: str) -> Working:
    """The working for a network of the table."""
    layers = NETWORKS.get(network.lower())
    if layers is None:
        raise BadInput("error.calculation.network_unknown", name=network, known=tuple(NETWORKS))
    found = reaches(layers)
    steps = tuple(
        Step(
            Message("working.layer", name=reach.layer.name, kernel=reach.layer.kernel, stride=reach.layer.stride),
            f"{before.field} + ({reach.layer.kernel} - 1)·{before.jump}",
            reach.field,
            "px",
        )
        for before, reach in zip((Reach(Layer("", 1, 1), 1, 1), *found), found, strict=False)
    )
    last = found[-1]
    return Working(
        Message("title.receptive_field", network=network),
        steps,
        Message("conclusion.receptive_field", field=last.field, jump=last.jump),
        {"field": last.field, "jump": last.jump, "layers": [[r.layer.name, r.field, r.jump] for r in found]},
    )


def _vgg(convolutions: tuple[int, ...]) -> tuple[Layer, ...]:
    return tuple(
        chain.from_iterable(
            (
                *(Layer(f"conv{stage}_{i}", 3, 1) for i in range(1, count + 1)),
                Layer(f"pool{stage}", 2, 2),
            )
            for stage, count in enumerate(convolutions, start=1)
        )
    )


def _resnet(blocks: tuple[int, ...], *, bottleneck: bool, stride_in_3x3: bool = False) -> tuple[Layer, ...]:
    stem = (Layer("conv1", 7, 2), Layer("pool1", 3, 2))
    stages = (
        layer
        for stage, count in enumerate(blocks, start=2)
        for block in range(1, count + 1)
        for layer in _block(f"conv{stage}_{block}", 2 if stage > 2 and block == 1 else 1, bottleneck, stride_in_3x3)
    )
    return (*stem, *stages)


def _block(name: str, stride: int, bottleneck: bool, stride_in_3x3: bool) -> tuple[Layer, ...]:
    if not bottleneck:
        return (Layer(f"{name}a", 3, stride), Layer(f"{name}b", 3, 1))
    first, second = (1, stride) if stride_in_3x3 else (stride, 1)
    return (Layer(f"{name}a", 1, first), Layer(f"{name}b", 3, second), Layer(f"{name}c", 1, 1))


NETWORKS: Mapping[str, tuple[Layer, ...]] = {
    "vgg-11": _vgg((1, 1, 2, 2, 2)),
    "vgg-16": _vgg((2, 2, 3, 3, 3)),
    "vgg-19": _vgg((2, 2, 4, 4, 4)),
    "resnet-18": _resnet((2, 2, 2, 2), bottleneck=False),
    "resnet-34": _resnet((3, 4, 6, 3), bottleneck=False),
    "resnet-50": _resnet((3, 4, 6, 3), bottleneck=True),
    "resnet-50-v1.5": _resnet((3, 4, 6, 3), bottleneck=True, stride_in_3x3=True),
    "resnet-101": _resnet((3, 4, 23, 3), bottleneck=True),
    "resnet-152": _resnet((3, 8, 36, 3), bottleneck=True),
}
"""ResNet-50 as in its paper strides in the 1×1 convolution; the v1.5 of later libraries in the 3×3."""
