"""What a member wants to read, out of what they typed: subjects, level, kind, time and language, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from knowledge.content import LEVELS, Level, Topic, Topics
from knowledge.content.topics import plain_name
from knowledge.errors import NotFound
from knowledge.recommend.excluded import excluded, kinds_without, of_other_makers
from knowledge.recommend.languages import language_in
from knowledge.recommend.lexicon import UNKNOWN, Lexicon, Meaning
from knowledge.recommend.phrases import Phrase, is_brief, minutes_in, number_in, pace_in, phrases_of
from knowledge.recommend.request import THE_FIELD, Subject
from knowledge.recommend.shelf import Shelf
from knowledge.recommend.subjects import NO_SUBJECT, is_compared, subjects_of, telling, typed
from knowledge.recommend.unheld import missing_in, works_missing
from knowledge.text.language import has_han

Near = Callable[[str], Mapping[str, float]]
"""How near readings are to a text, by their ids."""
_NEAR = 0.42
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
    against: frozenset[str] = frozenset()
    """Ids of the readings on what is not wanted."""
    unwanted: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    """What is not wanted, and what the member has behind them, as it was typed."""
    without_levels: frozenset[Level] = frozenset()
    """Levels that are not wanted."""
    sought: tuple[str, ...] = ()
    """Ids of the readings whose title or author was named."""
    near: Mapping[str, float] = field(default_factory=dict)
    """How near readings are to what is meant, from 0 to 1, by their ids."""
    free: bool = False
    """In words of their own, not a topic's name."""
    vague: bool = False
    """Of what was named, the library knows nothing but the field itself."""
    gap: bool = False
    """Only a subject was named that is of another field."""
    then: frozenset[str] = frozenset()
    """Kinds that are to come after the others: `a gentle text, then the papers`."""
    order: str = ""
    """How the list is to stand: `oldest` or `newest` first, or in `steps` from the easiest."""
    official: bool = False
    """By whoever makes the thing."""
    brief: bool = False
    """Nothing that takes days."""


class UnknownTopic(NotFound):
    """Nothing that was typed names a topic; offers the nearest."""

    def __init__(self, name: str, nearest: tuple[Topic, ...], beginning: tuple[Topic, ...]) -> None:
        sentence = "error.topic.unknown" if nearest else "error.topic.nothing_near"
        self.offered = nearest or beginning
        super().__init__(sentence, name=name[:60], nearest=tuple(topic.title for topic in self.offered))


def wish_of(text: str, shelf: Shelf, lexicon: Lexicon, near: Near | None = None) -> Wish:
    """The wish that a text states; UnknownTopic where it names nothing that the library knows, nor comes near to."""
    if not plain_name(text):
        raise NotFound("error.topic.missing")
    only_lang, rest = language_in(text)
    brief = is_brief(rest)
    pace, rest = pace_in(rest)
    minutes, rest = minutes_in(rest)
    most, rest = number_in(rest)
    phrases = phrases_of(rest, lexicon)
    subjects = subjects_of(rest, phrases, shelf)
    topics = _topics(phrases, subjects, shelf.topics)
    assumed = not topics and _names_no_subject(phrases)
    topics = [_FROM_THE_START] if assumed else _with_the_shared_first(topics, subjects, shelf)
    meant = words_of_what_is_meant(phrases)
    by_meaning = near(meant) if near and meant and _says_more_than_the_field(phrases) else {}
    missing, vague, gap = _not_here(text, phrases, subjects, shelf, assumed=assumed)
    if not topics:
        vague = vague or bool(missing)
        topics = [THE_FIELD] if missing else _nearest_topic(by_meaning, shelf)
    if not topics:
        beginning = tuple(topic for topic in shelf.topics if topic.level == "beginner")[:_MOST_OFFERED]
        raise UnknownTopic(text, lexicon.nearest(text), beginning)
    heard = _heard(phrases, topics, shelf, lexicon)
    return replace(
        heard,
        subjects=subjects,
        minutes=minutes,
        missing=missing,
        unwanted=_as_typed((one for one in phrases if one.unwanted), text),
        known=_as_typed((one for one in phrases if one.known), text),
        only_lang=only_lang or heard.only_lang,
        near=by_meaning,
        vague=vague,
        gap=gap,
        brief=brief or heard.brief,
        pace=pace,
        assumed=assumed,
        compared=is_compared(phrases) and len(subjects) > 1,
        most=most,
    )


