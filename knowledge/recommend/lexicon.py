"""Every word that a wish may be made of, and what it means: topics, terms, levels, kinds, languages."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal, get_args

from knowledge.catalogue.item import items_of
from knowledge.content import Content, Level, Resource, Topic, Topics
from knowledge.content.names import level_names
from knowledge.content.topics import names, plain_name
from knowledge.text.fold import fold
from knowledge.text.language import HAN_SIGNS
from knowledge.words import FOLDER, language_codes, read_table

Sign = Literal[
    "filler", "known", "did", "unwanted", "trade", "about", "intent",  # what a phrase does to those beside it
    "quality", "compare", "each", "ignorant", "dropped", "then", "official", "brief", "job", "broad",
]  # fmt: skip
"""`filler` says nothing; after `known` and `unwanted`, and before `trade` and `did`, stands what is not asked for;
after `about` what the rest is for; `intent` begins what is asked for; `quality` is how the readings are to be;
`compare` asks which is first, `each` for one reading on each subject; after `ignorant` stands what the member has not
learnt yet, before `dropped` what is not to be there; after `then` what is to be read later; `official` is by whoever
makes the thing, `brief` leaves out what takes days; a `job` is what the member wants to have, so that its name is no
background; `broad` names the field, and no subject where another is named."""
_SIGNS: tuple[Sign, ...] = get_args(Sign)
_MOST_NEAREST = 4
_MOST_OF_A_NAME = 3
"""A name in the titles of more readings names a subject."""
_TITLE_ENDS = re.compile(r"\s*[:：(（]")
_HAN = re.compile(f"[{HAN_SIGNS}]")
_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one phrase says; empty for a word that is unknown."""

    topics: tuple[str, ...] = ()
    by_name: bool = False
    """The phrase is a name of the topic, not only a word that texts on it use."""
    apart: bool = False
    """The topic is only the nearest to it."""
    whole: bool = False
    """The phrase is a name of a topic as a whole."""
    narrow: bool = True
    """It says less than the topic's title does: readings with it in their title are meant before others."""
    notes: tuple[str, ...] = ()
    """Ids of the notes that explain it."""
    links: tuple[str, ...] = ()
    """Ids of the links that are on it."""
    sought: tuple[str, ...] = ()
    """Ids of the readings of which it is the title or an author."""
    bridges: tuple[str, ...] = ()
    """Ids of the readings that begin where this is known."""
    makers: tuple[str, ...] = ()
    """Whose it is: `CUDA` is NVIDIA's."""
    burdens: tuple[str, ...] = ()
    """Kinds of reading that are full of it: papers, of mathematics."""
    level: Level | None = None
    kind: str = ""
    lang: str = ""
    sign: Sign | None = None
    missing: bool = False
    """It names a subject that the library has no topic for: the topic is the nearest."""
    gap: str = ""
    """What is certainly not here: a `subject` of another field, a `language`, a `kind`."""
    order: str = ""
    """How the readings are to stand: `oldest` or `newest` first, or in `steps` from the easiest."""


UNKNOWN = Meaning()


@dataclass(frozen=True)
class Lexicon:
    topics: Topics
    by_name: Mapping[str, Meaning]
    """By the phrase without blanks, hyphens and case."""
    makers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each maker makes, in the words that readings have."""

    @cached_property
    def by_first(self) -> Mapping[str, tuple[str, ...]]:
        """Phrases by their first character: a typo is seldom there."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.by_name:
            found[name[0]].append(name)
        return {first: tuple(each) for first, each in found.items()}

    def typo_of(self, plain: str) -> str | None:
        """The one phrase that this is near enough to be."""
        if len(plain) < 4 or not plain.isascii() or any(character.isdigit() for character in plain):
            return None
        cutoff = 0.88 if len(plain) < 7 else 0.84
        near = difflib.get_close_matches(plain, self.by_first.get(plain[0], ()), n=1, cutoff=cutoff)
        return near[0] if near else None

    def nearest(self, text: str) -> tuple[Topic, ...]:
        """Topics with a name that looks like any word of the text, at most four."""
        words = [plain_name(text), *map(plain_name, text.split())]
        scored = [
            (max(_likeness(word, name) for word in words for name in names(topic)), topic) for topic in self.topics
        ]
        near = [(score, topic) for score, topic in scored if score >= _NEAR]
        ranked = sorted(near, key=lambda pair: (-pair[0], self.topics.position[pair[1].id]))
        return tuple(topic for _, topic in ranked[:_MOST_NEAREST])


