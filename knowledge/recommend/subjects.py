"""What a wish is about: each thing that was named, with the readings on that very thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from knowledge.content.topics import plain_name
from knowledge.recommend.phrases import LIST_SIGN, Phrase
from knowledge.recommend.request import THE_FIELD, Subject
from knowledge.recommend.shelf import Item, Shelf, one_number, words_of
from knowledge.text.fold import fold
from knowledge.text.language import has_han

_RARE = 4
"""A phrase in no more titles than this names the readings that it stands in."""
_MOST_BY_TITLE = 4
_LEAST_SIGNS = 3
"""Two Chinese signs stand in too many titles by chance."""
_ASKING = frozenset({"what", "how", "why", "i", "a", "the", "to", "do", "doe", "it", "on"})
"""Words of a title that say nothing of what it is on; `i` is `is` without its last letter."""
NO_SUBJECT = frozenset({"study-guides"})
"""`resources to learn CUDA` is about CUDA."""


def subjects_of(text: str, phrases: Sequence[Phrase], shelf: Shelf) -> tuple[Subject, ...]:
    """Each subject once, in the order of the text; what only names the field gives way to anything else."""
    found = [
        replace(one, text=typed(one.text, text)) for each in telling(phrases) if (one := _of_phrase(each, shelf))
    ]
    rest = text
    for phrase in phrases:
        rest = rest if phrase.wanted or len(phrase.text) < 4 else rest.replace(typed(phrase.text, text), " ")
    for subject in found:
        rest = rest.replace(subject.text, " ") if " " in subject.text else rest
    held = {item for subject in found for item in subject.items}
    wholes = {subject.topic for subject in found if subject.whole}
    titled = (note for note in _by_title(rest, shelf) if note.id not in held and note.subject not in wholes)
    found += [Subject(note.title_en, note.subject, (note.id,)) for note in titled]
    if not any(subject.items or subject.whole for subject in found):
        found += _by_words(phrases, shelf)
    hits = Counter(item for subject in found for item in subject.items)
    return tuple(_ranked(one, hits) for n, one in enumerate(found) if one.text not in {o.text for o in found[:n]})


def typed(phrase: str, text: str) -> str:
    """The phrase as it stands in the text."""
    plain = fold(text)
    found = re.search(r"[\s-]*".join(map(re.escape, phrase.replace(" ", ""))), plain, re.IGNORECASE)
    if found is None:
        return phrase
    return text[found.start() : found.end()] if len(plain) == len(text) else found[0]


def telling(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases that name what is wanted; what names only the field, or guides to it, gives way to the rest."""
    wanted = [phrase for phrase in phrases if phrase.wanted and phrase.meaning.topics]
    named = [
        one for one in wanted if one.meaning.notes or one.meaning.links or not set(one.meaning.topics) <= NO_SUBJECT
    ] or wanted
    special = named if is_compared(phrases) else [phrase for phrase in named if phrase.meaning.sign != "broad"]
    special = special or [phrase for phrase in named if phrase.meaning.topics != (THE_FIELD,)] or named
    beginning = [phrase for phrase in named if phrase.meaning.sign == "broad" and _stands_by_a_level(phrase, phrases)]
    special += [phrase for phrase in beginning if phrase not in special]
    single = [phrase for phrase in special if len(phrase.meaning.topics) == 1]
    special = [one for one in special if len(one.meaning.topics) == 1 or one.meaning.sign] if single else special
    strong = [phrase for phrase in special if phrase.meaning.by_name]
    listed = [one for one in special if one.meaning.notes and _stands_in_a_list(one, phrases)]
    return [one for one in special if one.meaning.by_name or not strong or " " in one.text or one in listed]


def _stands_in_a_list(phrase: Phrase, phrases: Sequence[Phrase]) -> bool:
    """True for each of `带宽、寄存器各来一篇`."""
    at = phrases.index(phrase)
    return any(
        beside.text == LIST_SIGN or beside.meaning.sign == "each" for beside in phrases[max(0, at - 1) : at + 2]
    )


def is_compared(phrases: Sequence[Phrase]) -> bool:
    """True for `which first` and for `CUDA or Triton first`."""
    words = [phrase.text for phrase in phrases]
    either = "or" in words and "first" in words[words.index("or") :]
    return either or any(phrase.meaning.sign == "compare" for phrase in phrases)


