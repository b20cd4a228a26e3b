"""content/glossary.yaml: the field's terms in both languages, with their variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from knowledge.content.schema import Strict, file_text, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Sentence
from knowledge.content.topics import plain_name

Variants = Annotated[tuple[Sentence, ...], Field(min_length=1)]


class Term(Strict):
    """One notion: its names in English and in Chinese, the usual one first in each."""

    en: Variants
    zh: Variants
    area: Id = "general"


class Glossary(Strict):
    """All terms, in the order of the file."""

    terms: tuple[Term, ...]

    def __len__(self) -> int:
        return len(self.terms)


def load_glossary(root: Path) -> Glossary:
    """The terms of root/glossary.yaml; raises BadContent."""
    text, file = file_text(root / "glossary.yaml", root)
    data = parsed_yaml(text, file)
    if not isinstance(data, Mapping):
        refuse(file, ["must hold areas, each with a list of terms"])
    terms: list[Term] = []
    places: list[str] = []
    for area, entries in data.items():
        if not isinstance(entries, list):
            refuse(file, [f"{area}: must be a list of terms"])
        for n, entry in enumerate(entries):
            places.append(f"{area}[{n}]")
            terms.append(
                record(Term, {"area": area, **entry} if isinstance(entry, Mapping) else entry, file, places[-1])
            )
    refuse(file, _mistakes(terms, places))
    return Glossary(terms=tuple(terms))


def _mistakes(terms: list[Term], places: list[str]) -> Iterator[str]:
    """An English and a Chinese name may each have several partners, but no pair of them may stand twice."""
    seen: dict[tuple[str, str], str] = {}
    for term, place in zip(terms, places, strict=True):
        for side in (term.en, term.zh):
            if len({name.casefold() for name in side}) < len(side):
                yield f"{place}: the same name twice in {', '.join(side)}"
        for en in term.en:
            for zh in term.zh:
                first = seen.setdefault((plain_name(en), plain_name(zh)), place)
                if first != place:
                    yield f"{place}: {en} = {zh} stands at {first} already"
