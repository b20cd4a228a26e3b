"""content/resources/*.yaml: what to read, with level, topics and a summary of our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from knowledge.content.schema import Strict, file_text, listed, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Level, Sentence, Words
from knowledge.content.topics import Topics
from knowledge.text.language import Lang

Kind = Literal[
    "article", "blog", "book", "code", "community", "course", "discussion", "docs", "paper", "reference", "site",
    "slides", "task", "tool", "video",
]  # fmt: skip
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$", max_length=2000, strict=True)]


class Mention(Strict):
    """The place where a list named the resource, and the level that the list stated."""

    list: Sentence
    line: Annotated[int, Field(ge=1)]
    level: Level | None = None
    stretch: bool = False


class Resource(Strict):
    """One thing to read, watch or do. A paper named without an address and a task have no url."""

    id: Id
    url: Address | None = None
    title: Sentence
    """As the resource calls itself, in its own language."""
    aside: bool = False
    """On something that no topic is about: recommended where one of its names is said, and on no topic."""
    titles: Words | None = None
    """Both languages, for what is of our own making."""
    names: tuple[Sentence, ...] = ()
    """What members call it, or the subjects that it is on: a wish that says one of them means this reading."""
    authors: tuple[Sentence, ...] = ()
    """Who wrote, taught or built it, as members call them: a wish that names one of them means this reading."""
    year: Annotated[int, Field(ge=1950, le=2100)] | None = None
    """When it came out, where the address does not say it."""
    lang: Lang
    kind: Kind
    level: Level
    topics: Annotated[tuple[Id, ...], Field(min_length=1, max_length=4)]
    minutes: Annotated[int, Field(ge=1, le=6000)] | None = None
    prerequisites: tuple[Sentence, ...] = ()
    """Ids of resources, or topic:<id>."""
    summaries: Words
    stretch: bool = False
    named_by: tuple[Mention, ...] = ()

    def title_in(self, lang: str) -> str:
        """The title for a reader of `lang`: a page keeps its own, a task of ours has both."""
        return self.titles.text(lang) if self.titles else self.title


def load_resources(root: Path, topics: Topics) -> tuple[Resource, ...]:
    """Every resource of root/resources/, files by name and entries as written; raises BadContent."""
    found: list[tuple[str, str, Resource]] = []
    for path in sorted((root / "resources").glob("*.yaml")):
        text, file = file_text(path, root)
        for n, entry in enumerate(listed(parsed_yaml(text, file), "resources", file)):
            at = f"resources[{n}]"
            found.append((file, at, record(Resource, entry, file, at)))
    _check(found, topics)
    return tuple(resource for _, _, resource in found)


def _check(found: list[tuple[str, str, Resource]], topics: Topics) -> None:
    ids = {resource.id for _, _, resource in found}
    seen: dict[str, str] = {}
    mistakes = []
    for file, at, resource in found:
        mistakes += [f"{file}: {at}{line}" for line in _mistakes(resource, topics, ids)]
        for key, value in (("id", resource.id), ("url", resource.url)):
            if value and (first := seen.setdefault(f"{key} {value}", f"{file}: {at}")) != f"{file}: {at}":
                mistakes.append(f"{file}: {at}.{key}: {value} stands in {first} already")
    if mistakes:
        first_file, _, rest = "\n".join(mistakes).partition(": ")
        refuse(first_file, [rest])


def _mistakes(resource: Resource, topics: Topics, ids: set[str]) -> Iterator[str]:
    for n, topic in enumerate(resource.topics):
        if topic not in topics:
            yield f".topics[{n}]: no topic {topic!r} in topics.yaml"
    for n, need in enumerate(resource.prerequisites):
        kind, _, name = need.rpartition(":")
        if not (name in topics if kind == "topic" else need in ids and need != resource.id):
            yield f".prerequisites[{n}]: {need!r} is neither another resource nor topic:<id>"
    if resource.url is None and resource.kind not in {"paper", "task", "book", "reference"}:
        yield f".url: a resource of kind {resource.kind!r} needs an address"
