"""What a message asks for, told before any search by the words of the word files.

A message is read from left to right in phrases of `asked.toml`, every language at once, and in names of topics and
terms. Most intents hold only where nothing of the message is left over, so that a real question is never taken for
something else: `hi` is a greeting, and `why does a warp say hi` is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from knowledge.ask.pasted_code import Mistake, mistakes_in
from knowledge.ask.pasted_error import telling_part
from knowledge.ask.topic_notes import TopicNotes
from knowledge.content import Content, Definition, Level
from knowledge.content.names import level_names, topic_named
from knowledge.content.topics import names as names_of_topic
from knowledge.definitions import definition_of
from knowledge.errors import NotFound
from knowledge.figures import FiguresAnswer, answer_figures, worked
from knowledge.text.chat import spelled_out
from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table

Intent = Literal[
    "question", "definition", "figures", "code", "material", "error", "group",
    "greeting", "thanks", "farewell", "wellbeing", "praise", "complaint",
    "abilities", "identity", "maker", "sources", "memory", "report",
    "submitting", "recommending", "languages", "limits",
    "current_or_future", "not_shown", "other_people", "beside", "other_work",
]  # fmt: skip
TABLE = "asked.toml"
FIRST_TOPIC = "cuda-basics"
"""Where somebody starts who names no topic."""
LONGEST = 400
"""Characters of a message that is read in phrases; what is longer is a question or a pasted error."""
_UNIT = re.compile(r"[a-z0-9_+#'][a-z0-9_+#'.]*|[\u4e00-\u9fff]")
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
"""`hiii`, `thxxx`: no word has a letter three times in a row."""
_CLAUSE = re.compile(r"[,.!?;。\n]+")
_AFTER = {n: re.compile(rf"^(?:\W*(?:[A-Za-z]+|[\u4e00-\u9fff])){{{n}}}\s*") for n in (1, 2, 3)}
TALK: tuple[Intent, ...] = ("greeting", "thanks", "farewell", "wellbeing", "praise", "complaint")
ABOUT_US: tuple[Intent, ...] = (
    "abilities", "identity", "maker", "sources", "memory", "report",
    "submitting", "recommending", "languages", "limits",
)  # fmt: skip
"""Questions about warpmate itself."""
SMALL_TALK = (*TALK, *ABOUT_US)
"""What gets a sentence of ours. Nobody is asked what they think of it."""
UNKNOWABLE: tuple[Intent, ...] = ("current_or_future", "not_shown", "other_people")
"""What no library can know: prices and news, the asker's own machine and code, what others earn, think and decide."""
ELSEWHERE: tuple[Intent, ...] = ("beside", "other_work")
"""What has nothing to do with the field, and work that is not ours."""
_BY_PHRASES: tuple[Intent, ...] = ("thanks", "greeting", "abilities")
"""What phrases tell where they fill a whole message; the first that does decides."""
_OF_A_GROUP = frozenset({"group", "group_asks", "group_itself", "filler", "greeting", "wish", "thing"})
_NO_SUBJECT = frozenset({"filler", "thing"})
"""What names a topic as well, and is not meant so: `course` names that of courses."""
_WORDS_BETWEEN = 4
"""`any good CUDA book`: so many phrases may stand between what is wished and the thing."""

