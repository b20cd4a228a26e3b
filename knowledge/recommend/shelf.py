"""What one scope may be recommended, by id and by topic: notes, resources, problems, tasks, whatever their origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from knowledge.catalogue.item import Item, items_of
from knowledge.content import LEVELS, Content, Topics, Words
from knowledge.content.topics import plain_name
from knowledge.store.library import Resource

LONG_MINUTES = 300
"""From here on it is a course or a book, which covers more than its subject."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9.+]*")
_ARXIV = re.compile(r"arxiv\.org/\w+/(?P<year>\d\d)(?P<month>\d\d)\.\d{4,5}")
_TITLE_ENDS = re.compile("[:：（(]")

__all__ = ["LEVELS", "Item", "Shelf", "shelf_of"]


@dataclass(frozen=True)
class Shelf:
    """What one scope may be recommended: content, plus what members added and what the crawler learnt."""

    topics: Topics
    items: tuple[Item, ...]
    terms: Mapping[str, tuple[Words, ...]] = field(default_factory=dict)
    """By a note's id the terms that it explains."""
    sections: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """By a note's id and a language the headings in it."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """By an item's id what it says, in all languages; of a link our summary."""

    @cached_property
    def titles(self) -> tuple[tuple[Item, str, str], ...]:
        """Each item with its titles and id as words between blanks, and as one run without them."""
        texts = ((item, f"{item.title_en} {item.title_zh} {item.id}") for item in self.items if not item.stretch)
        return tuple((item, f" {words_of(text)} ", plain_name(text)) for item, text in texts)

    @cached_property
    def note_titles(self) -> tuple[tuple[Item, frozenset[str], str], ...]:
        """Our notes with their titles up to the first colon: the English one as words, the Chinese one as one run,
        empty where it is too short to be told from other text.
        """
        found = []
        for item in (one for one in self.items if one.kind == "note"):
            en, zh = (_TITLE_ENDS.split(title)[0] for title in (item.title_en, item.title_zh))
            found.append((item, one_number(words_of(en)), plain_name(zh) if len(zh) > 3 else ""))
        return tuple(found)

    @cached_property
    def to_learn(self) -> tuple[Item, ...]:
        """The items in the order to learn them: by topic, then level, our own first."""
        position = self.topics.position
        return tuple(
            sorted(
                self.items,
                key=lambda item: (
                    position.get(item.subject, len(position)), LEVELS.index(item.level), not item.own, item.title_en,
                ),
            )
        )  # fmt: skip

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """By a name, casefolded, the ids of the items whose texts have it; what is ever written small is a word."""
        found: dict[str, dict[str, None]] = {}
        ordinary = set[str]()
        for item_id, text in self.texts.items():
            for word in _WORD.findall(text):
                found.setdefault(word.casefold(), {})[item_id] = None
                if word.islower():
                    ordinary.add(word)
        return MappingProxyType({name: tuple(ids) for name, ids in found.items() if name not in ordinary})

    @cached_property
    def _all_text(self) -> str:
        return "\n".join((*self.texts.values(), *(f"{item.title_en} {item.title_zh}" for item in self.items)))

    def says(self, words: str) -> bool:
        """Whether any title or text has these words."""
        return words in self._all_text

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Words of Latin letters in the titles and texts, casefolded."""
        texts = (*self.texts.values(), *(f"{item.title_en} {item.title_zh}" for item in self.items))
        return frozenset(word.casefold().rstrip(".") for text in texts for word in _WORD.findall(text))

    published: Mapping[str, float] = field(default_factory=dict)
    """By an item's id when it came out, in years, of those of which it is known."""

    looked_up: tuple[Item, ...] = ()
    """Pages of questions: shown and linked, in no list."""

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """By the id in the database, and by the one in content/ where that differs."""
        every = (*self.items, *self.looked_up)
        return MappingProxyType({id_: item for item in every for id_ in (item.curated_id, item.id) if id_})

    def here(self, ids: Iterable[str]) -> Iterator[str]:
        """As the items are called here, of those that are: a moderator may have removed what content/ names, and a
        page that a member brought first has an id of its own.
        """
        return (self.by_id[id_].id for id_ in ids if id_ in self.by_id)

    @cached_property
    def by_topic(self) -> Mapping[str, tuple[Item, ...]]:
        found: dict[str, list[Item]] = {topic.id: [] for topic in self.topics}
        for item in self.items:
            for topic in item.topics if not item.aside else ():
                found.setdefault(topic, []).append(item)
        return MappingProxyType({topic: tuple(items) for topic, items in found.items()})

    @cached_property
    def ancestors(self) -> Mapping[str, frozenset[str]]:
        """Topics that come before each topic, directly or not."""
        return MappingProxyType(
            {topic.id: frozenset(before.id for before in self.topics.before(topic.id)) for topic in self.topics}
        )

    def rests_on(self, item: Item, other: Item) -> bool:
        """True if `other` has to come first: it is named, or it is read about an earlier subject and is no harder."""
        if other.id in item.needs:
            return True
        if other.kind == "problem" or (other.minutes or 0) >= LONG_MINUTES:  # practice, or a whole course
            return False
        comes_before = f"topic:{other.subject}" in item.needs and other.subject != item.subject
        comes_before = comes_before or other.subject in self.ancestors.get(item.subject, frozenset())
        return comes_before and LEVELS.index(other.level) <= LEVELS.index(item.level)


def words_of(text: str) -> str:
    """The words of a text, small, with one blank between them."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def one_number(words: str) -> frozenset[str]:
    """The words, those in the plural as their singular."""
    return frozenset(word.removesuffix("s") for word in words.split())


def shelf_of(content: Content, rows: Iterable[Resource] = ()) -> Shelf:
    """The catalogue's items that can be recommended."""
    terms: dict[str, list[Words]] = {}
    for definition in content.definitions:
        if definition.note:
            term = Words(en=definition.title("en"), zh=definition.title("zh"))
            terms.setdefault(f"note:{definition.note}", []).append(term)
    of_questions = {note.id for note in content.notes if note.of_questions}
    every = [item for item in items_of(content, rows) if _recommendable(item)]
    items = tuple(item for item in every if item.id not in of_questions)
    looked_up = tuple(item for item in every if item.id in of_questions)
    sections: dict[tuple[str, str], tuple[str, ...]] = {(note.id, note.lang): note.headings for note in content.notes}
    texts = {item.id: f"{item.summary('en')} {item.summary('zh')}" for item in items if not item.own}
    for note in content.notes:
        if note.id in of_questions:
            continue
        texts[note.id] = f"{texts.get(note.id, '')} {note.body}"
    return Shelf(
        content.topics,
        items,
        {note: tuple(found) for note, found in terms.items()},
        sections,
        texts,
        dict(_published(items, content)),
        looked_up,
    )


def _published(items: Iterable[Item], content: Content) -> Iterator[tuple[str, float]]:
    """By the year that its entry states; a number of arXiv says year and month."""
    years = {resource.id: resource.year for resource in content.resources if resource.year}
    for item in items:
        number = _ARXIV.search(item.url or "")
        if number:
            yield item.id, 2000 + int(number["year"]) + (int(number["month"]) - 1) / 12
        elif year := years.get(item.curated_id or item.id):
            yield item.id, float(year)


def _recommendable(item: Item) -> bool:
    """Pages of a mirror serve answers only, and what is about no topic fits no wish."""
    return item.state == "approved" and not item.duplicate_of and item.origin != "mirror" and bool(item.topics)
