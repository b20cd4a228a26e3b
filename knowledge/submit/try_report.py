"""What a try showed, as lines that every face can print: counts, and a picture of what one warp asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knowledge.submit.report import number_text
from knowledge.submit.try_picture import BANK_BYTES, SECTOR_BYTES, WORDS, banks_of, lanes_text, sectors_of
from knowledge.words import Language
from worker.protocol import Access, Tried, Write

_ROWS = 8
"""Pieces of memory that a picture shows at most."""


def counted(tried: Tried, language: Language) -> list[str]:
    """What the hardware would feel, in sentences."""
    if not tried.counts:
        return []
    return [language("try.counts", **tried.counts)]


def written(one: Write, place: int, language: Language) -> str:
    """Which thread wrote the element that was asked about, and when; `place` is counted from 1."""
    where = {"block": coordinates(one.block), "thread": coordinates(one.thread)}
    line = {"line": one.line} if one.line else {}
    when = {"launch": one.launch, "barriers": one.barriers}
    return language("try.write", n=place, value=number_text(one.value), **where, **when, **line)


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


def access_said(access: Access, language: Language) -> str:
    """What the lanes of one warp asked for, and what it cost."""
    return language(
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


def drawn(access: Access, language: Language) -> list[str]:
    """A title, and lanes over memory: sectors of 32 bytes, or the banks of shared memory."""
    head = f"{access_said(access, language)} {language(f'try.rows_{access.space}')}"
    return [head, *(_sectors(access) if access.space == "global" else _banks(access))]


def _sectors(access: Access) -> list[str]:
    """A row a sector: which lanes touch each of its eight words."""
    rows = sectors_of(access)
    lines = []
    for sector, words in sorted(rows.items())[:_ROWS]:
        cells = "".join(f"{lanes_text(words.get(word, [])):>6}" for word in range(WORDS))
        lines.append(f"    {sector * SECTOR_BYTES:<+8}|{cells} |")
    return [*lines, f"    … +{len(rows) - _ROWS}"] if len(rows) > _ROWS else lines


def _banks(access: Access) -> list[str]:
    """A row a bank that more than one word is asked of, or else the first of them."""
    worst = sorted(banks_of(access).items(), key=lambda one: (-len(one[1]), one[0]))[:_ROWS]
    lines = []
    for bank, words in worst:
        cells = "  ".join(
            f"+{word * BANK_BYTES}: {lanes_text(lanes)}" for word, lanes in sorted(words.items())[:_ROWS]
        )
        more = f"  … +{len(words) - _ROWS}" if len(words) > _ROWS else ""
        lines.append(f"    bank {bank:<2} x{len(words):<2} | {cells}{more}")
    return lines


def code_beside(code: Sequence[tuple[int, str]], source: str) -> list[str]:
    """Instructions under the lines of the source that they came from."""
    lines, last, found = source.split("\n"), 0, list[str]()
    for line, text in code:
        if line != last:
            found.append(f"{line:4} | {lines[line - 1].rstrip() if 0 < line <= len(lines) else ''}")
            last = line
        found.append(f"       {text}")
    return found