def _heard(phrases: Sequence[Phrase], topics: Sequence[str], shelf: Shelf, lexicon: Lexicon) -> Wish:
    """What the phrases say besides the subjects."""
    wanted = [phrase for phrase in phrases if phrase.wanted]
    signs = {phrase.meaning.sign for phrase in wanted}
    later = _later(phrases)
    bridges = frozenset(
        id_ for phrase in phrases if not phrase.unwanted for id_ in shelf.here(phrase.meaning.bridges)
    )
    return Wish(
        topic=topics[0],
        also=tuple(topics[1:]),
        level=_level(phrases, topics[0], shelf),
        kinds=frozenset() if is_compared(phrases) else _kinds_at_first(wanted, later),
        then=later,
        order=next((one.meaning.order for one in phrases if one.meaning.order), ""),
        official="official" in signs,
        brief="brief" in signs,
        only_lang=_language(phrases),
        first=frozenset(note for phrase in wanted if phrase.meaning.by_name for note in phrase.meaning.notes),
        without=kinds_without(phrases),
        against=excluded(phrases, topics, shelf, lexicon.makers),
        without_levels=frozenset(one.meaning.level for one in phrases if one.meaning.level and one.unwanted),
        sought=tuple(dict.fromkeys(id_ for one in wanted for id_ in shelf.here(one.meaning.sought))),
        behind=_behind(phrases, topics, shelf),
        bridges=bridges,
        suited=bridges
        | of_other_makers(phrases, shelf, lexicon.makers)
        | {id_ for one in wanted if _is_a_quality(one.meaning) for id_ in shelf.here(one.meaning.links)},
        hints=frozenset(one for phrase in wanted if phrase.meaning.sign == "broad" for one in phrase.meaning.topics),
        each=any(phrase.meaning.sign == "each" for phrase in phrases),
    )


def words_of_what_is_meant(phrases: Sequence[Phrase]) -> str:
    """The words that say what the readings are to be about, to be compared by meaning."""
    said = [phrase for phrase in phrases if phrase.wanted and any(sign.isalpha() for sign in phrase.text)]
    said = [one for one in said if _is_a_subject(one.meaning)] or said
    if any(one.meaning.topics and one.meaning.sign != "broad" for one in said):
        said = [one for one in said if one.meaning.sign != "broad"]
    return " ".join(phrase.text for phrase in said if phrase.meaning.topics or not _is_said_otherwise(phrase))


def _is_a_subject(meaning: Meaning) -> bool:
    """False for `course`, which only names guides to the field; true for `interview`, on which there are some."""
    return not meaning.topics or bool(set(meaning.topics) - NO_SUBJECT or meaning.notes or meaning.links)


def _says_more_than_the_field(phrases: Sequence[Phrase]) -> bool:
    """False for `CUDA` and `GPU programming`, to which everything here is near."""
    said = [phrase for phrase in phrases if phrase.wanted and not _is_said_otherwise(phrase)]
    return any(any(sign.isalpha() for sign in phrase.text) for phrase in said)


def _is_said_otherwise(phrase: Phrase) -> bool:
    meaning = phrase.meaning
    unread = meaning == UNKNOWN and has_han(phrase.text) and len(phrase.text) < 2
    said = meaning.sign or meaning.kind or meaning.lang or meaning.level or meaning.burdens or meaning.order
    return bool(said or unread or meaning.gap in {"language", "kind"})


def _nearest_topic(near: Mapping[str, float], shelf: Shelf) -> list[str]:
    """The topic of the reading that comes nearest, where one comes near."""
    here = {name: nearness for name, nearness in near.items() if name in shelf.by_id and nearness >= _NEAR}
    return [shelf.by_id[max(here, key=lambda name: here[name])].subject] if here else []


