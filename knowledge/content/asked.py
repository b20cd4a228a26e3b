"""content/asked/*.yaml: questions that a section of a note answers, as members type them; they help to find it.

A file is named like its note. Each English heading, or the empty one of the introduction, has its questions in both
languages; nobody is shown them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import RootModel

from knowledge.content.notes import Note
from knowledge.content.schema import file_text, parsed_yaml, record, refuse
from knowledge.content.shared_types import Sentence

FOLDER = "asked"
INTRODUCTION = ""


class _File(RootModel[dict[str, tuple[Sentence, ...]]]):
    """Headings, each with its questions."""


@dataclass(frozen=True, slots=True)
class AskedSection:
    """A section of a note in all of its languages, and what it answers."""

    resource_id: str
    headings: tuple[str, ...]
    """One for each language; that of the introduction is empty."""
    questions: tuple[str, ...]


def load_asked(root: Path, notes: Sequence[Note]) -> tuple[AskedSection, ...]:
    """The sections that have questions, by note and place; raises BadContent."""
    versions: dict[str, dict[str, Note]] = {}
    for note in notes:
        versions.setdefault(note.slug, {})[note.lang] = note
    sections: list[AskedSection] = []
    asked: dict[str, str] = {}
    for path in sorted((root / FOLDER).glob("*.yaml")):
        text, file = file_text(path, root)
        found = record(_File, parsed_yaml(text, file), file).root
        refuse(file, _mistakes(found, versions.get(path.stem, {}), asked))
        sections += _sections(found, versions[path.stem])
    return tuple(sections)


def _sections(found: Mapping[str, tuple[str, ...]], note: Mapping[str, Note]) -> Iterator[AskedSection]:
    every = {lang: (INTRODUCTION, *one.headings) for lang, one in note.items()}
    for place, heading in enumerate(every["en"]):
        if heading in found:
            headings = tuple(dict.fromkeys(of[place] for of in every.values()))
            yield AskedSection(note["en"].id, headings, found[heading])


def _mistakes(found: Mapping[str, tuple[str, ...]], note: Mapping[str, Note], asked: dict[str, str]) -> Iterator[str]:
    """What is wrong with a file; `asked` has the questions of all files before, and gets its own."""
    if "en" not in note:
        yield "no note has this name"
        return
    if len({len(one.headings) for one in note.values()}) > 1:
        yield "the note has more sections in one language than in the other"
    known = {INTRODUCTION, *note["en"].headings}
    yield from (f"{heading!r}: the note has no such heading" for heading in found if heading not in known)
    for heading, questions in found.items():
        for question in questions:
            plain = question.casefold().rstrip("?？。. ")
            if plain in asked:
                yield f"{heading!r}: {question!r} is asked of {asked[plain]} already"
            asked[plain] = f"{note['en'].slug}, {heading or 'its introduction'}"
