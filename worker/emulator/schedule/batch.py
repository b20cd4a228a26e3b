"""Some blocks of the grid that run at the same time, and who their threads are."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.values import S32, S64, U32, U64, Array, Value
from worker.emulator.memory.regions import SHARED_RESERVED

Dim = tuple[int, int, int]


class Batch:
    """Blocks [first_block, first_block + blocks) of a grid; threads are numbered block by block."""

    def __init__(
        self, grid: Dim, block: Dim, first_block: int, blocks: int, shared_size: int, dynamic_size: int
    ) -> None:
        self.grid, self.block = grid, block
        self.first_block, self.blocks = first_block, blocks
        self.block_threads = block[0] * block[1] * block[2]
        self.threads = blocks * self.block_threads
        self.shared_size, self.dynamic_size = shared_size, dynamic_size
        self.everyone: Array = np.arange(self.threads, dtype=S64)
        inside = np.tile(np.arange(self.block_threads, dtype=U32), blocks)
        self.inside = inside
        """Number of the thread in its block."""
        self.block_of: Array = np.repeat(np.arange(blocks, dtype=S64), self.block_threads)
        self.lane: Array = inside & U32(31)
        self.warps_per_block = (self.block_threads + 31) // 32
        self.warps = self.warps_per_block * blocks
        self.warp: Array = self.block_of * self.warps_per_block + (inside >> U32(5)).astype(S64)
        self.lane_bit: Array = U32(1) << self.lane
        self.grid_code: Array = (self.everyone + (1 + first_block * self.block_threads)).astype(S32)
        self.code: Array = (self.everyone + 1).astype(S32)
        """How race shadows name a thread; 0 is nobody."""
        self.alive: Array = np.ones(self.threads, np.bool_)
        self.living = self.threads
        self._living_lanes: Array | None = None
        self.shuffles: dict[tuple[str, int, int], tuple[Array, Array]] = {}
        """(mode, distance, clamp): what a shuffle of whole warps does, worked out once."""
        self._specials: dict[str, Value] = {}

    def special(self, name: str) -> Value:
        """A special register: a scalar, or one value a thread."""
        if name not in self._specials:
            self._specials[name] = self._compute_special(name)
        return self._specials[name]

    def _compute_special(self, name: str) -> Value:
        base, _, axis = name.lstrip("%").partition(".")
        if axis:
            return self._coordinate(base, "xyz".index(axis))
        if base in ("laneid", "warpid"):
            return self.lane if base == "laneid" else self.inside >> U32(5)
        if base.startswith("lanemask_"):
            return self._lane_mask(base.removeprefix("lanemask_"))
        return U32({
            "nwarpid": 64, "nsmid": 1, "WARP_SZ": 32, "dynamic_smem_size": self.dynamic_size,
            "total_smem_size": self.shared_size, "aggr_smem_size": self.shared_size,
            "reserved_smem_offset_end": SHARED_RESERVED, "reserved_smem_offset_cap": SHARED_RESERVED,
            "reserved_smem_offset_1": SHARED_RESERVED // 2,
        }.get(base, 0))  # fmt: skip

    def _lane_mask(self, relation: str) -> Array:
        own = U32(1) << self.lane
        below = own - U32(1)
        return {"eq": own, "lt": below, "le": below | own, "gt": ~(below | own), "ge": ~below}[relation]

    def _coordinate(self, base: str, axis: int) -> Value:
        sizes = self.grid if base.endswith("ctaid") else self.block
        if base in ("ntid", "nctaid"):
            return U32(sizes[axis])
        if sizes[axis] == 1:
            return U32(0)
        step = sizes[0] ** (axis > 0) * sizes[1] ** (axis > 1)
        if base == "tid":
            return self.inside // U32(step) % U32(sizes[axis])
        number = self.block_of.astype(U64) + U64(self.first_block)
        found = (number // U64(step) % U64(sizes[axis])).astype(U32)
        return found if self.blocks > 1 else found[0]

    def leave(self, threads: Array | None) -> None:
        """These threads have ended; None: all."""
        if threads is None:
            self.alive[:] = False
            self.living = 0
        else:
            self.alive[threads] = False
            self.living -= len(threads)
        self._living_lanes = None

    def living_lanes(self) -> Array:
        """Lane bits of each warp's threads that have not left."""
        if self._living_lanes is None:
            bits = np.bincount(self.warp[self.alive], self.lane_bit[self.alive], self.warps)
            self._living_lanes = bits.astype(np.uint64).astype(U32)
        return self._living_lanes

    def coordinates(self, thread: int) -> tuple[Dim, Dim]:
        """(thread, block) of a thread of this batch as the source writes them."""
        return self.thread_at(int(thread) % self.block_threads), self.block_at(int(thread) // self.block_threads)

    def thread_at(self, number: int) -> Dim:
        x, y, _ = self.block
        return number % x, number // x % y, number // (x * y)

    def block_at(self, number: int) -> Dim:
        x, y, _ = self.grid
        number += self.first_block
        return number % x, number // x % y, number // (x * y)
