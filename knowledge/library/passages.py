"""What search finds: a span of a dated snapshot, with all that an answer needs to cite it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

PassageKind = Literal["prose", "code"]


def context_of(title: str, headings: tuple[str, ...]) -> str:
    """Each name once, where a page's first heading is its title."""
    return " > ".join(dict.fromkeys(part for part in (title, *headings) if part))


def in_context(context: str, text: str) -> str:
    """Title and headings stand in front: a passage often does not name what its section is about."""
    return f"{context}\n{text}" if context else text


def content_hash(text: str) -> str:
    """The digest by which equal passages, and a passage and what is known of its code, find each other."""
    return hashlib.sha256(text.encode()).hexdigest()


def link_at(url: str, anchor: str) -> str:
    """The page, at a heading of it; the whole page where the heading has no address."""
    return f"{url.partition('#')[0]}#{anchor}" if anchor else url


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage of a generation. `text` is the snapshot's text from `start` to `end`, character for character."""

    row: int
    """Position in the generation: the row of its vector."""
    resource_id: str
    snapshot_id: int
    """0 for a link: what is said of it stands in the catalogue."""
    url: str
    path: str
    title: str
    headings: tuple[str, ...]
    anchor: str
    lang: str
    kind: PassageKind
    text: str
    start: int
    end: int
    fetched_at: datetime
    content_hash: str
    page_kind: str = ""
    """html, markdown, notebook …: where the text came from; `link` for what is said of a link."""
    level: str | None = None
    topics: tuple[str, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)
    """For code: language, name, features, description; from the snippet's analysis."""

    @property
    def section(self) -> str:
        """The headings above it, without those that only repeat the page's title or one another."""
        said = dict.fromkeys((self.title, *self.headings))
        return " > ".join(heading for heading in said if heading != self.title)

    @property
    def link(self) -> str:
        """The page, at the nearest heading that has an address."""
        return link_at(self.url, self.anchor)

    @property
    def context(self) -> str:
        """What stands in front of the text when it is embedded or indexed by words."""
        return context_of(self.title, self.headings)

    @property
    def in_context(self) -> str:
        """What is embedded."""
        return in_context(self.context, self.text)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The extracted text of a page on one day; quotes point into it."""

    id: int
    resource_id: str
    url: str
    path: str
    title: str
    lang: str
    kind: str
    text: str
    content_hash: str
    fetched_at: datetime
