"""All of content/ at once, and the checks that need more than one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from knowledge.content.asked import AskedSection, load_asked
from knowledge.content.chinese_names import ChineseNames, load_chinese_names
from knowledge.content.definitions import Definitions, load_definitions
from knowledge.content.glossary import Glossary, load_glossary
from knowledge.content.notes import Note, load_notes
from knowledge.content.problem_help import ProblemHelp, load_problem_help
from knowledge.content.problems import ProblemCard, ProblemTexts, load_problem_texts, load_problems
from knowledge.content.resources import Resource, load_resources
from knowledge.content.shared_types import LEVELS
from knowledge.content.solution_resources import AllResources, load_solution_resources
from knowledge.content.solution_times import SolutionTimes, load_solution_times
from knowledge.content.topics import Topics, load_topics
from knowledge.errors import BadContent


@dataclass(frozen=True, repr=False)
class Content:
    """What curators wrote under content/, checked."""

    topics: Topics
    resources: tuple[Resource, ...]
    glossary: Glossary
    notes: tuple[Note, ...]
    problems: tuple[ProblemCard, ...]
    texts: Mapping[str, ProblemTexts] = field(default_factory=dict)
    """Of each problem by its slug."""
    help: Mapping[str, ProblemHelp] = field(default_factory=dict)
    """Hints and explanation of each problem by its slug."""
    solution_times: SolutionTimes = field(default_factory=SolutionTimes)
    solution_resources: AllResources = field(default_factory=AllResources)
    definitions: Definitions = field(default_factory=Definitions)
    chinese_names: ChineseNames = field(default_factory=ChineseNames)
    root: Path = Path()
    """The folder that it was read from: the pages of notes are indexed from there."""

    def __repr__(self) -> str:
        return f"<content of {self.root}>"  # the whole of it would be megabytes, made wherever a task is printed

    def resolved(self, reading: str) -> tuple[str, ...]:
        """The ids that a reading means: its own, or, for note:<topic>, those of the notes on that topic."""
        if reading in self._ids:
            return (reading,)
        kind, _, topic = reading.partition(":")
        on_topic = (note.id for note in self.notes if topic in note.topics)
        return tuple(dict.fromkeys(on_topic)) if kind == "note" else ()

    def read_before(self, card: ProblemCard) -> tuple[str, ...]:
        """Ids of what to read before a problem: what its card names, or the note in place of what is named too early.

        Too early is what is harder than the problem, or on a topic that builds on the problem's own.
        """
        found = (self._suitable(name, card) for name in card.readings)
        return tuple(dict.fromkeys(id_ for id_ in found if id_))

    @cached_property
    def asked(self) -> tuple[AskedSection, ...]:
        """What sections of notes answer; read when an index is made, which alone needs it. Raises BadContent."""
        return load_asked(self.root, self.notes)

    @cached_property
    def _ids(self) -> frozenset[str]:
        ids = {resource.id for resource in self.resources} | {note.id for note in self.notes}
        return frozenset(ids | {f"problem:{card.slug}" for card in self.problems})

    @cached_property
    def _notes_by_id(self) -> Mapping[str, Note]:
        return MappingProxyType({note.id: note for note in self.notes})

    def _suitable(self, reading: str, card: ProblemCard) -> str | None:
        named = self._notes_by_id.get(reading)
        if named is None and self.resolved(reading) == (reading,):
            return reading
        subject = named.topics[0] if named else reading.partition(":")[2]
        if subject not in self.topics.by_id:
            return None
        if card.topics[0] in {topic.id for topic in self.topics.before(subject)}:
            return None
        if named and LEVELS.index(named.level) <= LEVELS.index(card.level):
            return reading
        about = {note.id: note for note in self.notes if note.topics[0] == subject}
        fitting = [note for note in about.values() if LEVELS.index(note.level) <= LEVELS.index(card.level)]
        first = [note for note in fitting if not {f"note:{need}" for need in note.needs} & about.keys()]
        best = max(first or fitting, key=lambda note: LEVELS.index(note.level), default=None)
        return best.id if best else None


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
        help=MappingProxyType({card.slug: load_problem_help(root, card.slug) for card in problems}),
        solution_times=load_solution_times(root),
        solution_resources=load_solution_resources(root),
        definitions=load_definitions(root, glossary, notes),
        chinese_names=load_chinese_names(root, glossary),
        root=root,
    )
    if mistakes := list(_dangling(content)):
        raise BadContent("\n".join(mistakes))
    return content


def _dangling(content: Content) -> Iterator[str]:
    """Readings that lead nowhere."""
    named = [(note.path, note.readings) for note in content.notes]
    named += [(f"problems/{card.slug}/problem.toml", card.readings) for card in content.problems]
    named += [
        (f"problems/{slug}/editorial.{lang}.md", step.readings)
        for slug, found in content.help.items()
        for lang, steps in found.editorial.items()
        for step in steps
    ]
    for path, readings in named:
        yield from (
            f"{path}: readings[{n}]: no {reading!r}"
            for n, reading in enumerate(readings)
            if not content.resolved(reading)
        )
