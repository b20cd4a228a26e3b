"""content/definitions/*.yaml: what each term of the glossary means, in both languages, and where that is from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from knowledge.content.glossary import Glossary, Term
from knowledge.content.notes import Note
from knowledge.content.resources import Address
from knowledge.content.schema import Strict, file_text, listed, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Sentence, Words
from knowledge.content.topics import plain_name
from knowledge.text.fold import fold


class DefinitionSource(Strict):
    """The source at which a definition can be checked."""

    what: Sentence
    url: Address


class _Entry(Strict):
    """A definition as it stands in its file."""

    term: Sentence
    en: Sentence
    zh: Sentence
    source: Id
    note: Id | None = None


class Definition(Strict):
    """One term of the glossary with what it means."""

    term: Term
    text: Words
    source: DefinitionSource
    note: Id | None = None
    """Slug of the note that says more."""

    @property
    def slug(self) -> str:
        """The term in addresses: `warp-divergence`, `c-plus-plus-17`."""
        return re.sub(r"[^a-z0-9]+", "-", self.term.en[0].lower().replace("+", " plus ")).strip("-")

    def title(self, lang: str) -> str:
        return self.names(lang)[0]

    def names(self, lang: str) -> tuple[str, ...]:
        """Every name in one language, the usual one first."""
        return self.term.zh if lang == "zh" else self.term.en


@dataclass(frozen=True)
class Definitions:
    """All definitions, in the order of the glossary."""

    in_order: tuple[Definition, ...] = ()

    def __iter__(self) -> Iterator[Definition]:
        return iter(self.in_order)

    def __len__(self) -> int:
        return len(self.in_order)

    @cached_property
    def by_slug(self) -> Mapping[str, Definition]:
        return MappingProxyType({definition.slug: definition for definition in self})

    @cached_property
    def plain_names(self) -> tuple[tuple[Definition, tuple[str, ...]], ...]:
        """Each definition with all its names as `plain_name` writes them: what is typed is looked for in these."""
        return tuple((one, tuple(plain_name(fold(name)) for name in (*one.term.en, *one.term.zh))) for one in self)

    @cached_property
    def by_letter(self) -> tuple[Definition, ...]:
        """The definitions in alphabetical order of their English titles."""
        return tuple(sorted(self, key=lambda one: one.title("en").casefold()))

    def named(self, name: str) -> Definition | None:
        """The term of this name in either language, however it is cased, hyphenated or put into the plural.

        A name of several terms means the one that it is nearest to in spelling, then the one that it names first.
        """
        spelled = fold(name).strip()
        for form in (spelled, *_other_numbers(spelled)):
            for names, written in zip(self._by_name, _writings(form), strict=True):
                if found := names.get(written):
                    return found
        return None

    @cached_property
    def _by_name(self) -> tuple[Mapping[str, Definition], ...]:
        """Index the definitions by each way of `_writings`; before all other names the usual ones."""
        tables: tuple[dict[str, Definition], ...] = ({}, {}, {})
        named = [
            (rank, name, definition)
            for definition in self
            for names in (definition.term.en, definition.term.zh)
            for rank, name in enumerate(names)
        ]
        for _, name, definition in sorted(named, key=lambda one: one[0]):
            for table, written in zip(tables, _writings(fold(name)), strict=True):
                table.setdefault(written, definition)
        return tuple(MappingProxyType(table) for table in tables)


def _writings(name: str) -> tuple[str, str, str]:
    """A name as it stands, in lower case, and without blanks and hyphens: the strictest way first."""
    return name, name.casefold(), plain_name(name)


def _other_numbers(name: str) -> Iterator[str]:
    """Singulars that an English name may be the plural of, then its own plural."""
    if not name or not name[-1].isascii():
        return
    for ending, singular in (("ies", "y"), ("ices", "ix"), ("ices", "ex"), ("es", ""), ("s", "")):
        if name.lower().endswith(ending) and len(name) > len(ending) + 1:
            yield name[: -len(ending)] + singular
    yield f"{name}s"


def load_definitions(root: Path, glossary: Glossary, notes: Sequence[Note]) -> Definitions:
    """Every definition of root/definitions/, a file an area of the glossary; raises BadContent.

    A term may still lack its definition: `warpmate content check` lists those.
    """
    terms = {(term.area, term.en[0]): term for term in glossary.terms}
    slugs = {note.slug for note in notes}
    found: dict[tuple[str, str], Definition] = {}
    for path in sorted((root / "definitions").glob("*.yaml")):
        for definition in _definitions(path, root, terms, slugs):
            found[path.stem, definition.term.en[0]] = definition
    in_order = tuple(found[key] for key in terms if key in found)
    refuse("definitions", _shared_slugs(in_order))
    return Definitions(in_order)


def _definitions(
    path: Path, root: Path, terms: Mapping[tuple[str, str], Term], notes: set[str]
) -> Iterator[Definition]:
    text, file = file_text(path, root)
    data = parsed_yaml(text, file)
    if not isinstance(data, Mapping) or set(data) != {"sources", "definitions"}:
        refuse(file, ["must hold sources and definitions, nothing else"])
    if not isinstance(data["sources"], Mapping):
        refuse(file, ["sources: must name each source by an id"])
    sources = {id_: record(DefinitionSource, one, file, f"sources.{id_}") for id_, one in data["sources"].items()}
    listing = listed({"definitions": data["definitions"]}, "definitions", file)
    entries = [record(_Entry, entry, file, f"definitions[{n}]") for n, entry in enumerate(listing)]
    refuse(file, _mistakes(entries, path.stem, terms, sources, notes))
    for entry in entries:
        yield Definition(
            term=terms[path.stem, entry.term],
            text=Words(en=entry.en, zh=entry.zh),
            source=sources[entry.source],
            note=entry.note,
        )


def _mistakes(
    entries: Sequence[_Entry],
    area: str,
    terms: Mapping[tuple[str, str], Term],
    sources: Mapping[str, DefinitionSource],
    notes: set[str],
) -> Iterator[str]:
    seen: dict[str, int] = {}
    for n, entry in enumerate(entries):
        at = f"definitions[{n}]"
        if (area, entry.term) not in terms:
            yield f"{at}.term: no term of the area {area!r} in glossary.yaml has the first name {entry.term!r}"
        if (first := seen.setdefault(entry.term, n)) != n:
            yield f"{at}.term: {entry.term!r} stands at definitions[{first}] already"
        if entry.source not in sources:
            yield f"{at}.source: no source {entry.source!r}"
        if entry.note is not None and entry.note not in notes:
            yield f"{at}.note: no note {entry.note!r}"
    for unused in sources.keys() - {entry.source for entry in entries}:
        yield f"sources.{unused}: is used nowhere"


def _shared_slugs(definitions: Sequence[Definition]) -> Iterator[str]:
    first: dict[str, Definition] = {}
    for definition in definitions:
        other = first.setdefault(definition.slug, definition)
        if other is not definition:
            yield f"{definition.term.en[0]!r} and {other.term.en[0]!r} would have one address, {definition.slug!r}"
