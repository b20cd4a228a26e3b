"""How many warps of a kernel a multiprocessor can hold, and what stops it from holding more.

The rules are those of NVIDIA's occupancy calculator: registers are handed out a warp at a time in units of
256, warps in groups of 4, shared memory in units of 128 bytes plus 1 KiB a block that the system keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

WARP_THREADS = 32
MAX_BLOCK_THREADS = 1024
MAX_THREAD_REGISTERS = 255
_REGISTER_UNIT = 256
_WARP_UNIT = 4
_SHARED_UNIT_BYTES = 128


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """What one multiprocessor of an architecture offers."""

    registers: int
    warps: int
    blocks: int
    shared_bytes: int
    block_shared_bytes: int
    """The most that one block may ask for."""
    reserved_shared_bytes: int
    """Kept by the system for each block."""


MULTIPROCESSORS: dict[str, Multiprocessor] = {
    "sm_70": Multiprocessor(65536, 64, 32, 96 << 10, 96 << 10, 0),
    "sm_75": Multiprocessor(65536, 32, 16, 64 << 10, 64 << 10, 0),
    "sm_80": Multiprocessor(65536, 64, 32, 164 << 10, 163 << 10, 1024),
    "sm_86": Multiprocessor(65536, 48, 16, 100 << 10, 99 << 10, 1024),
    "sm_89": Multiprocessor(65536, 48, 24, 100 << 10, 99 << 10, 1024),
    "sm_90": Multiprocessor(65536, 64, 32, 228 << 10, 227 << 10, 1024),
    "sm_100": Multiprocessor(65536, 64, 32, 228 << 10, 227 << 10, 1024),
    "sm_103": Multiprocessor(65536, 64, 32, 228 << 10, 227 << 10, 1024),
    "sm_120": Multiprocessor(65536, 48, 24, 100 << 10, 99 << 10, 1024),
}


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
    machine = MULTIPROCESSORS.get(arch.rstrip("a"))
    if machine is None:
        raise ValueError(f"{arch} is not known; use one of {', '.join(MULTIPROCESSORS)}")
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


def _check(machine: Multiprocessor, block_threads: int, registers: int, shared_bytes: int) -> None:
    if not 1 <= block_threads <= MAX_BLOCK_THREADS:
        raise ValueError(f"a block has 1 to {MAX_BLOCK_THREADS} threads, not {block_threads}")
    if not 0 <= registers <= MAX_THREAD_REGISTERS:
        raise ValueError(f"a thread has at most {MAX_THREAD_REGISTERS} registers, not {registers}")
    if not 0 <= shared_bytes <= machine.block_shared_bytes:
        raise ValueError(
            f"a block has at most {machine.block_shared_bytes} bytes of shared memory, not {shared_bytes}"
        )


def _blocks_by_registers(machine: Multiprocessor, block_warps: int, registers: int) -> int:
    if registers == 0:
        return machine.blocks
    warp_registers = _round_up(registers * WARP_THREADS, _REGISTER_UNIT)
    warps = machine.registers // warp_registers // _WARP_UNIT * _WARP_UNIT
    return warps // block_warps


def _blocks_by_shared(machine: Multiprocessor, shared_bytes: int) -> int:
    block_bytes = _round_up(shared_bytes + machine.reserved_shared_bytes, _SHARED_UNIT_BYTES)
    return machine.shared_bytes // block_bytes if block_bytes else machine.blocks


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
