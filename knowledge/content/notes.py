"""content/notes/{en,zh}/*.md: the front matter and text of our own study notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from knowledge.content.schema import Strict, file_text, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Level, Sentence
from knowledge.content.topics import Topics
from knowledge.errors import BadContent
from knowledge.text.language import Lang

NoteId = Annotated[str, StringConstraints(pattern=r"^note:[a-z0-9][a-z0-9-]*$", strict=True)]


class Source(Strict):
    """What a note's facts rest on."""

    id: Id
    what: Sentence
    url: Sentence | None = None


class FrontMatter(Strict):
    """The lines between the two fences at a note's top."""

    id: NoteId
    title: Sentence
    topics: Annotated[tuple[Id, ...], Field(min_length=1)]
    level: Level
    minutes: Annotated[int, Field(ge=1, le=240)]
    needs: tuple[Id, ...] = ()
    readings: tuple[Sentence, ...] = ()
    sources: tuple[Source, ...] = ()


_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


class Note(FrontMatter):
    """A note in one language: its front matter, its Markdown and where it stands."""

    lang: Lang
    slug: Id
    path: Sentence
    """Relative to content/."""
    body: Sentence
    body_line: Annotated[int, Field(ge=1)]
    """The line of the file at which the body begins, counted from 1."""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(_HEADING.findall(_FENCE.sub("", self.body)))

    @property
    def of_questions(self) -> bool:
        """Whether every heading is a question that its section answers: to look things up in, not to read through."""
        return bool(self.headings) and all(heading.endswith(("?", "？")) for heading in self.headings)


def load_notes(root: Path, topics: Topics) -> tuple[Note, ...]:
    """Every note in both languages, by path; raises BadContent."""
    notes = tuple(
        _note(path, root, lang) for lang in ("en", "zh") for path in sorted((root / "notes" / lang).glob("*.md"))
    )
    known = {note.slug for note in notes} | {topic.id for topic in topics}
    for note in notes:
        refuse(note.path, _mistakes(note, topics, known))
    return notes


def _note(path: Path, root: Path, lang: str) -> Note:
    text, file = file_text(path, root)
    front, fence, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not fence:
        raise BadContent(f"{file}: must begin with front matter between two lines of ---")
    matter = record(FrontMatter, parsed_yaml(front, file), file)
    blank_lines = len(body) - len(body.lstrip("\n"))
    place = {
        "lang": lang,
        "slug": path.stem,
        "path": file,
        "body": body,
        "body_line": front.count("\n") + 4 + blank_lines,
    }
    return record(Note, {**matter.model_dump(), **place}, file)


def _mistakes(note: Note, topics: Topics, known: set[str]) -> Iterator[str]:
    if note.id != f"note:{note.slug}":
        yield f"id: is {note.id!r}, but the file's name asks for 'note:{note.slug}'"
    yield from (f"topics[{n}]: no topic {name!r}" for n, name in enumerate(note.topics) if name not in topics)
    yield from (f"needs[{n}]: no note or topic {name!r}" for n, name in enumerate(note.needs) if name not in known)
