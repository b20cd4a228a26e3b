"""What a resource holds, for whoever shows it: its sections, and the code that it prints with the compiler's word.

contents = await contents_of(store, scope, resource_id, lang)     # a resource's page, `resource info`
checks = await code_checks(store, [excerpt.text for excerpt in …])   # the code blocks of an answer
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Row, select

from knowledge.library.passages import content_hash, link_at
from knowledge.store import Scope, Store
from knowledge.store.library import Passage, Snapshot, Snippet
from knowledge.words import ENGLISH, core_languages

CheckState = Literal["compiles", "broken", "unchecked"]
_STATES: Mapping[str, CheckState] = {"compiled": "compiles", "compile_error": "broken"}

_HOST = "host-function"
"""What the device's compiler says of any C function: no mistake of a page that prints one beside its kernel."""


@dataclass(frozen=True, slots=True)
class CodeCheck:
    """What the compiler said of a piece of code as it is printed; what is no verdict on it counts as unchecked."""

    state: CheckState = "unchecked"
    line: int | None = None
    """Of the code, from 1: where the first mistake is."""
    message: Mapping[str, str] = field(default_factory=dict)
    """What is wrong there, by language; empty where the compiler's words say nothing that we can explain."""

    def text(self, lang: str) -> str:
        """Say, for example: does not compile: line 3: flaot is not a type; did you mean float? Empty if unchecked."""
        if self.state == "unchecked":
            return ""
        language = core_languages()[lang]
        parts = [language(f"code.{self.state}")]
        if self.line:
            parts.append(language("code.line", n=self.line))
        parts.append(self.message.get(lang) or self.message.get(ENGLISH, ""))
        return language("list.colon").join(filter(None, parts))

    def as_json(self) -> dict[str, Any]:
        return {"state": self.state, "line": self.line, "message": dict(self.message)}


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    depth: int
    """1 for the topmost headings of a page."""
    link: str

    def as_json(self) -> dict[str, Any]:
        return {"title": self.title, "depth": self.depth, "url": self.link}


@dataclass(frozen=True, slots=True)
class PrintedCode:
    """A kernel that the resource prints, or a function of a program around one."""

    name: str
    description: str
    """One line: name, parameters, features used."""
    language: str
    features: tuple[str, ...]
    code: str
    section: str
    link: str
    check: CodeCheck

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.description,
            "language": self.language,
            "features": list(self.features),
            "code": self.code,
            "section": self.section,
            "url": self.link,
            "check": self.check.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a resource, in reading order; empty until the resource's pages were read."""

    sections: tuple[Section, ...] = ()
    snippets: tuple[PrintedCode, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "sections": [section.as_json() for section in self.sections],
            "snippets": [snippet.as_json() for snippet in self.snippets],
        }


async def contents_of(store: Store, scope: Scope, resource_id: str, lang: str = "en") -> Contents:
    """List what the resource's pages hold; where some are in the reader's language (our notes are), only those."""
    columns = (
        Snapshot.id,
        Snapshot.url,
        Snapshot.lang,
        Snapshot.text,
        Passage.headings,
        Passage.anchor,
        Passage.kind,
        Passage.start,
        Passage.end,
        Passage.meta,
        Snippet,
    )
    wanted = (
        select(*columns)
        .join(Snapshot, Snapshot.id == Passage.snapshot_id)
        .outerjoin(Snippet, Snippet.content_hash == Passage.content_hash)
        .where(Snapshot.resource_id == resource_id, Snapshot.current)
        .order_by(Snapshot.path, Snapshot.url, Passage.ordinal)
    )
    async with store.reading(scope) as session:
        rows = (await session.execute(wanted)).all()
    spoken = [row for row in rows if row.lang == lang] or rows
    return Contents(tuple(_sections(spoken)), tuple(_printed(row) for row in spoken if row.Snippet is not None))


async def code_checks(store: Store, codes: Collection[str]) -> dict[str, CodeCheck]:
    """Return the checks by the code as it stands in a page, white space and all; unknown code is unchecked."""
    digests = {content_hash(code): code for code in codes}
    async with store.reading(Scope()) as session:
        rows = await session.scalars(select(Snippet).where(Snippet.content_hash.in_(list(digests))))
        known = {digests[row.content_hash]: _check(row) for row in rows}
    return {code: known.get(code, CodeCheck()) for code in codes}


def _sections(rows: Sequence[Row[Any]]) -> Iterator[Section]:
    """Every heading once, also one under which nothing but further headings stands."""
    path: tuple[str, ...] = ()
    page = None
    for row in rows:
        headings = tuple(row.headings)
        shared = _shared(path, headings) if row.id == page else 0
        page, path = row.id, headings
        for depth in range(shared + 1, len(headings) + 1):
            yield Section(headings[depth - 1], depth, link_at(row.url, row.anchor if depth == len(headings) else ""))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many of the topmost headings are the same."""
    pairs = zip(one, other, strict=False)
    return next((depth for depth, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _printed(row: Row[Any]) -> PrintedCode:
    snippet: Snippet = row.Snippet
    return PrintedCode(
        name=snippet.name,
        description=snippet.description,
        language=row.meta.get("language", ""),
        features=tuple(snippet.features),
        code=row.text[row.start : row.end],
        section=" > ".join(row.headings),
        link=link_at(row.url, row.anchor),
        check=_check(snippet),
    )


def _check(snippet: Snippet) -> CodeCheck:
    state = _STATES.get(snippet.verdict or "", "unchecked")
    if state != "broken":
        return CodeCheck(state)
    errors = [found for found in snippet.verdict_body.get("findings", ()) if found["severity"] == "error"]
    if not errors:
        return CodeCheck(state)
    errors = [found for found in errors if found["id"] != _HOST]
    if not errors:
        return CodeCheck()
    first = min(errors, key=lambda found: found["line"] or 1 << 30)
    message = {lang: text.rstrip(".\u3002") for lang, text in first["message"].items()}
    return CodeCheck(state, first["line"], message)
