"""A remark after a question of figures: `4090 bandwidth? need it for a napkin roofline`.

What it says changes nothing, unless it asks something itself or takes back what was asked (`[figure_remark]` of
typed.toml, every language at once).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table

_CUT = re.compile(r"(?P<question>\?+)|[.!](?=\s)|。|[,;]|\n|\s[-–—]+\s|\(|\s?—+")
_BRACKET_ENDS = re.compile(r"\)\s*\?+$")


def before_remarks(text: str) -> Iterator[str]:
    """What stands before a remark that asks nothing, the shortest first; a question by its mark or by its words."""
    for cut in _CUT.finditer(text):
        first, remark = text[: cut.start()].strip(), text[cut.end() :].strip()
        if first and remark and (cut["question"] or _phrases("question").search(first)) and not _asks(remark):
            yield first


def _asks(remark: str) -> bool:
    """In its own words or by its mark; one that follows a bracket belongs to what stands before it."""
    remark = _BRACKET_ENDS.sub("", remark)
    return "?" in remark or bool(_phrases("asks").search(remark) or _phrases("begins").match(remark))


@cache
def _phrases(kind: str) -> re.Pattern[str]:
    ways = [fold(way).lower() for code in language_codes() for way in _table(code).get(kind, ())]
    return re.compile("|".join(_whole(way) for way in sorted(ways, key=len, reverse=True)) or r"(?!)")


def _table(code: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = read_table(FOLDER / code / "typed.toml").get("figure_remark", {})
    return table


def _whole(way: str) -> str:
    """Latin words end where they end in the text; Chinese has no such end."""
    return rf"(?<![a-z\d]){re.escape(way)}(?![a-z\d])" if way.isascii() else re.escape(way)
