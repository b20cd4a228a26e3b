"""What a try showed, as lines that every face can print: counts, and a picture of what one warp asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knowledge.words import Language
from worker.protocol import Access, Tried

SECTOR_BYTES, BANKS, BANK_BYTES = 32, 32, 4
_ROWS = 8
"""Pieces of memory that a picture shows at most."""


def counted(tried: Tried, language: Language) -> list[str]:
    """What the hardware would feel, in sentences."""
    if not tried.counts:
        return []
    return [language("try.counts", **tried.counts)]


def coordinates(place: Sequence[int]) -> str:
    return ", ".join(map(str, place))


def line_facts(figures: Mapping[str, int], language: Language) -> str:
    """What one line costs; sectors beside those that would do."""
    said = [
        language(f"try.{way}s", sectors=figures[f"{way}_sectors"], ideal=figures.get(f"{way}_ideal", 0))
        for way in ("load", "store")
        if figures.get(f"{way}_sectors")
    ]
    if figures.get("shared_requests"):
        shared = {"requests": figures["shared_requests"], "wavefronts": figures.get("shared_wavefronts", 0)}
        said.append(language("try.shared", **shared))
    if figures.get("divergent_branches"):
        said.append(language("try.diverges", times=figures["divergent_branches"]))
    return language("try.between").join(said)


def drawn(access: Access, language: Language) -> list[str]:
    """A title, and lanes over memory: sectors of 32 bytes, or the banks of shared memory."""
    head = language(
        f"try.picture_{access.space}",
        way=language(f"try.{access.way}"),
        line=access.line,
        buffer=access.buffer or "shared",
        block=coordinates(access.block),
        bytes=access.bytes,
        lanes=len(access.lanes),
        passes=access.passes,
        ideal=access.ideal,
    )
    return [head, *(_sectors(access) if access.space == "global" else _banks(access))]


def _sectors(access: Access) -> list[str]:
    """A row a sector: which lanes touch each of its eight words."""
    rows: dict[int, dict[int, list[int]]] = {}
    for lane, offset in zip(access.lanes, access.offsets, strict=True):
        for byte in range(offset, offset + access.bytes, min(BANK_BYTES, access.bytes)):
            words = rows.setdefault(byte // SECTOR_BYTES, {})
            lanes = words.setdefault(byte % SECTOR_BYTES // BANK_BYTES, [])
            if lane not in lanes:
                lanes.append(lane)
    lines = []
    for sector, words in sorted(rows.items())[:_ROWS]:
        cells = "".join(f"{_lanes(words.get(word, [])):>6}" for word in range(SECTOR_BYTES // BANK_BYTES))
        lines.append(f"    +{sector * SECTOR_BYTES:<7}|{cells} |")
    return [*lines, f"    … +{len(rows) - _ROWS}"] if len(rows) > _ROWS else lines


def _banks(access: Access) -> list[str]:
    """A row a bank that more than one word is asked of, or else the first of them."""
    banks: dict[int, dict[int, list[int]]] = {}
    for lane, offset in zip(access.lanes, access.offsets, strict=True):
        for word in range(offset // BANK_BYTES, (offset + access.bytes - 1) // BANK_BYTES + 1):
            banks.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    worst = sorted(banks.items(), key=lambda one: (-len(one[1]), one[0]))[:_ROWS]
    lines = []
    for bank, words in worst:
        cells = "  ".join(f"+{word * BANK_BYTES}: {_lanes(lanes)}" for word, lanes in sorted(words.items())[:_ROWS])
        more = f"  … +{len(words) - _ROWS}" if len(words) > _ROWS else ""
        lines.append(f"    bank {bank:<2} x{len(words):<2} | {cells}{more}")
    return lines


def _lanes(lanes: list[int]) -> str:
    """`0`, `0-3`, `0,2`: who asks for this word."""
    if not lanes:
        return "·"
    if len(lanes) == 1:
        return str(lanes[0])
    whole = lanes == list(range(lanes[0], lanes[-1] + 1))
    return f"{lanes[0]}-{lanes[-1]}" if whole else f"{lanes[0]},+{len(lanes) - 1}"
