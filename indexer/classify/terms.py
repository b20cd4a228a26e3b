"""Finding many terms of two languages in a text at once."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

_HAN = "\u4e00-\u9fff"
_BETWEEN_SCRIPTS = re.compile(rf"(?<=[{_HAN}])[ ](?=[a-z0-9])|(?<=[a-z0-9+])[ ](?=[{_HAN}])")
_JOINERS = re.compile(r"[-\u2010-\u2014\s]+")


def normal(text: str) -> str:
    """Return the text without differences of case, width, hyphens and blanks between Chinese and Latin."""
    folded = _JOINERS.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return _BETWEEN_SCRIPTS.sub("", folded)


class Terms:
    """Terms, each standing for one or more things; the longest term wins where several begin."""

    def __init__(self, owners: Mapping[str, Iterable[str]]) -> None:
        self._owners: dict[str, tuple[str, ...]] = {}
        for term, names in owners.items():
            key = normal(term).strip()
            self._owners[key] = tuple(dict.fromkeys((*self._owners.get(key, ()), *names)))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(_alternatives(self._owners))

    def counts(self, text: str) -> Mapping[str, Counter[str]]:
        """Return how often each term of each owner stands in the text: {owner: {term: times}}."""
        found: dict[str, Counter[str]] = {}
        for match in self._pattern.finditer(normal(text)):
            term = match.group()
            # A plural matches too; it counts for its singular.
            term = term if term in self._owners else term.removesuffix("s").removesuffix("e")
            for owner in self._owners.get(term) or self._owners.get(match.group().removesuffix("s"), ()):
                found.setdefault(owner, Counter())[term] += 1
        return found


def _alternatives(terms: Iterable[str]) -> str:
    """Return one regular expression for all terms, shared beginnings factored out, so that matching stays fast."""
    latin = [term for term in terms if term[:1].isascii()]
    other = [term for term in terms if not term[:1].isascii()]
    branches = []
    if latin:
        branches.append(rf"(?<![a-z0-9_])(?:{_trie(latin)})")
    if other:
        branches.append(_trie(other))
    return "|".join(branches) or r"(?!)"


def _trie(terms: Iterable[str]) -> str:
    heads: dict[str, list[str]] = {}
    ends = False
    for term in terms:
        if term:
            heads.setdefault(term[0], []).append(term[1:])
        else:
            ends = True
    branches = [re.escape(head) + _end_or_trie(head, rest) for head, rest in sorted(heads.items())]
    longer = f"(?:{'|'.join(branches)})" if branches else ""
    return f"{longer}?" if ends and branches else longer


def _end_or_trie(last: str, rests: list[str]) -> str:
    """Return the pattern of what follows the character: longer terms first, then a word's end if a term ends here."""
    longer = [rest for rest in rests if rest]
    end = r"s?(?![a-z0-9_])" if last.isascii() and (last.isalnum() or last == "_") else ""
    if "" not in rests:
        return _trie(longer)
    return f"(?:{_trie(longer)}|{end})" if longer else end