def _stands_by_a_level(phrase: Phrase, phrases: Sequence[Phrase]) -> bool:
    """True for `CUDA` in `inference engines, CUDA from scratch`."""
    at = phrases.index(phrase)
    return any(beside.meaning.level for beside in phrases[max(0, at - 1) : at + 2])


def _of_phrase(phrase: Phrase, shelf: Shelf) -> Subject | None:
    """None for a word that texts on a topic use and that names no reading."""
    meaning, topic = phrase.meaning, phrase.meaning.topics[0]
    if meaning.missing:
        return Subject(phrase.text, topic, whole=True, narrow=False)
    ids = list(shelf.here((*meaning.notes, *meaning.links)))
    ids += [item.id for item in _by_titles(phrase, shelf)]
    if not ids and not meaning.by_name:
        return None
    narrow = not meaning.whole or bool(meaning.links)
    whole = meaning.whole and not (ids and meaning.narrow)
    if ids and whole and len(meaning.topics) == 1:
        ids += [item.id for item in shelf.by_topic[topic] if item.own and item.subject == topic]
    return Subject(phrase.text, topic, tuple(dict.fromkeys(ids)), whole, meaning.whole, narrow)


def _by_titles(phrase: Phrase, shelf: Shelf) -> list[Item]:
    """Readings with a rare phrase in their titles; of an ordinary word, or a topic's name, our notes on that."""
    meaning = phrase.meaning
    if not meaning.narrow or len(phrase.text) < 2:
        return []
    holding = _holding(phrase.text, shelf)
    telling = " " in phrase.text or has_han(phrase.text) or phrase.text in shelf.names
    if meaning.whole or not telling:
        holding = [item for item in holding if item.own and meaning.topics[0] in item.topics]
    return holding if len(holding) <= _RARE else []


def _ranked(subject: Subject, hits: Counter[str]) -> Subject:
    """The subject with its readings in order: first those that other subjects name too."""
    items = tuple(sorted(subject.items, key=lambda item: -hits[item]))
    return replace(subject, items=items)


def _by_title(text: str, shelf: Shelf) -> Iterator[Item]:
    """Our notes whose whole title is in the text, up to its first colon and in any order of words."""
    words, plain = one_number(words_of(text)), plain_name(text)
    for item, wanted, title_zh in shelf.note_titles:
        if (wanted <= words and len(wanted - _ASKING) > 1) or (title_zh and title_zh in plain):
            yield item


def _by_words(phrases: Sequence[Phrase], shelf: Shelf) -> list[Subject]:
    """Readings whose titles hold every unknown word of the text that any title holds: one word says too little."""
    wanted = [phrase for phrase in phrases if phrase.wanted and phrase.meaning.narrow and len(phrase.text) > 1]
    held = [(phrase, _holding(phrase.text, shelf)) for phrase in wanted]
    meant = [item for _, items in held for item in items if all(item in other for _, other in held)]
    meant = meant if len(meant) <= _RARE * len(held) else []
    items = tuple(dict.fromkeys(item.id for item in meant))[:_MOST_BY_TITLE]
    return [Subject(held[0][0].text, shelf.by_id[items[0]].subject, items)] if items else []


def _holding(phrase: str, shelf: Shelf) -> list[Item]:
    """By the whole phrase, or by the longest part of a Chinese one that any title has; a name by what texts say."""
    parts = [phrase]
    if has_han(phrase):
        lengths = range(len(phrase), _LEAST_SIGNS - 1, -1)
        parts += [phrase[at : at + n] for n in lengths for at in range(len(phrase) - n + 1)]
    for part in parts:
        if holding := [item for item, words, plain in shelf.titles if _holds(words, plain, part)]:
            return holding
    return [shelf.by_id[id_] for id_ in shelf.names.get(phrase, ()) if id_ in shelf.by_id]


def _holds(words: str, plain: str, phrase: str) -> bool:
    """True if titles have the phrase; a word of Latin letters has to stand there whole."""
    if has_han(phrase):
        return plain_name(phrase) in plain
    return len(phrase) > 1 and f" {phrase} " in words
