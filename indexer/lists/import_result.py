"""The result of an import as frozen data, and its JSON (docs/contracts.md, section 4)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Label:
    """One place in a list that names a resource, with what the list says there."""

    list: str
    line: int
    text: str
    section: tuple[str, ...]
    description: str


@dataclass(frozen=True, slots=True)
class ListedResource:
    """A page that lists name: one entry per address, with all its labels."""

    url: str
    fragment: str
    title: str
    labels: tuple[Label, ...]
    lang: str
    kind: str
    level: str | None
    stretch: bool
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """A paper named by its title alone."""

    title: str
    list: str
    line: int
    section: tuple[str, ...]
    stretch: bool


@dataclass(frozen=True, slots=True)
class StudyLine:
    """A task or a list of keywords, in the list's words."""

    text: str
    list: str
    line: int
    section: tuple[str, ...]
    stretch: bool


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code and what it uses."""

    name: str | None
    language: str
    code: str
    list: str
    line: int
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A link that is no resource, and why."""

    url: str
    list: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """Everything that the lists hold."""

    resources: tuple[ListedResource, ...]
    papers: tuple[ListedPaper, ...]
    tasks: tuple[StudyLine, ...]
    keywords: tuple[StudyLine, ...]
    snippets: tuple[Snippet, ...]
    skipped: tuple[Skipped, ...]

    def as_json(self) -> dict[str, Any]:
        """The document of `warpmate index import --json`."""
        return asdict(self)
