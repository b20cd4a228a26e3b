"""What a member wants to read, out of what they typed: subjects, level, kind, time and language, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge.content import LEVELS, Level, Topic, Topics
from knowledge.content.topics import plain_name
from knowledge.errors import NotFound
from knowledge.recommend.lexicon import UNKNOWN, Lexicon
from knowledge.recommend.phrases import Phrase, minutes_in, number_in, pace_in, phrases_of
from knowledge.recommend.request import THE_FIELD, Subject
from knowledge.recommend.shelf import Shelf
from knowledge.recommend.subjects import is_compared, subjects_of, telling, typed

_MOST_OFFERED = 4
_FROM_THE_START = THE_FIELD
"""`which book for beginners` names no subject: what the library is about, from its start."""
_PAST_THE_START = frozenset({"cuda-basics", "study-guides"})
_AFTER_THE_START = ("kernel-optimization", "profiling", "gemm", "triton")
"""What comes next for who is through with a course or a book on CUDA, and names no subject."""
_OF_GPUS = frozenset({"cuda", "performance"})
"""Areas of which nobody knows a part who is a beginner elsewhere in the field."""
_GIVES_WAY = frozenset({"kernel-optimization"})
"""`GEMM optimization` is about GEMM."""


@dataclass(frozen=True, slots=True)
class Wish:
    topic: str
    also: tuple[str, ...] = ()
    """Other topics that were named, in the order of the text."""
    subjects: tuple[Subject, ...] = ()
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
    behind: frozenset[str] = frozenset()
    """Ids of readings on what the member has behind them."""
    bridges: frozenset[str] = frozenset()
    """Ids of readings that begin where the member comes from."""
    suited: frozenset[str] = frozenset()
    """Those, and what is as they wish it: with exercises, with pictures."""
    pace: str = ""
    """Time that a list cannot hold, as it was typed: `an hour a week`."""
    assumed: bool = False
    """No subject was named."""
    compared: bool = False
    """Which of several comes first is asked."""
    hints: frozenset[str] = frozenset()
    """Topics that were named beside what the wish is about: `optimization`."""
    most: int | None = None
    """How many readings were asked for."""
    each: bool = False
    """One reading on each subject is enough."""


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
    subjects = subjects_of(rest, phrases, shelf)
    topics = _topics(phrases, subjects, shelf.topics)
    assumed = not topics and _names_no_subject(phrases)
    topics = [_FROM_THE_START] if assumed else _with_the_shared_first(topics, subjects, shelf)
    if not topics:
        beginning = tuple(topic for topic in shelf.topics if topic.level == "beginner")[:_MOST_OFFERED]
        raise UnknownTopic(text, lexicon.nearest(text), beginning)
    signs = {phrase.meaning.sign for phrase in phrases}
    wanted = [phrase for phrase in phrases if phrase.wanted]
    bridges = frozenset(
        id_ for phrase in phrases if not phrase.unwanted for id_ in shelf.here(phrase.meaning.bridges)
    )
    return Wish(
        topic=topics[0],
        also=tuple(topics[1:]),
        subjects=subjects,
        level=_level(phrases, topics[0], shelf),
        kinds=frozenset() if is_compared(phrases) else _kinds(wanted),
        minutes=minutes,
        only_lang=_language(phrases),
        first=frozenset(note for phrase in wanted if phrase.meaning.by_name for note in phrase.meaning.notes),
        missing=tuple(_missing(text, phrases, shelf)),
        without=frozenset(phrase.meaning.kind for phrase in phrases if phrase.meaning.kind and phrase.unwanted),
        behind=_behind(phrases, topics, shelf),
        bridges=bridges,
        suited=bridges
        | {id_ for one in wanted if one.meaning.sign == "quality" for id_ in shelf.here(one.meaning.links)},
        pace=pace,
        assumed=assumed,
        compared=is_compared(phrases) and len(subjects) > 1,
        hints=frozenset(one for phrase in wanted if phrase.meaning.sign == "broad" for one in phrase.meaning.topics),
        most=number_in(rest),
        each="each" in signs,
    )


def _names_no_subject(phrases: Sequence[Phrase]) -> bool:
    """True if a level, a kind or a background was named, and every other word is known or the background is."""
    empty = not any(_is_unknown(phrase) for phrase in phrases)
    comes_from = any(phrase.known and phrase.meaning.bridges for phrase in phrases)
    return comes_from or (empty and any(phrase.meaning.level or phrase.meaning.kind for phrase in phrases))


def _is_unknown(phrase: Phrase) -> bool:
    return phrase.meaning == UNKNOWN and phrase.text[0].isalnum()


def _kinds(wanted: Iterable[Phrase]) -> frozenset[str]:
    """The kinds that are wanted; `a book with exercises` is no problem, and a post may call itself an article."""
    kinds = {phrase.meaning.kind for phrase in wanted if phrase.meaning.kind}
    if len(kinds) > 1:
        kinds -= {"problem"}
    return frozenset(kinds | {"article"} if "blog" in kinds else kinds)


def _behind(phrases: Iterable[Phrase], goals: Sequence[str], shelf: Shelf) -> frozenset[str]:
    """What is known by name, and what is on a topic that is known; of a goal's own topic only what begins it."""
    known = [phrase.meaning for phrase in phrases if not phrase.wanted and not phrase.meaning.bridges]
    named = {id_ for meaning in known for id_ in shelf.here((*meaning.notes, *meaning.links))}
    topics = {topic for meaning in known if meaning.by_name for topic in meaning.topics}
    on_them = (item for item in shelf.items if item.subject in topics)
    return frozenset(named | {item.id for item in on_them if item.level == "beginner" or item.subject not in goals})


