"""One item of the catalogue: what curators wrote and what the database knows, merged as precedence.py says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args
from urllib.parse import urlsplit

from knowledge.addresses import key_of
from knowledge.catalogue.precedence import level_named, stated_by_people
from knowledge.content import Content, Level, Mention, Note, ProblemCard, Resource
from knowledge.content.resources import Kind
from knowledge.store.library import Resource as Row

NOTE = "note"
KINDS = frozenset((*get_args(Kind), NOTE))
"""What a face has a word for; pages of a mirror carry their file format instead."""
SOLVING_MINUTES: Mapping[str, int] = {"beginner": 30, "intermediate": 60, "advanced": 120}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to read, watch or solve: a note or problem of ours, a page that a curator or a member brought."""

    id: str
    title_en: str
    title_zh: str
    """Titles and summaries exist in the two languages of content; CONTRIBUTING.md says what a third one needs."""
    url: str | None
    langs: tuple[str, ...]
    """Languages in which it exists: a note has two, a page one."""
    kind: str
    stated_level: Level | None
    """The level that somebody stated; None where nobody has."""
    topics: tuple[str, ...]
    """The first is what it is about; the others it touches."""
    minutes: int | None
    needs: tuple[str, ...] = ()
    """Ids of items, or `topic:<id>`."""
    summary_en: str = ""
    summary_zh: str = ""
    stretch: bool = False
    aside: bool = False
    """Only recommended where it is named."""
    named_by: tuple[Mention, ...] = ()
    origin: str = "content"
    """content, mirror, group or member."""
    state: str = "approved"
    """pending, approved or removed."""
    link_state: str = "unknown"
    duplicate_of: str | None = None
    added_by: str | None = None
    guild_id: str | None = None
    curated_id: str = ""
    """The id that content/ names it by, where a member had brought the page before and its row has another."""

    @property
    def level(self) -> Level:
        """Return the level for choosing and ordering: what nobody has labelled is neither easy nor hard."""
        return self.stated_level or "intermediate"

    @property
    def subject(self) -> str:
        return self.topics[0]

    @property
    def lang(self) -> str:
        return self.langs[0]

    @property
    def mentions(self) -> int:
        """How many lists name it."""
        return len({mention.list for mention in self.named_by})

    @property
    def site(self) -> str:
        """Host of the page; our own things count by kind, so that notes and problems can stand side by side."""
        return urlsplit(self.url).netloc.removeprefix("www.") if self.url else f"own:{self.kind}"

    @property
    def own(self) -> bool:
        return self.id.startswith(("note:", "problem:"))

    def title(self, lang: str) -> str:
        return self.title_zh if lang == "zh" else self.title_en

    def summary(self, lang: str) -> str:
        """Return the summary in the reader's language where there is one in it, else in the other."""
        sides = (self.summary_zh, self.summary_en) if lang == "zh" else (self.summary_en, self.summary_zh)
        return next((text for text in sides if text), "")

    def lang_for(self, lang: str) -> str:
        """The language that a reader of `lang` will meet."""
        return lang if lang in self.langs else self.langs[0]

    def as_json(self, lang: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title(lang),
            "url": self.url,
            "lang": self.lang,
            "kind": self.kind,
            "level": self.stated_level,
            "topics": list(self.topics),
            "summary": self.summary(lang),
            "state": self.state,
            "link_state": self.link_state,
            "minutes": self.minutes,
            "added_by": self.added_by,
            "guild_id": self.guild_id,
        }


def items_of(content: Content, rows: Iterable[Row] = ()) -> tuple[Item, ...]:
    """Everything under content/, each with what the database knows better, then what the database alone knows.

    A row belongs to a curated item by its id, or by its address: a member may have brought the page first.
    """
    alone = {row.id: row for row in rows}
    curated = list(_curated(content))
    named = {item.id for item in curated}
    at = {row.address_key: row for row in alone.values() if row.guild_id is None and row.id not in named}
    items, renamed = [], dict[str, str]()
    for item in curated:
        row = alone.get(item.id) or (at.get(key_of(item.url)) if item.url and at else None)
        if row is None:
            items.append(item)
            continue
        del alone[row.id]
        at.pop(row.address_key, None)
        if row.id != item.id:
            renamed[item.id] = row.id
        items.append(_with_row(item, row))
    items += [item_of_row(row) for row in alone.values()]
    if not renamed:
        return tuple(items)
    return tuple(replace(item, needs=tuple(renamed.get(need, need) for need in item.needs)) for item in items)