def lexicon_of(content: Content) -> Lexicon:
    """Later entries give way to earlier ones: a topic's name, what members type, a term, a word of a topic, and last
    the subjects that have no topic.
    """
    by_name: dict[str, Meaning] = {}
    sources = (_topic_names(content.topics), _typed(content), _terms(content), _keywords(content), _missing(content))
    for name, meaning in chain(*sources):
        if plain := _plain(name):
            first = by_name.setdefault(plain, meaning)
            if meaning.kind and not first.kind:  # `books` names a topic and a kind
                by_name[plain] = replace(first, kind=meaning.kind)
    for name, links in _links(content).items():
        by_name[name] = _with_links(by_name.get(name, UNKNOWN), links)
    outright, sought = _titles_and_authors(content)
    _add_titles_and_authors(by_name, content, sought)
    about = {item.id: item.topics[0] for item in items_of(content) if item.topics}
    for name, readings in _typed_lists("reading").items():
        here = tuple(reading for reading in readings if reading in about)
        known = by_name.get(name, Meaning(tuple(about[one] for one in here[:1]), by_name=True))
        by_name[name] = replace(known, links=(*here, *known.links), by_name=True)
    _share_among_synonyms(by_name, content)
    _leave_subjects_alone(by_name, outright)
    for name, bridges in _typed_lists("bridge").items():
        by_name[name] = replace(by_name.get(name, UNKNOWN), bridges=bridges)
    for name, topics in _typed_lists("broad").items():
        meant = Meaning(topics, by_name=True, whole=True, narrow=False, sign="broad")
        by_name[name] = replace(meant, bridges=by_name.get(name, UNKNOWN).bridges)
    for name, makers in _typed_lists("maker").items():
        by_name[name] = replace(by_name.get(name, UNKNOWN), makers=makers)
    for name, kinds in _typed_lists("burden").items():
        by_name[name] = replace(by_name.get(name, UNKNOWN), burdens=kinds)
    return Lexicon(content.topics, by_name, _makers())


def _plain(name: str) -> str:
    """A name as a wish is compared with it."""
    return plain_name(fold(name)).replace("'", "")


def _links(content: Content) -> Mapping[str, tuple[Resource, ...]]:
    """The links that are on what a name says, by the name."""
    found: dict[str, list[Resource]] = defaultdict(list)
    for resource in content.resources:
        for name in {_plain(name) for name in resource.names}:
            found[name].append(resource)
    return {name: tuple(links) for name, links in found.items()}


def _add_titles_and_authors(
    by_name: dict[str, Meaning], content: Content, sought: Mapping[str, tuple[str, ...]]
) -> None:
    """What is a title or an author names its readings, unless it is a word of another kind."""
    topic_of = {resource.id: resource.topics[0] for resource in content.resources}
    for name, ids in sought.items():
        known = by_name.get(name, UNKNOWN)
        if known.whole or known.sign or known.kind or known.level or known.lang:
            continue
        topics, links = known.topics or (topic_of[ids[0]],), tuple(dict.fromkeys((*ids, *known.links)))
        by_name[name] = replace(known, sought=ids, links=links, topics=topics, by_name=True, missing=False)


