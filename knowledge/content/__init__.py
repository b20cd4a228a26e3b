"""The files under content/, read once, checked against their schema and each other, and frozen."""

from knowledge.content.definitions import Definition, Definitions, load_definitions
from knowledge.content.glossary import Glossary, Term, load_glossary
from knowledge.content.load import Content, load_content
from knowledge.content.notes import Note, load_notes
from knowledge.content.problems import ProblemCard, ProblemTexts, TryExample, example_try, load_problems
from knowledge.content.resources import Mention, Resource, load_resources
from knowledge.content.shared_types import LEVELS, Level, Words
from knowledge.content.topics import Topic, Topics, load_topics

__all__ = [
    "LEVELS",
    "Content",
    "Definition",
    "Definitions",
    "Glossary",
    "Level",
    "Mention",
    "Note",
    "ProblemCard",
    "ProblemTexts",
    "Resource",
    "Term",
    "Topic",
    "Topics",
    "TryExample",
    "Words",
    "example_try",
    "load_content",
    "load_definitions",
    "load_glossary",
    "load_notes",
    "load_problems",
    "load_resources",
    "load_topics",
]