def item_of_row(row: Row) -> Item:
    """What only the database knows. A row of content/ without its entry there is out of view, as after a build."""
    known = Item(
        id=row.id,
        title_en=row.title,
        title_zh=row.title,
        url=row.url,
        langs=(row.lang,),
        kind=row.kind if row.kind in KINDS else "article",
        stated_level=level_named(row.level),
        topics=tuple(row.topics or ()),
        minutes=row.minutes,
        needs=tuple(row.prerequisites or ()),
        summary_en=row.summary_en or "",
        summary_zh=row.summary_zh or "",
        origin=row.origin,
        state="removed" if row.origin == "content" else row.state,
        link_state=row.link_state or "unknown",
        duplicate_of=row.duplicate_of,
        added_by=row.added_by,
        guild_id=row.guild_id,
    )
    return replace(known, **stated_by_people(row))


def curated_fields(content: Content) -> Iterator[dict[str, Any]]:
    """The columns of a row that content/ states, for each of its notes and resources."""
    for item in _curated(content):
        if item.kind != "problem":
            yield {
                "id": item.id,
                "url": item.url,
                "title": item.title_en,
                "lang": item.lang,
                "kind": item.kind,
                "level": item.stated_level,
                "topics": list(item.topics),
                "prerequisites": list(item.needs),
                "minutes": item.minutes,
                "origin": "content",
                "state": "approved",
                **_summaries(item),
            }


def _summaries(item: Item) -> dict[str, str]:
    """A note's is extracted once its page is read; what curators wrote of a resource stands."""
    if item.kind == NOTE:
        return {"summary_by": "extractive"}
    return {"summary_by": "curator", "summary_en": item.summary_en, "summary_zh": item.summary_zh}


def _with_row(item: Item, row: Row) -> Item:
    """What the database knows of the page, and what people stated, on what curators wrote (`precedence.py`)."""
    own = row.origin == "content"
    return replace(
        item,
        id=row.id,
        curated_id="" if row.id == item.id else item.id,
        state=row.state if own else row.overrides.get("state", "approved"),
        link_state=row.link_state or "unknown",
        duplicate_of=row.duplicate_of,
        added_by=row.added_by,
        summary_en=item.summary_en or row.summary_en or "",
        summary_zh=item.summary_zh or row.summary_zh or "",
        **stated_by_people(row),
    )


def _curated(content: Content) -> Iterator[Item]:
    yield from _notes(content.notes)
    yield from map(_of_resource, content.resources)
    yield from (_of_problem(card, content.read_before(card)) for card in content.problems)


def _notes(notes: tuple[Note, ...]) -> Iterator[Item]:
    """A note and its counterpart in the other language are one item."""
    pairs: dict[str, dict[str, Note]] = {}
    for note in notes:
        pairs.setdefault(note.slug, {})[note.lang] = note
    for slug, sides in pairs.items():
        any_side = sides.get("en") or sides["zh"]
        yield Item(
            id=f"note:{slug}",
            title_en=sides.get("en", any_side).title,
            title_zh=sides.get("zh", any_side).title,
            url=None,
            langs=tuple(sorted(sides)),
            kind=NOTE,
            stated_level=any_side.level,
            topics=any_side.topics,
            minutes=any_side.minutes,
            needs=tuple(f"note:{need}" if need in pairs else f"topic:{need}" for need in any_side.needs),
        )


def _of_resource(resource: Resource) -> Item:
    other = "en" if resource.lang == "zh" else "zh"
    return Item(
        id=resource.id,
        title_en=resource.title_in("en"),
        title_zh=resource.title_in("zh"),
        url=resource.url,
        langs=(resource.lang, other) if resource.titles else (resource.lang,),
        kind=resource.kind,
        stated_level=resource.level,
        topics=resource.topics,
        minutes=resource.minutes,
        needs=resource.prerequisites,
        summary_en=resource.summaries.en,
        summary_zh=resource.summaries.zh,
        stretch=resource.stretch,
        aside=resource.aside,
        named_by=resource.named_by,
    )


def _of_problem(card: ProblemCard, before: tuple[str, ...]) -> Item:
    return Item(
        id=f"problem:{card.slug}",
        title_en=card.title.en,
        title_zh=card.title.zh,
        url=None,
        langs=("en", "zh"),
        kind="problem",
        stated_level=card.level,
        topics=card.topics,
        minutes=SOLVING_MINUTES[card.level],
        needs=(*(f"problem:{slug}" for slug in card.needs), *before),
    )
