"""What a member wants to read, out of what they typed: topics, level, kind, time and language, in any order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge.content import LEVELS, Level, Topic, Topics
from knowledge.content.topics import plain_name
from knowledge.errors import NotFound
from knowledge.recommend.lexicon import UNKNOWN, Lexicon
from knowledge.recommend.phrases import Phrase, minutes_in, pace_in, phrases_of
from knowledge.recommend.shelf import Item, Shelf
from knowledge.text.language import has_han

_MOST_NAMED = _MOST_OFFERED = 4
_RARE = 4
"""A phrase in no more titles than this names the readings that it stands in."""
_NO_SUBJECT = frozenset({"study-guides"})
"""`resources to learn CUDA` is about CUDA."""
_FROM_THE_START = "cuda-basics"
"""`which book for beginners` names no subject: what the library is about, from its start."""
_GIVES_WAY = frozenset({"kernel-optimization"})
"""`GEMM optimization` is about GEMM."""


@dataclass(frozen=True, slots=True)
class Wish:
    topic: str
    also: tuple[str, ...] = ()
    """Other topics that were named, in the order of the text."""
    named: frozenset[str] = frozenset()
    """Ids of readings whose titles say what was asked for."""
    level: Level | None = None
    kinds: frozenset[str] = frozenset()
    minutes: int | None = None
    only_lang: str | None = None
    first: frozenset[str] = frozenset()
    """Ids of notes whose subject was named itself: they stand before what is only near."""
    missing: tuple[str, ...] = ()
    """Subjects that were named and that the library has no topic for."""
    without: frozenset[str] = frozenset()
    """Kinds that are not wanted."""
    pace: str = ""
    """Time that comes again and again, as it was typed: `an hour a week`."""
    assumed: bool = False
    """No subject was named."""


class UnknownTopic(NotFound):
    """Nothing that was typed names a topic; offers the nearest."""

    def __init__(self, name: str, nearest: tuple[Topic, ...], beginning: tuple[Topic, ...]) -> None:
        sentence = "error.topic.unknown" if nearest else "error.topic.nothing_near"
        self.offered = nearest or beginning
        super().__init__(sentence, name=name[:60], nearest=tuple(topic.title for topic in self.offered))


def wish_of(text: str, shelf: Shelf, lexicon: Lexicon) -> Wish:
    """The wish that a text states; UnknownTopic where it names nothing that the library knows."""
    if not plain_name(text):
        raise NotFound("error.topic.missing")
    pace, rest = pace_in(text)
    minutes, rest = minutes_in(rest)
    phrases = phrases_of(rest, lexicon)
    titled = list(dict.fromkeys([*_by_title(rest, shelf), *_by_phrase(phrases, shelf)]))
    subjects = list(dict.fromkeys(item.subject for item in titled))[:1]
    by_name = any(phrase.meaning.by_name for phrase in phrases)
    topics = _topics(phrases, shelf.topics) if by_name else subjects or _topics(phrases, shelf.topics)
    assumed = not topics and _names_no_subject(phrases)
    topics = [_FROM_THE_START] if assumed else topics
    if not topics:
        beginning = tuple(topic for topic in shelf.topics if topic.level == "beginner")[:_MOST_OFFERED]
        raise UnknownTopic(text, lexicon.nearest(text), beginning)
    mentioned = {*topics, *(topic for phrase in phrases if phrase.meaning.by_name for topic in phrase.meaning.topics)}
    return Wish(
        topic=topics[0],
        also=tuple(topics[1:]),
        named=frozenset([item.id for item in titled if mentioned & set(item.topics)][:_MOST_NAMED]),
        level=_level(phrases, topics[0], shelf),
        kinds=frozenset(phrase.meaning.kind for phrase in phrases if phrase.meaning.kind and not phrase.known),
        minutes=minutes,
        only_lang=next((phrase.meaning.lang for phrase in phrases if phrase.meaning.lang), None),
        first=frozenset(
            note for phrase in phrases if phrase.meaning.by_name and not phrase.known for note in phrase.meaning.notes
        ),
        missing=tuple(_missing(text, phrases, shelf)),
        without=frozenset(phrase.meaning.kind for phrase in phrases if phrase.meaning.kind and phrase.known),
        pace=pace,
        assumed=assumed,
    )


def _names_no_subject(phrases: Sequence[Phrase]) -> bool:
    """True if a level or a kind was named, every other word is known, and none of them is a subject."""
    empty = all(phrase.meaning != UNKNOWN or not phrase.text[0].isalnum() for phrase in phrases)
    return empty and any(phrase.meaning.level or phrase.meaning.kind for phrase in phrases)


def _missing(text: str, phrases: Iterable[Phrase], shelf: Shelf) -> Iterator[str]:
    """What was named and has no topic, as it was typed: listed as missing, or a name that no reading's text has."""
    for phrase in phrases:
        found = re.search(r"[\s-]*".join(map(re.escape, phrase.text.replace(" ", ""))), text, re.IGNORECASE)
        typed = found[0] if found else phrase.text
        a_name = phrase.meaning == UNKNOWN and phrase.text not in shelf.vocabulary and _is_a_name(typed, text)
        if not phrase.known and (phrase.meaning.missing or a_name):
            yield typed


