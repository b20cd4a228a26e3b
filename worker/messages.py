"""Every sentence that a member reads, as an id and fields; its words stand in catalogues, which are TOML files.

    raise DirectiveError(line, column, message("launch.too-many", limit=16, found=17))

A catalogue says at its top which languages it has, and every entry then has words in each of them:

    languages = ["en", "zh"]

    [launch.too-many]
    en = "at most {limit} launches are allowed, found {found}"
    zh = "启动语句最多 {limit} 条，实际有 {found} 条"

In the words, `{name}` is a field, `{name:.1f}` a number as Python formats it, `{name:group}` a field that names
another entry (`{access:access}` with "read" is `access.read`), and `{? ... }` is left out when a field in it is not
given. The entry `between` stands between several messages in one field. Another language is a change of these files
and of nothing else. The server's words (knowledge/words) are the same messages and templates, a folder a language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Union

Field = Union[str, int, float, "Message", Sequence["Field"]]
Table = Mapping[str, object]
"""A table of a TOML file."""

MAX_FIELD_CHARACTERS = 120
"""A field may quote a submission: it is shown on one line, no longer than it helps."""


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence, or a part of one, before it has words."""

    id: str
    fields: dict[str, Any] = field(default_factory=dict)
    """By name: numbers, names out of a submission, other messages, or several of these."""

    def __str__(self) -> str:
        """The id and the fields in no language, for a log."""
        given = ", ".join(f"{name}={value}" for name, value in self.fields.items())
        return f"{self.id} ({given})" if given else self.id


def message(id_: str, /, **fields: Field) -> Message:
    return Message(id_, fields)


class MessageError(ValueError):
    """A catalogue is wrong, or a message does not fit its catalogue; the text names file or id, and the mistake."""