_Units = tuple[str, ...]
_Phrases = Mapping[_Units, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to read: about a topic, of a level and of kinds, as far as they were named."""

    topic: str
    level: Level | None = None
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """A message as it was understood before any search."""

    intent: Intent = "question"
    definition: Definition | None = None
    note: str = ""
    """Slug of the note whose first sentences define what was asked for."""
    figures: FiguresAnswer | None = None
    wish: Wish | None = None
    search_for: str = ""
    """Of a pasted error: the words to look it up by."""
    mistakes: tuple[Mistake, ...] = ()
    """What is wrong in pasted code."""


@dataclass(frozen=True, slots=True)
class _Read:
    """One phrase of a message, by all that it can be."""

    units: _Units
    kinds: frozenset[str]


class Intents:
    """Tells messages apart; made once for a content."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._notes = TopicNotes(content)
        self._subjects = _subjects(content)
        self._longest = max(map(len, (*self._subjects, *_phrases())))

    def of(self, message: str) -> Asked:
        if asked := self._definition(message):
            return asked
        if figures := answer_figures(message) or worked(message):
            return Asked("figures", figures=figures)
        if mistakes := mistakes_in(message):
            return Asked("code", mistakes=mistakes)
        if telling := telling_part(message):
            return Asked("error", search_for=telling)
        read = self._read(message) if len(message) <= LONGEST else ()
        for intent in _BY_PHRASES:
            if _filled(read, intent, allowed={"filler"}):
                return Asked(intent)
        if _asks_of_group(read):
            return Asked("group")
        wish = self._wish(read)
        return Asked("material", wish=wish) if wish else Asked()

    def _definition(self, message: str) -> Asked | None:
        """Of the message as it stands, then without chat spelling and without a greeting or an `and` before it."""
        for text in (message, spelled_out(fold(message)), _without_lead_in(message)):
            if definition := definition_of(text, self._content.definitions) if text else None:
                return Asked("definition", definition=definition)
        found = self._notes.asked_for(message)
        if isinstance(found, str):
            return Asked("definition", note=found)
        return Asked("definition", definition=found) if found else None

    def _read(self, message: str) -> tuple[_Read, ...]:
        """The longest phrases from left to right; a unit of none of them is a phrase that can be nothing."""
        units, at, read = _units(message), 0, []
        while at < len(units):
            length = next(
                (n for n in range(min(self._longest, len(units) - at), 1, -1) if self._kinds(units[at : at + n])), 1
            )
            part = units[at : at + length]
            read.append(_Read(part, self._kinds(part)))
            at += length
        return tuple(read)

    def _kinds(self, units: _Units) -> frozenset[str]:
        kinds = _phrases().get(units, frozenset())
        return kinds | {"subject"} if units in self._subjects else kinds

    def _topic(self, units: _Units) -> str:
        """Of the topic with this name, or one near it; else of the note that says more of the term."""
        name, of_note = self._subjects[units]
        try:
            return of_note if self._content.topics.named(name) else topic_named(self._content.topics, name).id
        except NotFound:
            return of_note

    def _wish(self, read: Sequence[_Read]) -> Wish | None:
        """Something to read, where a thing to read is wished for, or a way to learn and nothing else is asked."""
        allowed = {"filler", "subject", "level", "greeting", "thing", "wish", "learning"}
        learns = _filled(read, "learning", allowed=allowed) or _names_a_thing(read, allowed)
        things = [read[at] for at in _things(read)] if learns else _things_wished(read)
        if not learns and not things:
            return None
        subjects = [part for part in read if part.units in self._subjects and not part.kinds & _NO_SUBJECT]
        if not subjects and not all(part.kinds for part in read):
            return None  # about something that no topic knows
        levels = [level_names()[plain] for part in read if (plain := "".join(part.units)) in level_names()]
        kinds = {kind.removeprefix("thing.") for thing in things for kind in thing.kinds if kind.startswith("thing.")}
        return Wish(
            topic=self._topic(_head(read, subjects).units) if subjects else FIRST_TOPIC,
            level=levels[0] if levels else None,
            kinds=frozenset(kinds - {"any"}),
        )


def _filled(read: Sequence[_Read], kind: str, *, allowed: set[str]) -> bool:
    """Whether the message says this and, beside it, only what is allowed."""
    return any(kind in part.kinds for part in read) and all(part.kinds & {kind, *allowed} for part in read)


def _names_a_thing(read: Sequence[_Read], allowed: set[str]) -> bool:
    """`beginner course on deep learning`: nothing but the thing, with its level or what it is about."""
    said = any(part.kinds & {"level", "subject"} for part in read)
    return said and bool(_things(read)) and _filled(read, "thing", allowed=allowed)


def _head(read: Sequence[_Read], subjects: Sequence[_Read]) -> _Read:
    """The first subject; of several side by side, such as `language model inference`, the last."""
    at = read.index(subjects[0])
    while at + 1 < len(read) and read[at + 1] in subjects:
        at += 1
    return read[at]


def _asks_of_group(read: Sequence[_Read]) -> bool:
    if not all(part.kinds & _OF_A_GROUP for part in read):
        return False
    said = frozenset[str]().union(*(part.kinds for part in read))
    return "group" in said or {"group_asks", "group_itself"} <= said


def _things_wished(read: Sequence[_Read]) -> list[_Read]:
    """Things to read with a wish close by."""
    wishes = [at for at, part in enumerate(read) if "wish" in part.kinds]
    return [read[at] for at in _things(read) if any(_close(read, at, wish) for wish in wishes if wish != at)]


def _things(read: Sequence[_Read]) -> list[int]:
    """Where things to read are named; `the tutorial` is one that somebody has already."""
    named = [at for at, part in enumerate(read) if "thing" in part.kinds]
    return [at for at in named if not (at and "pointed" in read[at - 1].kinds)]


def _close(read: Sequence[_Read], one: int, other: int) -> bool:
    between = read[min(one, other) + 1 : max(one, other)]
    return len(between) <= _WORDS_BETWEEN and all(part.kinds for part in between)


def _without_lead_in(message: str) -> str:
    """The message from its second clause on where the first one greets, or after an `and` or `what about`."""
    folded = fold(message).strip()
    for mark in _CLAUSE.finditer(folded):
        if "greeting" in _phrases().get(_units(folded[: mark.start()]), frozenset()):
            return folded[mark.end() :]
        break
    units = _units(folded)
    for length in (3, 2, 1):
        if "lead_in" in _phrases().get(units[:length], frozenset()):
            return _AFTER[length].sub("", folded)
    return ""


def _units(text: str) -> _Units:
    return tuple(unit.rstrip(".") for unit in _UNIT.findall(_DRAWN_OUT.sub(r"\1", fold(text).lower())))


def _subjects(content: Content) -> Mapping[_Units, tuple[str, str]]:
    """Every name of a topic, and of every term with a note that says more of it: as it is written, and the topic."""
    of_note = {note.slug: note.topics[0] for note in reversed(content.notes)}
    terms = [
        (name, of_note[one.note])
        for one in content.definitions
        if one.note in of_note
        for name in (*one.term.en, *one.term.zh)
    ]
    topics = [(name, topic.id) for topic in content.topics for name in names_of_topic(topic)]
    named = {units: (name, topic) for name, topic in (*terms, *topics) if (units := _units(name))}
    plurals = {(*units[:-1], f"{units[-1]}s"): of for units, of in named.items() if units[-1].isascii()}
    return MappingProxyType(plurals | named)


@cache
def _phrases() -> _Phrases:
    """Every phrase of every language with all that it can be."""
    found: dict[_Units, set[str]] = {}
    for phrase, kind in _typed():
        found.setdefault(_units(phrase), set()).add(kind)
    return MappingProxyType({units: frozenset(kinds) for units, kinds in found.items() if units})


def _typed() -> Iterator[tuple[str, str]]:
    for code in language_codes():
        for kind, said in read_table(FOLDER / code / "asked.toml").get("message", {}).items():
            if isinstance(said, list):
                yield from ((phrase, kind) for phrase in said)
            else:
                yield from _kinds_of_things(said)
    yield from ((name, "level") for name in level_names())


def _kinds_of_things(said: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    for kind, phrases in said.items():
        for phrase in phrases:
            yield phrase, "thing"
            yield phrase, f"thing.{kind}"