def _language(phrases: Sequence[Phrase]) -> str | None:
    """The language that the readings are to be in; `nothing in Chinese` says the other one."""
    named = [(phrase.meaning.lang, phrase.unwanted) for phrase in phrases if phrase.meaning.lang]
    wanted = {lang for lang, unwanted in named if not unwanted}
    if len(wanted) > 1:
        return None
    unwanted = [lang for lang, not_that in named if not_that]
    return next(iter(wanted), None) or next(("en" if lang == "zh" else "zh" for lang in unwanted), None)


def _missing(text: str, phrases: Iterable[Phrase], shelf: Shelf) -> Iterator[str]:
    """What was named and has no topic, as it was typed: listed as missing, or a name that no reading's text has."""
    before = ""
    for phrase in phrases:
        from_there, before = before in {"from", "at", "by"}, phrase.text
        name = typed(phrase.text, text)
        a_name = phrase.meaning == UNKNOWN and phrase.text not in shelf.vocabulary and _is_a_name(name, text)
        if phrase.wanted and (phrase.meaning.missing or (a_name and not from_there)):
            yield name


def _is_a_name(word: str, text: str) -> bool:
    """True for `MindSpore`; a word that only begins a sentence may be any word."""
    begins_only = text.startswith(word) and text != word and word[1:].islower()
    plain = word.isascii() and all(sign.isalnum() or sign in ".+-" for sign in word)
    return len(word) > 2 and plain and word[0].isalpha() and not word.islower() and not begins_only


def _level(phrases: Iterable[Phrase], topic: str, shelf: Shelf) -> Level | None:
    """The easiest that was named; whoever knows what a topic rests on is no beginner in it."""
    behind = [phrase.meaning for phrase in phrases if phrase.known and not phrase.meaning.apart]
    known = {topic for meaning in behind if not meaning.bridges for topic in meaning.topics}
    said = {phrase.meaning.level for phrase in phrases if phrase.meaning.level and phrase.wanted}
    if {"beginner", "advanced"} <= said:  # from the start to the end
        return None
    if said:
        return min(said, key=LEVELS.index)
    at_work = {name for name in known if shelf.topics[name].area in _OF_GPUS and name not in _PAST_THE_START}
    if not known & ({topic} | shelf.ancestors.get(topic, frozenset())) and not at_work:
        return None
    hard = topic in known and shelf.topics[topic].level == "advanced"
    return "advanced" if hard else "intermediate"


def _topics(phrases: Sequence[Phrase], subjects: Sequence[Subject], topics: Topics) -> list[str]:
    """The topics that were named, what the wish is about first; without what that one rests on anyway."""
    wanted = telling(phrases)
    only_kinds = all(phrase.meaning.kind for phrase in wanted)
    if wanted and only_kinds and any(_is_unknown(phrase) and phrase.wanted for phrase in phrases):
        return []  # `gardening books`
    if not wanted:
        return _next_topics(phrases) or [subject.topic for subject in subjects][:1]
    if not any(phrase.meaning.by_name for phrase in wanted) and subjects:
        return [subjects[0].topic]
    wanted = [phrase for phrase in wanted if phrase.meaning.by_name] or wanted
    head = _head(wanted, topics)
    before = {topic.id for topic in topics.before(head)}
    others = [topic for phrase in wanted for topic in phrase.meaning.topics if topic not in before]
    return list(dict.fromkeys([head, *others]))


def _with_the_shared_first(topics: list[str], subjects: Sequence[Subject], shelf: Shelf) -> list[str]:
    """The topic of a reading that several subjects name stands first: `scheduling` in serving is of serving."""
    hits = Counter(item for subject in subjects for item in subject.items)
    shared = [shelf.by_id[item].subject for item, times in hits.most_common() if times > 1]
    return list(dict.fromkeys([*shared[:1], *topics]))


def _next_topics(phrases: Iterable[Phrase]) -> list[str]:
    """What comes after what is known, where nothing else was named."""
    known = [topic for phrase in phrases if phrase.known for topic in phrase.meaning.topics]
    if any(topic in _PAST_THE_START for topic in known):
        return list(_AFTER_THE_START)
    return list(dict.fromkeys(known))


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
