"""Ways to write a card's name: `A100 80GB SXM`, `a100-sxm4-80g`, `PCIe A100 40GB`, `H100 SXM vs PCIe`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations

from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table
from worker.hardware.cards import CardFacts, plain_name

_MOST_WORDS = 3
_FORM = r"(?:sxm|pcie|nvl)"
_VARIANT = rf"(?:{_FORM}|\d{{2,3}}\s?gb)(?![a-z\d])"
_IS_VARIANT = re.compile(_VARIANT)
_SOCKET = re.compile(r"(?<![a-z])sxm[ -]?\d(?![a-z\d])")
_GIGABYTES = re.compile(r"(?<![a-z\d.])(\d{1,3})[\s-]?g(?:ib|igs?)?(?![a-z\d/])")
_NAME = r"(?<![a-z\d])([a-z]{1,2}\d{2,3}[a-z]?)(?![a-z\d])"


def as_in_names(text: str) -> str:
    """The text, in lower case, with variants as the names below have them; a name said once for two is repeated."""
    text = _GIGABYTES.sub(r"\1gb", _SOCKET.sub("sxm", text))
    named_first, named_last = _two_variants()
    return named_last.sub(r"\4 \1\2\4 \3", named_first.sub(r"\1\2\3\1 ", text))


@cache
def _two_variants() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Two variants of one card, its name before or after both; `[card_variants]` has the words between them."""
    tables = (read_table(FOLDER / code / "typed.toml").get("card_variants", {}) for code in language_codes())
    words = "|".join(re.escape(fold(word)) for table in tables for word in table.get("between", ()))
    between = rf"\s*(?:{words}|/)\s*(?:the\s+)?"
    named_first = re.compile(rf"{_NAME}((?:[\s-]+{_VARIANT})+)({between})(?={_VARIANT})")
    return named_first, re.compile(rf"(?<![a-z\d])({_VARIANT})({between})({_VARIANT})\s+{_NAME}")


def plain_ways(card: CardFacts) -> Iterator[str]:
    """Every name and alias in lower case, with and without the maker; form and memory in any order."""
    for name in (card.name, *card.aliases):
        written = as_in_names(name.lower())
        yield written
        words = [word for word in written.split() if plain_name(word)]
        yield " ".join(words)
        variants = [word for word in words if _IS_VARIANT.match(word)]
        memory = card.figure("memory_gb")
        if variants and memory and not any(word.endswith("gb") for word in variants):
            words.append(f"{float(memory):g}gb")
        if variants and len(words) <= _MOST_WORDS:
            yield from (" ".join(order) for order in permutations(words))
