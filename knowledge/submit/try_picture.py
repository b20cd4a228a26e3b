"""Which lanes of a warp touch which addresses, as a grid: sectors of global memory, or the banks of shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from worker.protocol import Access

SECTOR_BYTES, BANKS, BANK_BYTES = 32, 32, 4
WORDS = SECTOR_BYTES // BANK_BYTES
MOST_ROWS = 32
Touch = Literal["idle", "used", "wasted", "conflict"]
"""wasted: moved, and asked for by nobody. conflict: a bank that gives more words in turn than it has to."""


@dataclass(frozen=True, slots=True)
class Cell:
    lanes: str
    """`0`, `0-3`, `0,+3`; empty for none."""
    touch: Touch
    words: int = 1
    """Of a bank: how many different ones are asked of it."""
    name: str = ""
    """Of a bank."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    rows: tuple[Row, ...]
    hidden: int
    """Rows that there are beside."""


def picture_of(access: Access) -> Picture:
    """Eight cells a row: a sector and its words, or eight of the banks."""
    return _sector_rows(access) if access.space == "global" else _bank_rows(access)


def sectors_of(access: Access) -> dict[int, dict[int, list[int]]]:
    """Lanes by sector and by word in it."""
    found: dict[int, dict[int, list[int]]] = {}
    for lane, offset in zip(access.lanes, access.offsets, strict=True):
        for byte in range(offset, offset + access.bytes, min(BANK_BYTES, access.bytes)):
            words = found.setdefault(byte // SECTOR_BYTES, {})
            lanes = words.setdefault(byte % SECTOR_BYTES // BANK_BYTES, [])
            if lane not in lanes:
                lanes.append(lane)
    return found


def banks_of(access: Access) -> dict[int, dict[int, list[int]]]:
    """Lanes by bank and by word."""
    found: dict[int, dict[int, list[int]]] = {}
    for lane, offset in zip(access.lanes, access.offsets, strict=True):
        for word in range(offset // BANK_BYTES, (offset + access.bytes - 1) // BANK_BYTES + 1):
            found.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    return found


def lanes_text(lanes: Sequence[int]) -> str:
    """`0`, `0-3`, `0,+3`, a dot for none: who asks for this word."""
    if not lanes:
        return "·"
    if len(lanes) == 1:
        return str(lanes[0])
    whole = list(lanes) == list(range(lanes[0], lanes[-1] + 1))
    return f"{lanes[0]}-{lanes[-1]}" if whole else f"{lanes[0]},+{len(lanes) - 1}"


def _sector_rows(access: Access) -> Picture:
    sectors = sorted(sectors_of(access).items())
    rows = tuple(
        Row(f"{sector * SECTOR_BYTES:+}", tuple(_word(words.get(word, [])) for word in range(WORDS)))
        for sector, words in sectors[:MOST_ROWS]
    )
    return Picture(rows, max(0, len(sectors) - MOST_ROWS))


def _word(lanes: Sequence[int]) -> Cell:
    return Cell(lanes_text(lanes), "used") if lanes else Cell("", "wasted")


def _bank_rows(access: Access) -> Picture:
    banks = banks_of(access)
    cells = [_bank(number, banks.get(number, {}), access.ideal) for number in range(BANKS)]
    return Picture(tuple(Row("", tuple(cells[first : first + WORDS])) for first in range(0, BANKS, WORDS)), 0)


def _bank(number: int, words: dict[int, list[int]], ideal: int) -> Cell:
    """`ideal`: wavefronts that the access needs at least; wide ones ask each bank for as many words."""
    lanes = sorted({lane for asked in words.values() for lane in asked})
    touch: Touch = "idle" if not words else "conflict" if len(words) > ideal else "used"
    return Cell(lanes_text(lanes) if lanes else "", touch, len(words), str(number))