def _share_among_synonyms(by_name: dict[str, Meaning], content: Content) -> None:
    """What one name of a term leads to, all its names lead to, and not to the note that only explains the word."""
    named_notes = _typed_lists("note")
    for definition in content.definitions:
        plain = [_plain(name) for name in (*definition.term.en, *definition.term.zh)]
        known = [by_name[name] for name in plain if name in by_name]
        alike = [one for one in known if not (one.sign or one.kind or one.level or one.whole)]
        links = tuple(dict.fromkeys(link for one in alike for link in one.links))
        topics = next((one.topics for one in alike if one.links), ())
        told = any(link.startswith("note:") for link in links)
        for name in plain if links else ():
            meaning = by_name.get(name)
            if meaning in alike and meaning is not None:
                notes = () if told and name not in named_notes else meaning.notes
                shared = replace(meaning, links=links, notes=notes, by_name=True)
                by_name[name] = shared if meaning.links else replace(shared, topics=topics)


def _leave_subjects_alone(by_name: dict[str, Meaning], titles: Collection[str]) -> None:
    """A name that only stands in a title is of a subject, where a note explains that: the note is as good."""
    for name, meaning in by_name.items():
        explained = any(one.startswith("note:") for one in (*meaning.links, *meaning.notes))
        if meaning.sought and explained and name not in titles:
            by_name[name] = replace(meaning, sought=())


def _titles_and_authors(content: Content) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Titles and authors; and by each of them, or a name that stands in the title too, the ids of its links."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    outright: set[str] = set()
    kinds = _words_of_kinds()
    all_titles = [_plain(resource.title) for resource in content.resources]
    for resource in content.resources:
        short = _TITLE_ENDS.split(resource.title)[0]
        titles = {title for title in (resource.title, short) if _is_long(title)}
        plain = _plain(short)
        if short in titles and sum(plain in other for other in all_titles) >= _MOST_OF_A_NAME:
            titles.discard(short)  # the name of a subject
        for name in {*titles, *resource.authors}:
            found[_plain(name).strip("《》")][resource.id] = None
            outright.add(_plain(name).strip("《》"))
        for name in resource.names:
            in_title = _is_long(name) and _plain(name) in _plain(resource.title)
            if name.casefold().endswith(kinds) or in_title or _plain(name) == _plain(resource.id):
                found[_plain(name)][resource.id] = None
    authors = {_plain(author) for resource in content.resources for author in resource.authors}
    kept = {name: tuple(ids) for name, ids in found.items() if len(ids) <= _MOST_OF_A_NAME or name in authors}
    return frozenset(outright | authors), kept


def _words_of_kinds() -> tuple[str, ...]:
    """The words for papers and books: `transformer paper` means one reading, `transformer` any."""
    tables = (read_table(FOLDER / code / "typed.toml").get("wish", {}).get("kind", {}) for code in language_codes())
    return tuple(word for table in tables for kind in ("paper", "book") for word in table.get(kind, ()))


def _is_long(title: str) -> bool:
    """False for a title that may be any words: `CUDA`, `量化`."""
    return len(title.split()) > 2 or len(_HAN.findall(title)) > 4 or (" " in title and len(title) > 15)


def _with_links(meaning: Meaning, links: tuple[Resource, ...]) -> Meaning:
    """The meaning with these links; a name that meant nothing is of the topic that most of them have first."""
    ids = tuple(link.id for link in links)
    if meaning.sign or meaning.kind or meaning.level:
        return replace(meaning, links=ids)
    (topic, _), *_ = Counter(link.topics[0] for link in links).most_common(1)
    apart = (not meaning.topics or meaning.missing) and all(link.aside for link in links)
    return replace(meaning, links=ids, topics=meaning.topics or (topic,), by_name=True, missing=False, apart=apart)


