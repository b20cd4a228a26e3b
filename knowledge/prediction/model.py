"""A cost model of a GPU: how long a launch takes by each thing that could limit it, and by all of them together.

What a card can do comes from its row in worker/hardware; `Constants` says how far real kernels stay from that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knowledge.prediction.growth import Work
from worker.hardware.cards import CardFacts
from worker.hardware.occupancy import occupancy

Limit = Literal["dram", "l2", "l1", "issue", "tensor", "fp64", "atomics", "latency"]
LIMITS: tuple[Limit, ...] = ("dram", "l2", "l1", "issue", "tensor", "fp64", "atomics", "latency")

WARP, SECTOR_BYTES, SCHEDULERS = 32, 32, 4
SFU_TURNS = 2
"""Turns of its unit that a special function takes for a warp."""
UNKNOWN_REGISTERS = 32
L1_CLOCKS, L2_CLOCKS = 38, 260
"""Of a load that a cache answers, about the same on every card since Volta."""


@dataclass(frozen=True, slots=True)
class Constants:
    """What no data sheet says, fitted by bench/cost_model.py over measured times."""

    dram_share: float
    """Of the bandwidth on the data sheet, that a kernel reaches."""
    l2_bytes: float
    """That a multiprocessor gets of the second cache in a clock."""
    pieces: float
    """A sector that is stored in pieces there, each piece after the first, against one that is loaded."""
    issue_share: float
    """Of the issue slots, that a kernel uses at best."""
    l1_turns: float
    """Clocks of the first cache for a line, or for a pass over shared memory."""
    tensor_share: float
    """Of the matrix units' rate, through mma."""
    global_clocks: float
    """A wait for global memory."""
    shared_clocks: float
    """A wait for shared memory or a shuffle."""
    barrier_clocks: float
    instruction_clocks: float
    """From one instruction to the next that needs it, on average over those that a warp has between waits."""
    block_clocks: float
    """From the end of a block to the first instruction of the next."""
    atomic_clocks: float
    """Between two atomic operations on global memory, over the whole card."""
    sharpness: float
    """How much the greatest limit hides the others: they add up as powers of this."""
    launch_us: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one launch."""

    us: float
    by_limit: Mapping[Limit, float]
    """What each limit alone would take."""


def launch_cost(work: Work, card: CardFacts, constants: Constants) -> Cost:
    """Return the predicted time of a launch; ValueError for a block that the card cannot hold."""
    by_limit = _by_limit(work, card, constants)
    power = constants.sharpness
    greatest = max(by_limit.values())
    together = (
        greatest * sum((each / greatest) ** power for each in by_limit.values()) ** (1 / power) if greatest else 0
    )
    return Cost(constants.launch_us + together, by_limit)


def _by_limit(work: Work, card: CardFacts, constants: Constants) -> dict[Limit, float]:
    launch, figures = work.geometry, work.figures
    multiprocessors, clocks_per_us = card.multiprocessors or 1, float(card.figures["boost_mhz"])
    busy = min(multiprocessors, launch.blocks)
    resident = occupancy(card.arch, launch.threads, launch.registers or UNKNOWN_REGISTERS, launch.shared_bytes)
    each = {name: value / busy for name, value in figures.items()}
    """On one multiprocessor."""

    def us(clocks: float) -> float:
        return clocks / clocks_per_us

    def of(name: str) -> float:
        return each.get(name, 0.0)

    pieces = max(0.0, of("stored_sectors") - work.written_bytes / SECTOR_BYTES / busy)
    l2_sectors = of("block_read_sectors") + of("stored_sectors") + constants.pieces * pieces
    slots = of("issue") / SCHEDULERS / constants.issue_share
    return {
        "dram": (work.read_bytes + work.written_bytes) / (card.bandwidth_gb_per_s or 1) / 1e3 / constants.dram_share,
        "l2": us(l2_sectors * SECTOR_BYTES / constants.l2_bytes),
        "l1": us(constants.l1_turns * (of("global_lines") + of("shared_wavefronts"))),
        "issue": us(max(slots, SFU_TURNS * of("sfu"))),
        "tensor": _tensor_us(figures, card) / constants.tensor_share,
        "fp64": _fp64_us(figures, card),
        "atomics": us(constants.atomic_clocks * figures.get("atomic_lanes", 0.0)),
        "latency": us(_rounds(launch.blocks, multiprocessors * resident.blocks) * _serial(work, constants)),
    }


def _tensor_us(figures: Mapping[str, float], card: CardFacts) -> float:
    """The products of a kernel with matrix instructions, at the rate for half precision."""
    return figures.get("flops", 0.0) / card.tflops.get("fp16", math.inf) / 1e6 if figures.get("tensor") else 0.0


def _fp64_us(figures: Mapping[str, float], card: CardFacts) -> float:
    rate = card.tflops.get("fp64", card.tflops.get("fp32", 1.0) / 64)
    return figures.get("fp64", 0.0) * WARP * 2 / rate / 1e6


def _load_clocks(work: Work, constants: Constants) -> float:
    """A wait for global memory, on average over the loads that each cache answers."""
    loaded = work.figures.get("global_sectors", 0.0) - work.figures.get("stored_sectors", 0.0)
    beyond_l1 = min(1.0, work.figures.get("block_read_sectors", 0.0) / loaded) if loaded > 0 else 1.0
    beyond_l2 = min(beyond_l1, work.read_bytes / SECTOR_BYTES / loaded) if loaded > 0 else 1.0
    return L1_CLOCKS * (1 - beyond_l1) + L2_CLOCKS * (beyond_l1 - beyond_l2) + constants.global_clocks * beyond_l2


def _rounds(blocks: int, places: int) -> float:
    """How often a place for a block is filled: the last time with fewer, which shows where there are few rounds."""
    return max(1.0, blocks / max(1, places))


def _serial(work: Work, constants: Constants) -> float:
    """Clocks that a warp of this launch takes where nothing stands in its way but itself."""
    warps = work.geometry.blocks * math.ceil(work.geometry.threads / WARP)
    figures = work.figures
    waits = (
        _load_clocks(work, constants) * figures.get("global_waits", 0.0)
        + constants.shared_clocks * figures.get("shared_waits", 0.0)
        + constants.barrier_clocks * figures.get("barriers", 0.0)
        + constants.instruction_clocks * figures.get("issue", 0.0)
    )
    return constants.block_clocks + waits / warps