_FIELD = re.compile(r"\{(?P<name>\w+)(?::(?:(?P<group>[a-z][\w-]+)|(?P<form>[^{}]+)))?\}")
_OPTIONAL = re.compile(r"\{\?((?:[^{}]|\{[^{}]*\})*)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """The words of a sentence in one language, with its fields in braces."""

    text: str

    @property
    def fields(self) -> set[str]:
        """All fields that the words mention."""
        return _names(self.text)

    @property
    def required(self) -> set[str]:
        """The fields without which the sentence would have a hole."""
        return _names(_OPTIONAL.sub("", self.text))

    def filled(self, fields: Mapping[str, Any], show: Callable[[Any], str], word: Callable[[str, str], str]) -> str:
        """The sentence. `show` makes text of a field, `word` of a field that names an entry of a group; what a field
        says is never read as a template."""

        def optional(match: re.Match[str]) -> str:
            return match[1] if _names(match[1]) <= fields.keys() else ""

        def filling(match: re.Match[str]) -> str:
            value = fields[match["name"]]
            if match["group"]:
                return word(match["group"], str(value))
            return format(value, match["form"]) if match["form"] else show(value)

        return _FIELD.sub(filling, _OPTIONAL.sub(optional, self.text))


def _names(text: str) -> set[str]:
    return {match["name"] for match in _FIELD.finditer(text)}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one entry in every language."""

    by_language: Mapping[str, Template]

    @property
    def fields(self) -> set[str]:
        """All fields that the words mention in some language."""
        return set[str]().union(*(template.fields for template in self.by_language.values()))

    @property
    def required(self) -> set[str]:
        """The fields without which a sentence would have a hole."""
        return set[str]().union(*(template.required for template in self.by_language.values()))


class Catalogue:
    """Words by message id. Several files make one catalogue; all of them have the same languages."""

    def __init__(self, languages: Sequence[str], entries: Mapping[str, Words]) -> None:
        self.languages = tuple(languages)
        self._entries = dict(entries)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __getitem__(self, id_: str) -> Words:
        try:
            return self._entries[id_]
        except KeyError:
            raise MessageError(f"no catalogue has words for {id_!r}") from None

    def __or__(self, other: Catalogue) -> Catalogue:
        """Both catalogues as one; MessageError for two languages lists or an id that both have."""
        if set(self.languages) != set(other.languages):
            raise MessageError(f"languages {self.languages} and {other.languages}: expected the same in all files")
        if twice := self._entries.keys() & other._entries.keys():
            raise MessageError(f"{min(twice)}: is given twice")
        return Catalogue(self.languages, {**self._entries, **other._entries})

    def text(self, what: Message, language: str) -> str:
        """The sentence in one language; MessageError for an unknown id or a field that is missing."""
        words = self[what.id]
        if missing := words.required - what.fields.keys():
            raise MessageError(f"{what.id} needs {', '.join(sorted(missing))}")
        return self._filled(words.by_language[language], what.fields, language)

    def texts(self, what: Message) -> dict[str, str]:
        """The sentence in every language, as it leaves the house beside id and fields."""
        return {language: self.text(what, language) for language in self.languages}

    def unknown_fields(self, what: Message) -> set[str]:
        """Fields that no language shows: evidence at best, a slip of the pen otherwise."""
        return what.fields.keys() - self[what.id].fields

    def _filled(self, template: Template, fields: Mapping[str, Any], language: str) -> str:
        def show(value: object) -> str:
            return self._shown(value, language)

        def word(group: str, name: str) -> str:
            return self.text(Message(f"{group}.{name}"), language)

        return template.filled(fields, show, word).strip()

    def _shown(self, value: object, language: str) -> str:
        if isinstance(value, Message):
            return self.text(value, language)
        if isinstance(value, float):
            return f"{value:.4g}"
        if isinstance(value, list | tuple):
            several = any(isinstance(part, Message) for part in value)
            between = self["between"].by_language[language].text if several else ", "
            return between.join(self._shown(part, language) for part in value)
        text = " ".join(str(value).split())
        return text if len(text) <= MAX_FIELD_CHARACTERS else text[: MAX_FIELD_CHARACTERS - 1] + "…"


def plain(value: Any) -> Any:
    """A field as JSON has it: a message becomes an object of its id and its fields."""
    if isinstance(value, Message):
        return {"id": value.id, "fields": {name: plain(part) for name, part in value.fields.items()}}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def read_catalogue(*paths: Path) -> Catalogue:
    """The catalogue that these files make together, or MessageError naming file and mistake."""
    first, *others = (_read(path.name, path.read_text(encoding="utf-8")) for path in paths)
    for other in others:
        first |= other
    return first


def worker_catalogue() -> Catalogue:
    """The words of what the worker itself says, which travel with its code."""
    return _read("reasons.toml", files("worker").joinpath("reasons.toml").read_text(encoding="utf-8"))


def _read(name: str, text: str) -> Catalogue:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MessageError(f"{name}: {error}") from error
    languages = languages_of(table, name)
    entries = {key: value for key, value in table.items() if key != "languages"}
    return Catalogue(languages, dict(_entries(entries, languages, name)))


def languages_of(table: Table, name: str) -> tuple[str, ...]:
    """What a file states at its top."""
    languages = table.get("languages")
    if not isinstance(languages, list) or not languages or not all(isinstance(one, str) for one in languages):
        raise MessageError(f"{name}: languages: expected a list such as ['en', 'zh']")
    return tuple(languages)


def words_of(row: Table, languages: Sequence[str], where: str) -> Words:
    """One entry's words; MessageError where a language is missing or knows other fields than the first."""
    by_language = {}
    for language in languages:
        text = row.get(language)
        if not isinstance(text, str) or not text.strip():
            raise MessageError(f"{where}.{language}: is missing")
        by_language[language] = Template(text)
    words = Words(by_language)
    for language, template in by_language.items():
        if unlike := words.fields - template.fields:
            raise MessageError(f"{where}.{language}: does not mention {{{min(unlike)}}}")
    return words


def flat(table: Table, prefix: str = "") -> Iterator[tuple[str, object]]:
    """What stands in a table and in the tables inside of it, by dotted ids."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _entries(table: Table, languages: Sequence[str], name: str) -> Iterator[tuple[str, Words]]:
    rows: dict[str, dict[str, object]] = {}
    for place, text in flat(table):
        id_, _, language = place.rpartition(".")
        if not id_:
            raise MessageError(f"{name}: {place}: expected a table with words in {', '.join(languages)}")
        if language not in languages:
            raise MessageError(f"{name}: {place}: is no language of this file")
        rows.setdefault(id_, {})[language] = text
    for id_, row in rows.items():
        yield id_, words_of(row, languages, f"{name}: {id_}")
