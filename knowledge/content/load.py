"""All of content/ at once, and the checks that need more than one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from knowledge.content.definitions import Definitions, load_definitions
from knowledge.content.glossary import Glossary, load_glossary
from knowledge.content.notes import Note, load_notes
from knowledge.content.problems import ProblemCard, ProblemTexts, load_problem_texts, load_problems
from knowledge.content.resources import Resource, load_resources
from knowledge.content.topics import Topics, load_topics
from knowledge.content.voice import Voice, load_voice
from knowledge.errors import BadContent


@dataclass(frozen=True, slots=True)
class Content:
    """What curators wrote under content/, checked."""

    topics: Topics
    resources: tuple[Resource, ...]
    glossary: Glossary
    notes: tuple[Note, ...]
    problems: tuple[ProblemCard, ...]
    texts: Mapping[str, ProblemTexts] = field(default_factory=dict)
    """Of each problem by its slug."""
    definitions: Definitions = field(default_factory=Definitions)
    voice: Voice = field(default_factory=Voice)
    root: Path = Path()
    """The folder that it was read from: the pages of notes are indexed from there."""

    def resolved(self, reading: str) -> tuple[str, ...]:
        """The ids that a reading means: its own, or, for note:<topic>, those of the notes on that topic."""
        known = {resource.id for resource in self.resources} | {note.id for note in self.notes}
        known |= {f"problem:{card.slug}" for card in self.problems}
        if reading in known:
            return (reading,)
        kind, _, topic = reading.partition(":")
        on_topic = (note.id for note in self.notes if topic in note.topics)
        return tuple(dict.fromkeys(on_topic)) if kind == "note" else ()


def load_content(root: Path) -> Content:
    """Return everything under root; raises BadContent with every mistake of the first file that has some."""
    topics = load_topics(root)
    problems = load_problems(root, topics)
    glossary, notes = load_glossary(root), load_notes(root, topics)
    content = Content(
        topics=topics,
        resources=load_resources(root, topics),
        glossary=glossary,
        notes=notes,
        problems=problems,
        texts=MappingProxyType({card.slug: load_problem_texts(root, card.slug) for card in problems}),
        definitions=load_definitions(root, glossary, notes),
        voice=load_voice(root, glossary),
        root=root,
    )
    if mistakes := list(_dangling(content)):
        raise BadContent("\n".join(mistakes))
    return content


def _dangling(content: Content) -> Iterator[str]:
    """Readings that lead nowhere."""
    named = [(note.path, note.readings) for note in content.notes]
    named += [(f"problems/{card.slug}/problem.toml", card.readings) for card in content.problems]
    for path, readings in named:
        yield from (
            f"{path}: readings[{n}]: no {reading!r}"
            for n, reading in enumerate(readings)
            if not content.resolved(reading)
        )