def _is_vague(phrases: Sequence[Phrase], subjects: Sequence[Subject]) -> bool:
    """True where something was named besides the field, and no subject of it is known."""
    if any(one.narrow or (one.whole and one.topic != THE_FIELD) for one in subjects):
        return False
    named = [one for one in phrases if one.wanted and one.meaning.topics and one.meaning.sign != "broad"]
    return not any(one.meaning.by_name for one in named) and any(_is_unknown(one) and one.wanted for one in phrases)


def _as_typed(phrases: Iterable[Phrase], text: str) -> tuple[str, ...]:
    """Those of the phrases that name something, each once."""
    named = (one for one in phrases if one.meaning.sign in {None, "broad"} and _names_something(one.meaning))
    return tuple(dict.fromkeys(typed(one.text, text) for one in named))


def _names_something(meaning: Meaning) -> bool:
    return bool(meaning.topics or meaning.links or meaning.makers or meaning.burdens or meaning.kind)


def _names_no_subject(phrases: Sequence[Phrase]) -> bool:
    """True if a level, a kind or a background was named, and every other word is known or the background is."""
    empty = not any(_is_unknown(phrase) or phrase.meaning.gap == "subject" for phrase in phrases)
    comes_from = any(phrase.known and phrase.meaning.bridges for phrase in phrases)
    asked = any(one.meaning.level or one.meaning.kind or one.meaning.sign == "intent" for one in phrases)
    return comes_from or (empty and (asked or len(phrases) > 1))


def _is_unknown(phrase: Phrase) -> bool:
    return phrase.meaning == UNKNOWN and phrase.text[0].isalnum()


def _kinds(wanted: Iterable[Phrase]) -> frozenset[str]:
    """The kinds that are wanted; `a book with exercises` is no problem, and a post may call itself an article."""
    kinds = {phrase.meaning.kind for phrase in wanted if phrase.meaning.kind}
    if len(kinds) > 1:
        kinds -= {"problem"}
    also = {"blog": "article", "docs": "reference"}
    return frozenset(kinds | {other for kind, other in also.items() if kind in kinds})


def _not_here(
    text: str, phrases: Sequence[Phrase], subjects: Sequence[Subject], shelf: Shelf, *, assumed: bool
) -> tuple[tuple[str, ...], bool, bool]:
    """What is missing; whether nothing but the field is left of the wish; whether only another field was named."""
    gaps = {one.text: one.meaning.gap for one in phrases if one.wanted and one.meaning.gap}
    gap = "subject" in gaps.values() and not _is_on_the_field(subjects)
    vague = gap or (not assumed and _is_vague(phrases, subjects))
    missing = missing_in(text, phrases, shelf, vague=vague)
    works = works_missing(text, phrases, shelf)
    named = [one for one in missing if one not in works and gaps.get(one.casefold()) not in {"language", "kind"}]
    sought = any(one.meaning.sought for one in phrases if one.wanted)
    of_the_field = all(one.topic in {THE_FIELD, *NO_SUBJECT} for one in subjects)
    return missing, bool(vague or (named and of_the_field and not sought)), gap


def _is_a_quality(meaning: Meaning) -> bool:
    return meaning.sign == "quality" or meaning.kind == "problem"


def _later(phrases: Sequence[Phrase]) -> frozenset[str]:
    """The kinds that are named after `then`."""
    begins = next((at for at, one in enumerate(phrases) if one.meaning.sign == "then"), len(phrases))
    return _kinds(one for one in phrases[begins:] if one.wanted)


def _kinds_at_first(wanted: Sequence[Phrase], later: frozenset[str]) -> frozenset[str]:
    """All kinds, where some are named to begin with too; none where only what comes later was named."""
    kinds = _kinds(wanted)
    return kinds if kinds - later else frozenset()


def _is_on_the_field(subjects: Sequence[Subject]) -> bool:
    """Whether anything of this field was named, besides the field itself."""
    return any(one.narrow or one.topic not in {THE_FIELD, *NO_SUBJECT} for one in subjects)


