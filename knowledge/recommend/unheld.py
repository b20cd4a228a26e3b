"""What was named and the library does not have: told apart from words that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from knowledge.content.topics import plain_name
from knowledge.recommend.lexicon import UNKNOWN
from knowledge.recommend.phrases import END, Phrase
from knowledge.recommend.shelf import Shelf, words_of
from knowledge.recommend.subjects import typed
from knowledge.text.language import has_han

_QUOTED = re.compile(r"《([^《》]{2,60})》|[“\"]((?:[A-Z][\w'-]*\s+){1,6}[A-Z][^“”\"]*)[”\"]")
"""A Chinese title, or words that are written as one."""
_BY = re.compile(r"\b(?:[Bb]y|[Oo]f|[Ff]rom)\s+((?:[A-Z][\w'’.-]+\s?){1,3})")
_LEAST_LETTERS = 5
_MOST_SIGNS = 8
_BEFORE_A_PLACE = frozenset({"from", "at", "by"})


def missing_in(text: str, phrases: Sequence[Phrase], shelf: Shelf, *, vague: bool) -> tuple[str, ...]:
    """As it was typed: listed as missing, a title or an author of nothing here, a name that no reading's text has.

    Where nothing of the field was named but the field itself (`vague`), also an ordinary word that no text has.
    """
    found = [*works_missing(text, phrases, shelf), *_names(text, phrases, shelf)]
    if vague and not found:
        found = list(_words(phrases, shelf))
    kept = [name for name in found if not any(name != other and name in other for other in found)]
    return tuple(dict.fromkeys(kept))


def works_missing(text: str, phrases: Sequence[Phrase], shelf: Shelf) -> tuple[str, ...]:
    """Titles and authors of nothing here: what they are on may be."""
    titles = list(_titles(text, phrases))
    held = [_signs(f"{item.title_en} {item.title_zh}") for item, _, _ in shelf.titles if titles]
    return (*(title for title in titles if not any(_signs(title) in one for one in held)), *_authors(text, phrases))


def _signs(title: str) -> str:
    """Its letters and signs alone."""
    return words_of(title).replace(" ", "")


def _titles(text: str, phrases: Iterable[Phrase]) -> Iterator[str]:
    known = [plain_name(phrase.text) for phrase in phrases if phrase.meaning.topics or phrase.meaning.kind]
    for groups in _QUOTED.findall(text):
        title = next(part for part in groups if part).strip()
        if not any(plain_name(title) in name for name in known):
            yield title


def _authors(text: str, phrases: Sequence[Phrase]) -> Iterator[str]:
    """Who stands after `by` and names no reading."""
    for name in (found.strip() for found in _BY.findall(text)):
        of_name = [phrase for phrase in phrases if phrase.text.casefold() in name.casefold().split()]
        whole = any(phrase.meaning != UNKNOWN and plain_name(phrase.text) == plain_name(name) for phrase in phrases)
        unknown = of_name and all(phrase.meaning == UNKNOWN for phrase in of_name)
        if unknown and not whole and len(of_name) == len(name.split()):
            yield name


def _names(text: str, phrases: Iterable[Phrase], shelf: Shelf) -> Iterator[str]:
    """Neighbours that are unknown make one name."""
    before = ""
    run: list[str] = []
    for phrase in (*phrases, Phrase("", UNKNOWN)):
        from_there, before = before in _BEFORE_A_PLACE, phrase.text
        name = typed(phrase.text, text)
        listed = phrase.wanted and phrase.meaning.missing
        a_name = phrase.meaning == UNKNOWN and phrase.text not in shelf.vocabulary and _is_a_name(name, text)
        if phrase.wanted and a_name and (run or not from_there):
            run.append(name)
            continue
        if run:
            yield " ".join(run)
            run = []
        if listed:
            yield name


def _words(phrases: Sequence[Phrase], shelf: Shelf) -> Iterator[str]:
    for at, phrase in enumerate(phrases):
        if not phrase.wanted or phrase.meaning != UNKNOWN or not _is_what_it_is_about(phrases, at):
            continue
        if has_han(phrase.text):
            if 1 < len(phrase.text) <= _MOST_SIGNS and not shelf.says(phrase.text):
                yield phrase.text
        elif len(phrase.text) >= _LEAST_LETTERS and phrase.text.isalpha() and not _in(phrase.text, shelf):
            yield phrase.text


def _is_what_it_is_about(phrases: Sequence[Phrase], at: int) -> bool:
    """True after `on` and `learn`, and before `papers`: elsewhere an unknown word is any word."""
    said = (one for one in reversed(phrases[:at]) if one.meaning != UNKNOWN or one.text in END)
    before = next((one for one in said if one.meaning.sign != "filler"), None)
    after = next((one for one in phrases[at + 1 :] if one.meaning != UNKNOWN or one.text in END), None)
    led = before is not None and before.text not in END and before.meaning.sign in {"about", "intent"}
    return led or (after is not None and bool(after.meaning.kind))


def _in(word: str, shelf: Shelf) -> bool:
    stems = {word, word.removesuffix("s"), word.removesuffix("ed"), word.removesuffix("ing"), word.removesuffix("es")}
    return any(stem in shelf.vocabulary for stem in stems | {f"{stem}s" for stem in stems})


def _is_a_name(word: str, text: str) -> bool:
    """True for `MindSpore`; a word that only begins a sentence may be any word."""
    begins_only = text.startswith(word) and text != word and word[1:].islower()
    plain = word.isascii() and all(sign.isalnum() or sign in ".+-" for sign in word)
    return len(word) > 2 and plain and word[0].isalpha() and not word.islower() and not begins_only
