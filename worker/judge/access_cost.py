"""What one access of a warp costs, told from its addresses: sectors in global memory, wavefronts in shared memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

SECTOR_BYTES, BANKS, BANK_BYTES = 32, 32, 4


def passes_of(space: str, offsets: Sequence[int], size: int) -> tuple[int, int]:
    """(what it takes, the least that so many bytes can take)"""
    if space == "global":
        touched = {byte // SECTOR_BYTES for one in offsets for byte in (one, one + size - 1)}
        wanted = len({byte for one in offsets for byte in range(one, one + size)})
        return len(touched), max(1, -(-wanted // SECTOR_BYTES))
    parts = max(1, size // BANK_BYTES)
    together = len(offsets) if parts == 1 else max(1, 32 // parts)
    groups = [offsets[at : at + together] for at in range(0, len(offsets), together)]
    return sum(_wavefronts(group, parts) for group in groups), len(groups)


def _wavefronts(offsets: Sequence[int], parts: int) -> int:
    """The most different words that one bank has to give."""
    words = {one // BANK_BYTES + part for one in offsets for part in range(parts)}
    return max(Counter(word % BANKS for word in words).values())
