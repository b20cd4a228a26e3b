"""How many warps of a kernel a multiprocessor can hold, and what stops it from holding more.

The rules are those of NVIDIA's occupancy calculator: registers are handed out a warp at a time in units of
256, warps and shared memory in the units that the table of architectures has, and the system keeps some shared
memory for each block.
"""

from __future__ import annotations

from dataclasses import dataclass

from worker.hardware.architectures import Architecture, architecture, architectures

WARP_THREADS = 32
MAX_BLOCK_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED_BYTES = 227 << 10
"""What a block may ask for at launch on a current data-centre card; smaller cards refuse at the launch."""

MAX_STATIC_SHARED_BYTES = 48 << 10
_REGISTER_UNIT = 256


@dataclass(frozen=True, slots=True)
class Occupancy:
    blocks: int
    """Resident blocks on one multiprocessor."""
    warps: int
    share: float
    """Resident warps over the most that fit, from 0 to 1."""
    limits: dict[str, int]
    """Blocks that each resource alone would allow: warps, blocks, registers, shared."""
    limited_by: tuple[str, ...]
    """The resources that allow no more than `blocks`."""


def occupancy(arch: str, block_threads: int, registers: int, shared_bytes: int) -> Occupancy:
    """Raises ValueError with one sentence for a launch that no multiprocessor of the architecture can hold."""
    machine = architecture(arch)
    if machine is None:
        raise ValueError(f"{arch} is not known; use one of {', '.join(architectures())}")
    _check(machine, block_threads, registers, shared_bytes)
    block_warps = -(-block_threads // WARP_THREADS)
    limits = {
        "warps": machine.warps // block_warps,
        "blocks": machine.blocks,
        "registers": _blocks_by_registers(machine, block_warps, registers),
        "shared": _blocks_by_shared(machine, shared_bytes),
    }
    blocks = min(limits.values())
    warps = blocks * block_warps
    limited_by = tuple(name for name, allowed in limits.items() if allowed == blocks)
    return Occupancy(blocks, warps, warps / machine.warps, limits, limited_by)


def _check(machine: Architecture, block_threads: int, registers: int, shared_bytes: int) -> None:
    if not 1 <= block_threads <= machine.block_threads:
        raise ValueError(f"a block has 1 to {machine.block_threads} threads, not {block_threads}")
    if not 0 <= registers <= machine.thread_registers:
        raise ValueError(f"a thread has at most {machine.thread_registers} registers, not {registers}")
    if not 0 <= shared_bytes <= machine.block_shared_bytes:
        raise ValueError(
            f"a block has at most {machine.block_shared_bytes} bytes of shared memory, not {shared_bytes}"
        )


def _blocks_by_registers(machine: Architecture, block_warps: int, registers: int) -> int:
    if registers == 0:
        return machine.blocks
    warp_registers = _round_up(registers * WARP_THREADS, _REGISTER_UNIT)
    warps = machine.registers // warp_registers // machine.warp_unit * machine.warp_unit
    return warps // block_warps


def _blocks_by_shared(machine: Architecture, shared_bytes: int) -> int:
    block_bytes = _round_up(shared_bytes + machine.reserved_shared_bytes, machine.shared_unit_bytes)
    return machine.shared_bytes // block_bytes if block_bytes else machine.blocks


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
