"""All of content/ at once, and the checks that need more than one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.content.glossary import Glossary, load_glossary
from knowledge.content.notes import Note, load_notes
from knowledge.content.place import usable
from knowledge.content.problems import ProblemCard, load_problems
from knowledge.content.resources import Resource, load_resources
from knowledge.content.topics import Topics, load_topics
from knowledge.errors import BadContent


@dataclass(frozen=True, slots=True)
class Content:
    """What members wrote under content/, checked."""

    topics: Topics
    resources: tuple[Resource, ...]
    glossary: Glossary
    notes: tuple[Note, ...]
    problems: tuple[ProblemCard, ...]

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
    """Everything under root; raises BadContent with every mistake of the first file that has some."""
    topics = load_topics(usable(root))
    content = Content(
        topics=topics,
        resources=load_resources(root, topics),
        glossary=load_glossary(root),
        notes=load_notes(root, topics),
        problems=load_problems(root, topics),
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
