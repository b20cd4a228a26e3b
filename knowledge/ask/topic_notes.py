"""The note, or the term, that says what a topic is: for questions that name a topic or a note by its title."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from knowledge.content import LEVELS, Content, Definition, Definitions, Note, Topic
from knowledge.content.topics import names as names_of_topic
from knowledge.content.topics import plain_name
from knowledge.definitions import LONGEST_ASKED, names_asked
from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table

Defining = Definition | str
"""A term, or the slug of a note whose first sentences define."""


class TopicNotes:
    """Made once for a content."""

    def __init__(self, content: Content) -> None:
        self._notes: Mapping[tuple[str, str], Note] = MappingProxyType(
            {(note.slug, note.lang): note for note in content.notes}
        )
        by_name: dict[str, Defining] = {}
        for topic in content.topics:
            if found := _defining(topic, content.notes, content.definitions):
                by_name |= {plain_name(name): found for name in names_of_topic(topic)}
            elif easiest := _easiest(topic, content.notes):
                by_name |= {plain_name(title): easiest for title in (topic.title.en, topic.title.zh)}
        by_name |= {plain_name(note.title): note.slug for note in content.notes}
        self._by_name = MappingProxyType(by_name)

    def asked_for(self, question: str) -> Defining | None:
        """What a question such as `what is Softmax and cross entropy` names and nothing else."""
        if len(question) > LONGEST_ASKED:
            return None
        plain = (plain_name(name) for name in names_asked(fold(question)))
        return next((self._by_name[name] for name in plain if name in self._by_name), None)

    def note(self, slug: str, lang: str) -> Note:
        """In the language; in another one where it is not written in that."""
        return self._notes.get((slug, lang)) or next(note for note in self._notes.values() if note.slug == slug)


def _defining(topic: Topic, notes: tuple[Note, ...], definitions: Definitions) -> Defining | None:
    """The note of the topic's name; else a term that its title is made of; else its note for beginners."""
    slugs = [note.slug for note in notes if note.topics[0] == topic.id]
    if topic.id in slugs:
        return topic.id
    titles = (topic.title.en, topic.title.zh)
    parts = [part for title in titles for part in _between().split(title) if part.strip()]
    said_in_title = [
        alias for alias in topic.aliases if any(plain_name(alias) in plain_name(each) for each in titles)
    ]
    terms = (definitions.named(name.strip()) for name in (*parts, *said_in_title))
    if term := next(filter(None, terms), None):
        return term
    return next((slug for slug in slugs if slug.endswith("-for-beginners")), None)


@cache
def _between() -> re.Pattern[str]:
    """What stands between the things that a title names, in every language."""
    said = (read_table(FOLDER / code / "asked.toml").get("title", {}).get("between", ()) for code in language_codes())
    return re.compile("|".join(re.escape(each) for each in itertools.chain.from_iterable(said)))


def _easiest(topic: Topic, notes: tuple[Note, ...]) -> str | None:
    """For a title that names several things: the note to begin with."""
    about = sorted((note for note in notes if note.topics[0] == topic.id), key=lambda note: LEVELS.index(note.level))
    return about[0].slug if about else None
