"""One spelling for what reads the same: full-width forms, compatibility characters, traditional characters."""

from __future__ import annotations

import functools
import re
import unicodedata
from pathlib import Path

# Direction marks, joiners and other format characters change how a line looks, never what it asks for.
_SPACES = {"\t", "\n", "\r"}
_TIMES = re.compile(r"(?<=\d)(?:\s*(?:×|\\times\b)\s*|\s+x\s+)(?=\d)")


def fold(text: str) -> str:
    """NFKC, simplified, without control and format characters, a product of sizes as 3x3; case is kept."""
    composed = unicodedata.normalize("NFKC", text)
    return _TIMES.sub("x", visible(composed).translate(_simplified()))


def visible(text: str) -> str:
    """Drop what cannot be seen: control, format and private-use characters, and lone surrogates."""
    if text.replace("\n", " ").replace("\t", " ").replace("\r", " ").isprintable():
        return text
    return "".join(c if c in _SPACES or unicodedata.category(c)[0] != "C" else "" for c in text)


@functools.cache
def _simplified() -> dict[int, str]:
    """OpenCC's table of single characters, as a translation table: its own converter walks Python dictionaries."""
    import opencc

    table = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    pairs = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return {ord(traditional): choices.split()[0] for traditional, choices in pairs if len(traditional) == 1}
