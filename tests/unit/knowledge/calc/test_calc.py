"""The calculators against values worked out by hand and against the definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.calc import NETWORKS, convolution, kernel_occupancy, product, receptive_field
from knowledge.calc.receptive_field import Layer, reaches
from knowledge.errors import BadInput


def seen_by_one_value(layers: tuple[Layer, ...]) -> int:
    """The definition: walk back from one value and count the pixels between the first and the last it touches."""
    first = last = 0
    for layer in reversed(layers):
        first, last = first * layer.stride, last * layer.stride + layer.kernel - 1
    return last - first + 1


@pytest.mark.parametrize("network", sorted(NETWORKS))
def test_the_receptive_field_is_what_the_definition_counts(network: str) -> None:
    assert receptive_field(network).facts["field"] == seen_by_one_value(NETWORKS[network])


@pytest.mark.parametrize(
    ("network", "field"), [("resnet-50", 483), ("resnet-50-v1.5", 427), ("vgg-16", 212), ("resnet-18", 435)]
)
def test_the_receptive_fields_that_papers_state(network: str, field: int) -> None:
    assert receptive_field(network).facts["field"] == field


@given(st.lists(st.builds(Layer, st.just("l"), st.integers(1, 7), st.integers(1, 3)), min_size=1, max_size=8))
def test_any_chain_of_layers_agrees_with_the_definition(layers: list[Layer]) -> None:
    assert reaches(layers)[-1].field == seen_by_one_value(tuple(layers))


def test_the_working_of_a_network_names_every_layer_once() -> None:
    steps = receptive_field("resnet-50").steps
    assert len(steps) == 2 + 16 * 3
    assert steps[0].formula == "1 + (7 - 1)·1"
    assert steps[0].value == 7


@pytest.mark.parametrize(("kernel", "intensity"), [(1, 15.84), (3, 131.9), (5, 318.7)])
def test_convolution_intensities_worked_out_by_hand(kernel: int, intensity: float) -> None:
    """64 to 64 channels on 56×56 in fp32: 2·3136·64·64·k² over 4·(2·3136·64 + 64·64·k²)."""
    by_hand = 2 * 3136 * 64 * 64 * kernel**2 / (4 * (2 * 3136 * 64 + 64 * 64 * kernel**2))
    found = convolution(kernel=kernel, channels_in=64, channels_out=64, height=56, width=56).facts
    assert found["intensity"] == pytest.approx(by_hand)
    assert found["intensity"] == pytest.approx(intensity, rel=1e-3)


def test_a_larger_kernel_reuses_more() -> None:
    by_kernel = [
        convolution(kernel=k, channels_in=64, channels_out=64, height=56, width=56).facts["intensity"]
        for k in (1, 3, 5)
    ]
    assert by_kernel == sorted(by_kernel)


def test_a_large_product_is_bound_by_arithmetic_and_a_thin_one_by_memory() -> None:
    large = product(m=4096, n=4096, k=4096).facts
    assert large["intensity"] == pytest.approx(4096 / 6)
    assert large["bound"] == "compute"
    assert large["attainable_us"] == pytest.approx(2 * 4096**3 / 67e12 * 1e6)
    assert product(m=1, n=4096, k=4096).facts["bound"] == "memory"


def test_occupancy_tells_what_runs_out() -> None:
    working = kernel_occupancy(block_threads=256, registers=33)
    assert working.facts == {"blocks": 6, "warps": 48, "share": 0.75, "limited_by": ["registers"]}
    assert "registers" in working.conclusion.text("en")
    assert "寄存器" in working.conclusion.text("zh")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: product(m=0, n=1, k=1),
        lambda: product(m=1, n=1, k=1, form="fp12"),
        lambda: product(m=1, n=1, k=1, card="rtx 4900"),
        lambda: product(m=1, n=1, k=1, card="t4", form="bf16"),
        lambda: receptive_field("alexnet-9000"),
        lambda: kernel_occupancy(block_threads=2048, registers=32),
    ],
)
def test_input_that_makes_no_sense_is_told_in_both_languages(wrong: object) -> None:
    with pytest.raises(BadInput) as caught:
        wrong()  # type: ignore[operator]
    assert caught.value.text("zh") != caught.value.text("en")
