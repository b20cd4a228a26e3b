"""What is not to be in a list: readings on what the member does not want, and those of a maker."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from knowledge.content.topics import plain_name
from knowledge.recommend.phrases import Phrase
from knowledge.recommend.shelf import Item, Shelf, words_of
from knowledge.text.language import has_han

_OFTEN = 3
"""A note that names a maker so many times is about what it makes."""


def kinds_without(phrases: Iterable[Phrase]) -> frozenset[str]:
    """Kinds that are not wanted; who wants no mathematics wants no papers."""
    unwanted = [phrase.meaning for phrase in phrases if phrase.unwanted]
    return frozenset(kind for meaning in unwanted for kind in (meaning.kind, *meaning.burdens) if kind)


def excluded(
    phrases: Sequence[Phrase], goals: Collection[str], shelf: Shelf, makers: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """Ids of the readings on what was named as not wanted."""
    unwanted = [phrase for phrase in phrases if phrase.unwanted and not (phrase.meaning.kind or phrase.meaning.lang)]
    found: set[str] = set()
    named = {id_ for one in phrases if one.wanted for id_ in shelf.here((*one.meaning.notes, *one.meaning.links))}
    for phrase in unwanted:
        if phrase.meaning.makers:
            found |= {
                item.id
                for item in shelf.items
                for maker in phrase.meaning.makers
                if not (item.aside and item.id in named) and _made_by(maker, item, shelf, makers)
            }
        elif phrase.meaning.topics or _is_a_word(phrase):
            found |= set(_named(phrase, goals, shelf, named))
    return frozenset(found)


def of_other_makers(phrases: Iterable[Phrase], shelf: Shelf, makers: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Ids of the readings whose title names another maker than the one that is not wanted."""
    unwanted = {maker for phrase in phrases if phrase.unwanted for maker in phrase.meaning.makers}
    words = [word for maker, each in makers.items() if unwanted and maker not in unwanted for word in each]
    titled = ((item, f"{item.title_en} {item.title_zh} {item.id}") for item in shelf.items)
    return frozenset(item.id for item, title in titled if any(_says(word, title) for word in words))


def _is_a_word(phrase: Phrase) -> bool:
    meaning = phrase.meaning
    return not (meaning.sign or meaning.level or meaning.burdens) and len(plain_name(phrase.text)) > 2


def _named(phrase: Phrase, goals: Collection[str], shelf: Shelf, wanted: Collection[str]) -> Iterator[str]:
    """By name, topic or title; what is wanted by name is left out by its own name or title alone."""
    meaning = phrase.meaning
    yield from shelf.here((*meaning.notes, *meaning.links))
    topics = set(meaning.topics) - set(goals) if meaning.by_name and meaning.whole else set()
    for item in shelf.items:
        summary = "" if item.own or item.id in wanted else item.summary_en
        said = f"{item.title_en} {item.title_zh} {item.id} {summary}"
        if (item.subject in topics and item.id not in wanted) or _says(phrase.text, said):
            yield item.id


def _says(name: str, text: str) -> bool:
    return plain_name(name) in plain_name(text) if has_han(name) else f" {words_of(name)} " in f" {words_of(text)} "


def _made_by(maker: str, item: Item, shelf: Shelf, makers: Mapping[str, tuple[str, ...]]) -> bool:
    """True where title or summary name what they make, or a note does often; not where it is on another's."""
    title = f"{item.title_en} {item.title_zh} {item.id}"
    if any(_says(word, title) for other, words in makers.items() if other != maker for word in words):
        return False
    said = f"{title} {item.summary_en} {item.summary_zh}"
    if any(_says(word, said) for word in makers[maker]):
        return True
    body = words_of(shelf.texts.get(item.id, "")) if item.own else ""
    return sum(len(re.findall(rf"\b{re.escape(words_of(word))}\b", body)) for word in makers[maker]) >= _OFTEN
