"""Occupancy as the vendor's calculator has it, worked out by hand for a few kernels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.hardware.architectures import architectures
from worker.hardware.occupancy import occupancy
from worker.hardware.roofline import Ceilings, position


@pytest.mark.parametrize(
    ("arch", "threads", "registers", "shared", "blocks", "share", "limited_by"),
    [
        ("sm_90", 256, 32, 0, 8, 1.0, {"warps", "registers"}),  # 8 warps a block, 64 in all; 32*32=1024 regs a warp
        ("sm_90", 1024, 64, 0, 1, 0.5, {"registers"}),  # 2048 a warp: 32 warps fit
        ("sm_90", 256, 33, 0, 6, 0.75, {"registers"}),  # 1056 rounds to 1280: 51 warps, 48 in groups of 4
        ("sm_90", 128, 16, 48 << 10, 4, 0.25, {"shared"}),  # 49 KiB with the reserve: 4 in 228 KiB
        ("sm_90", 32, 16, 0, 32, 0.5, {"blocks"}),
        ("sm_86", 256, 32, 0, 6, 1.0, {"warps"}),
        ("sm_75", 256, 64, 0, 4, 1.0, {"warps", "registers"}),
        ("sm_90", 256, 255, 0, 1, 0.125, {"registers"}),  # 8192 a warp: 8 warps, one block
        ("sm_90", 1024, 255, 0, 0, 0.0, {"registers"}),  # cannot be launched at all
    ],
)
def test_occupancy_worked_out_by_hand(
    arch: str, threads: int, registers: int, shared: int, blocks: int, share: float, limited_by: set[str]
) -> None:
    found = occupancy(arch, threads, registers, shared)
    assert (found.blocks, found.share, set(found.limited_by)) == (blocks, share, limited_by)


@given(st.sampled_from(sorted(architectures())), st.integers(1, 1024), st.integers(1, 255), st.integers(0, 48 << 10))
def test_more_of_a_resource_never_raises_occupancy(arch: str, threads: int, registers: int, shared: int) -> None:
    here = occupancy(arch, threads, registers, shared)
    assert 0 <= here.share <= 1
    assert occupancy(arch, threads, min(255, registers + 8), shared).blocks <= here.blocks
    assert occupancy(arch, threads, registers, max(0, shared - 1024)).blocks >= here.blocks


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sm_90", 0, 1, 0), "1 to 1024"),
        (("sm_90", 32, 256, 0), "255"),
        (("sm_1", 32, 1, 0), "not known"),
        (("sm_90", 32, 1, 228 << 10), "shared memory"),
    ],
)
def test_an_impossible_launch_is_told(arguments: tuple[str, int, int, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        occupancy(*arguments)


def test_vector_addition_is_bound_by_memory_and_a_large_product_by_arithmetic() -> None:
    card = Ceilings(gb_per_s=4000, gflop_per_s=60_000)
    assert card.ridge == 15
    add = position(flops=1e6, moved_bytes=12e6, ceilings=card)
    assert (add.bound, add.attainable_us) == ("memory", 3.0)
    assert add.attainable_gflop_per_s == pytest.approx(333.33, rel=1e-4)
    n = 4096
    product = position(flops=2 * n**3, moved_bytes=3 * 4 * n**2, ceilings=card)
    assert product.bound == "compute"
    assert product.attainable_gflop_per_s == pytest.approx(60_000)