def _is_a_name(word: str, text: str) -> bool:
    """True for `MindSpore`; a word that only begins a sentence may be any word."""
    begins_only = text.startswith(word) and text != word and word[1:].islower()
    plain = word.isascii() and all(sign.isalnum() or sign in ".+-" for sign in word)
    return len(word) > 2 and plain and word[0].isalpha() and not word.islower() and not begins_only


def _level(phrases: Iterable[Phrase], topic: str, shelf: Shelf) -> Level | None:
    """The easiest that was named; whoever knows what a topic rests on is no beginner in it."""
    said = [phrase.meaning.level for phrase in phrases if phrase.meaning.level]
    if said:
        return min(said, key=LEVELS.index)
    ground = {topic} | shelf.ancestors.get(topic, frozenset())
    return "intermediate" if any(phrase.known and ground & set(phrase.meaning.topics) for phrase in phrases) else None


def _topics(phrases: Sequence[Phrase], topics: Topics) -> list[str]:
    """The topics that were named, what the wish is about first; without what that one rests on anyway."""
    naming = [phrase for phrase in phrases if phrase.meaning.topics]
    wanted = [phrase for phrase in naming if not phrase.known] or naming
    wanted = [phrase for phrase in wanted if phrase.meaning.by_name] or wanted
    wanted = [phrase for phrase in wanted if not set(phrase.meaning.topics) <= _NO_SUBJECT] or wanted
    if not wanted:
        return []
    head = _head(wanted, topics)
    before = {topic.id for topic in topics.before(head)}
    others = [topic for phrase in wanted for topic in phrase.meaning.topics if topic not in before]
    return list(dict.fromkeys([head, *others]))


def _head(phrases: Sequence[Phrase], topics: Topics) -> str:
    """What the wish is about, of all that it names.

    `compilers for deep learning` is about compilers: what stands before a preposition. `debugging CUDA` is about
    debugging: what rests on the others. `language model inference` is about inference: what is named last.
    """
    first = min(phrase.part for phrase in phrases)
    here = [phrase.meaning.topics[0] for phrase in phrases if phrase.part == first]
    leading = {before.id for name in here for before in topics.before(name)}
    resting = [name for name in here if name not in leading] or here
    return ([name for name in resting if name not in _GIVES_WAY] or resting)[-1]


def _by_title(text: str, shelf: Shelf) -> list[Item]:
    """Our notes whose whole title is in the text, up to its first colon and in any order of words."""
    words, plain = _one_number(_words(text)), plain_name(text)
    found = []
    for item in shelf.items:
        title_en, title_zh = (re.split("[:：（(]", title)[0] for title in (item.title_en, item.title_zh))
        wanted = _one_number(_words(title_en))
        if item.kind == "note" and (
            (len(wanted) > 1 and wanted <= words) or (len(title_zh) > 3 and plain_name(title_zh) in plain)
        ):
            found.append(item)
    return found


def _one_number(words: str) -> set[str]:
    return {word.removesuffix("s") for word in words.split()}


def _by_phrase(phrases: Sequence[Phrase], shelf: Shelf) -> list[Item]:
    """Readings whose titles hold a rare phrase of the text, and the notes behind its terms: of each phrase those that
    the other phrases mean too. Words that are no more than known come before terms.
    """
    meant: dict[int, list[Item]] = {}
    for at, phrase in enumerate(phrases):
        if phrase.meaning.narrow and not phrase.known and len(phrase.text) > 1:
            explained = [shelf.by_id[note] for note in phrase.meaning.notes if note in shelf.by_id]
            holding = _holding(phrase.text, shelf)
            meant[at] = [*explained, *(item for item in holding if len(holding) <= _RARE and item not in explained)]
    known = {at for at in meant if phrases[at].meaning.topics}
    if not known:  # one word of several that are unknown says too little
        meant = {
            at: [item for item in items if all(item in other for other in meant.values())]
            for at, items in meant.items()
        }
    hits = Counter(item.id for items in meant.values() for item in items)
    best = {
        item: at in known
        for at, items in meant.items()
        for item in items
        if hits[item.id] == max(hits[one.id] for one in items)
    }
    return sorted(best, key=lambda item: (-hits[item.id], best[item]))


def _holding(phrase: str, shelf: Shelf) -> list[Item]:
    """By the whole phrase, or by the longest part of a Chinese one that any title has; a name by what texts say."""
    parts = [phrase]
    if has_han(phrase):
        parts = [phrase[at : at + n] for n in range(len(phrase), 1, -1) for at in range(len(phrase) - n + 1)]
    for part in parts:
        if holding := [item for item in shelf.items if not item.stretch and _holds(item, part)]:
            return holding
    return [shelf.by_id[id_] for id_ in shelf.names.get(phrase, ()) if id_ in shelf.by_id]


def _holds(item: Item, phrase: str) -> bool:
    """True if a title or the id has the phrase; a word of Latin letters has to stand there whole."""
    if len(phrase) < 2:
        return False
    texts = (item.title_en, item.title_zh, item.id.replace("-", " "))
    if has_han(phrase):
        wanted = plain_name(phrase)
        return any(wanted in plain_name(text) for text in texts)
    return any(f" {phrase} " in f" {_words(text)} " for text in texts)


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())