def _behind(phrases: Iterable[Phrase], goals: Sequence[str], shelf: Shelf) -> frozenset[str]:
    """What is known by name, and what is on a topic that is known; of a goal's own topic only what begins it."""
    known = [phrase.meaning for phrase in phrases if phrase.known and not phrase.meaning.bridges]
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


def _level(phrases: Iterable[Phrase], topic: str, shelf: Shelf) -> Level | None:
    """The easiest that was named; whoever knows what a topic rests on is no beginner in it."""
    behind = [phrase.meaning for phrase in phrases if phrase.known and not phrase.meaning.apart]
    known = {topic for meaning in behind if not meaning.bridges for topic in meaning.topics}
    said = {phrase.meaning.level for phrase in phrases if phrase.meaning.level and phrase.wanted}
    in_steps = any(phrase.meaning.order == "steps" for phrase in phrases)
    if {"beginner", "advanced"} <= said or (in_steps and said == {"advanced"}):  # from the start to the end
        return None
    if said:
        return min(said, key=LEVELS.index)
    if "beginner" in {phrase.meaning.level for phrase in phrases if phrase.unwanted}:
        return "advanced" if shelf.topics[topic].level == "advanced" else "intermediate"
    if any(phrase.meaning.sign == "ignorant" for phrase in phrases):
        return "beginner"
    if topic in _AFTER_THE_START and _is_past_the_start(phrases):
        return "intermediate"
    at_work = {name for name in known if shelf.topics[name].area in _OF_GPUS and name not in _PAST_THE_START}
    if not known & ({topic} | shelf.ancestors.get(topic, frozenset())) and not at_work:
        return None
    hard = topic in known and shelf.topics[topic].level == "advanced"
    return "advanced" if hard else "intermediate"


def _topics(phrases: Sequence[Phrase], subjects: Sequence[Subject], topics: Topics) -> list[str]:
    """The topics that were named, what the wish is about first; without what that one rests on anyway."""
    wanted = telling(phrases)
    if _is_past_the_start(phrases) and wanted and all(phrase.meaning.sign == "broad" for phrase in wanted):
        return list(_AFTER_THE_START)
    only_kinds = all(phrase.meaning.kind for phrase in wanted)
    if wanted and only_kinds and any(_is_unknown(phrase) and phrase.wanted for phrase in phrases):
        return []  # `gardening books`
    if not wanted:
        return _next_topics(phrases, topics) or [subject.topic for subject in subjects][:1]
    if not any(phrase.meaning.by_name for phrase in wanted) and subjects:
        return [subjects[0].topic]
    wanted = [phrase for phrase in wanted if phrase.meaning.by_name] or wanted
    head = _head(wanted, topics)
    before = {topic.id for topic in topics.before(head)}
    others = [topic for phrase in wanted for topic in phrase.meaning.topics if topic not in before]
    return list(dict.fromkeys([head, *others]))


def _is_past_the_start(phrases: Iterable[Phrase]) -> bool:
    """Whether the member is through with a course or a book from the start."""
    known = [phrase.meaning for phrase in phrases if phrase.known and not phrase.meaning.bridges]
    return any(meaning.links and set(meaning.topics) & _PAST_THE_START for meaning in known)


def _with_the_shared_first(topics: list[str], subjects: Sequence[Subject], shelf: Shelf) -> list[str]:
    """The topic of a reading that several subjects name stands first: `scheduling` in serving is of serving."""
    hits = Counter(item for subject in subjects for item in subject.items)
    shared = [shelf.by_id[item].subject for item, times in hits.most_common() if times > 1]
    return list(dict.fromkeys([*shared[:1], *topics]))


def _next_topics(phrases: Iterable[Phrase], topics: Topics) -> list[str]:
    """What comes after what is known, where nothing else was named: the topics that rest on it."""
    known = [topic for phrase in phrases if phrase.known for topic in phrase.meaning.topics]
    if any(topic in _PAST_THE_START for topic in known):
        return list(_AFTER_THE_START)
    after = [topic.id for topic in topics if set(topic.needs) & set(known) and topic.id not in known]
    return after[:_MOST_OFFERED] or list(dict.fromkeys(known))


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