def _typed_lists(table: str) -> Mapping[str, tuple[str, ...]]:
    """What the words of a table of typed.toml stand under, by the word."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for code in language_codes():
        for meant, words in read_table(FOLDER / code / "typed.toml").get("wish", {}).get(table, {}).items():
            for word in words:
                found[_plain(word)][meant] = None
    return {name: tuple(meant) for name, meant in found.items()}


def _makers() -> Mapping[str, tuple[str, ...]]:
    """The words of each maker, of all languages."""
    found: dict[str, list[str]] = defaultdict(list)
    for code in language_codes():
        for maker, words in read_table(FOLDER / code / "typed.toml").get("wish", {}).get("maker", {}).items():
            found[maker] += words
    return {maker: tuple(words) for maker, words in found.items()}


def _topic_names(topics: Topics) -> Iterator[tuple[str, Meaning]]:
    for topic in topics:
        titles = {plain_name(name).removesuffix("s") for name in (topic.id, topic.title.en, topic.title.zh)}
        for name in names(topic):
            yield (
                name,
                Meaning(
                    (topic.id,), by_name=True, whole=True, narrow=plain_name(name).removesuffix("s") not in titles
                ),
            )


def _typed(content: Content) -> Iterator[tuple[str, Meaning]]:
    """The words of every language's typed.toml; each is typed by speakers of any language."""
    for name, level in level_names().items():
        yield name, Meaning(level=level, narrow=False)
    for table in (read_table(FOLDER / code / "typed.toml").get("wish", {}) for code in language_codes()):
        yield from _of_table(table, content)


def _of_table(table: Mapping[str, Any], content: Content) -> Iterator[tuple[str, Meaning]]:
    for area, words in table.get("area", {}).items():
        here = tuple(topic.id for topic in content.topics if topic.area == area)
        yield from _each(words, Meaning(here, by_name=True, whole=True, narrow=False))
    for slug, words in table.get("note", {}).items():
        note = next((each for each in content.notes if each.slug == slug), None)
        yield from _each(words, Meaning(note.topics[:1], by_name=True, notes=(note.id,)) if note else UNKNOWN)
    for topic, words in table.get("topic", {}).items():
        yield from _each(words, Meaning((topic,) if topic in content.topics else (), by_name=True, whole=True))
    for kind, words in table.get("kind", {}).items():
        yield from _each(words, Meaning(kind=kind, narrow=False))
    for lang, words in table.get("language", {}).items():
        yield from _each(words, Meaning(lang=lang, narrow=False))
    for gap, words in table.get("gap", {}).items():
        kind = "video" if gap == "kind" else ""
        yield from _each(words, Meaning(kind=kind, missing=True, gap=gap, narrow=False))
    for order, words in table.get("order", {}).items():
        yield from _each(words, Meaning(order=order, narrow=False))
    for sign in _SIGNS[:-1]:
        yield from _each(table.get(sign, ()), Meaning(sign=sign, narrow=False))


def _each(words: Iterable[str], meaning: Meaning) -> Iterator[tuple[str, Meaning]]:
    return ((word, meaning) for word in words)


def _terms(content: Content) -> Iterator[tuple[str, Meaning]]:
    """Terms of the glossary that a note explains."""
    notes = {note.slug: note for note in content.notes}
    for definition in content.definitions:
        if definition.note and (note := notes.get(definition.note)):
            meaning = Meaning(note.topics[:1], notes=(note.id,))
            yield from _each((*definition.term.en, *definition.term.zh), meaning)


def _keywords(content: Content) -> Iterator[tuple[str, Meaning]]:
    """Words that texts on a topic use; `tpu v5e` holds the topic's name."""
    for topic in content.topics:
        known = {plain_name(name) for name in names(topic)}
        for word in topic.keywords:
            plain = plain_name(word)
            yield word, Meaning((topic.id,), by_name=any(name in plain for name in known if len(name) > 2))


def _missing(content: Content) -> Iterator[tuple[str, Meaning]]:
    """Subjects that members name and the library has no topic for, with the topic that is nearest."""
    for code in language_codes():
        for topic, words in read_table(FOLDER / code / "typed.toml").get("wish", {}).get("missing", {}).items():
            if topic in content.topics:
                yield from _each(words, Meaning((topic,), by_name=True, missing=True))


def _likeness(word: str, name: str) -> float:
    plain = plain_name(name)
    if len(word) < 2 or (word.isascii() and len(word) < 3):
        return 0.0
    part = 0.9 if len(word) > 3 and word in plain else 0.0
    return max(part, difflib.SequenceMatcher(None, word, plain).ratio())
