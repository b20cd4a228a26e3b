"""The sentences of the bot, the site, the command line and the core, by id: a folder of files for each language.

    verdict.toml     the words and sentences of a verdict, its stages and states
    shared.toml      other short words of every face (levels, kinds, topics' areas) and the sentences of the core
    pasted.toml      what is wrong in code that a member pastes into a question
    errors.toml      what is said when something cannot be done
    bot.toml         sentences of the bot; commands.toml has its commands' names where they are not English
    site.toml        sentences of the site
    terminal.toml    sentences of the command line
    typed.toml       what members type for a level and in questions of figures
    asked.toml       how they greet, thank, paste an error and ask for something to read

What a verdict names stands in content/findings.toml (the mistakes) and worker/reasons.toml (the reasons inside them);
what there is to read, in content/, in English and Chinese. CONTRIBUTING.md lists all places of a language.

Messages, and `{name}` and its like in their words, are those of worker/messages.py. An id that a language lacks is
said in English, so that a new language can grow sentence by sentence. The tests hold the two that we ship to
completeness: the same ids, the same blanks, nothing unused.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import GetCoreSchemaHandler, PlainSerializer, PlainValidator

from worker import messages
from worker.messages import Template, flat

FOLDER = Path(__file__).parent
ENGLISH = "en"
Face = Literal["bot", "site", "terminal"]


class Message(messages.Message):
    """A sentence of the server before it is said: the worker's kind of message, with words from these folders."""

    __slots__ = ()

    def __init__(self, id: str, /, **fields: object) -> None:  # noqa: A002  the id of the sentence
        super().__init__(id, fields)

    def text(self, lang: str) -> str:
        return core_languages()[lang].say(self)

    def stored(self) -> dict[str, Any]:
        """Id and fields as JSON has them, for a column that outlives the words."""
        return dict(messages.plain(self))

    @classmethod
    def read(cls, stored: Any) -> Message:
        """The message that was stored; ValueError where it is none."""
        if isinstance(stored, cls):
            return stored
        if not isinstance(stored, Mapping) or not isinstance(stored.get("id"), str):
            raise ValueError("expected a stored message")
        return cls(stored["id"], **{name: _read_field(value) for name, value in stored.get("fields", {}).items()})

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> Any:
        """How a stored answer holds it."""
        return handler(Annotated[Any, PlainValidator(cls.read), PlainSerializer(cls.stored)])


@dataclass(frozen=True, slots=True)
class Sides:
    """What a field says in each language, where it came back from JSON: a title, for instance."""

    by_code: Mapping[str, str]

    def text(self, lang: str) -> str:
        return self.by_code.get(lang) or self.by_code[ENGLISH]


def _read_field(value: Any) -> Any:
    """A field as it was before it was stored."""
    if isinstance(value, Mapping):
        sides = ENGLISH in value and all(isinstance(side, str) for side in value.values())
        return Sides(value) if sides else Message.read(value)
    return tuple(_read_field(part) for part in value) if isinstance(value, list) else value


@runtime_checkable
class Translated(Protocol):
    """Whatever knows its own text in a language: a topic's title, a message, an error."""

    def text(self, lang: str, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language: `language("ask.refused")`, and `language.word("verdict", "race")` from a list."""

    code: str
    sentences: Mapping[str, str]

    def __call__(self, id: str, /, **fields: object) -> str:  # noqa: A002  the id of the sentence
        return Template(self.sentences[id]).filled(fields, self._shown, self.word) if fields else self.sentences[id]

    def say(self, message: messages.Message) -> str:
        return self(message.id, **message.fields)

    def word(self, group: str, name: object) -> str:
        """The word for a name out of a list of ours; a name from outside the lists stands for itself."""
        return self.sentences.get(f"{group}.{name}", str(name))

    def listed(self, parts: tuple[object, ...] | list[str]) -> str:
        return self.sentences["list.comma"].join(self._shown(part) for part in parts)

    def duration(self, minutes: int | None) -> str:
        """Minutes as people say them: from an hour and a half on in hours; nothing where they are not known."""
        if not minutes:
            return ""
        return self("length.minutes", n=minutes) if minutes < 90 else self("length.hours", n=round(minutes / 30) / 2)

    @property
    def html_lang(self) -> str:
        return self.sentences["tag.html"]

    def _shown(self, value: object) -> str:
        if isinstance(value, str | int | float):  # most are; whether something is Translated is long to tell
            return str(value)
        if isinstance(value, messages.Message):
            return self.say(value)
        if isinstance(value, tuple):
            return self.listed(value)
        return value.text(self.code) if isinstance(value, Translated) else str(value)


@dataclass(frozen=True, slots=True)
class Languages:
    by_code: Mapping[str, Language]
    """English first."""

    def __getitem__(self, code: str) -> Language:
        """English for whoever names a language that has no folder."""
        return self.by_code.get(code) or self.by_code[ENGLISH]

    def __iter__(self) -> Iterator[Language]:
        return iter(self.by_code.values())

    def spoken(self, named: str) -> str | None:
        """The code of ours that a browser's or a client's name for a language begins with: `zh` for `zh-CN`."""
        code = named.strip().lower().partition("-")[0]
        return code if code in self.by_code else None


def read_languages(face: Face | None = None, folder: Path = FOLDER) -> Languages:
    """Every language that has a folder: the words that all faces share, and those of one face."""
    files = ("shared.toml", "verdict.toml", "errors.toml", "pasted.toml", *([f"{face}.toml"] if face else ()))
    own = {code: _sentences(folder / code, files) for code in language_codes(folder)}
    return Languages(
        {code: Language(code, MappingProxyType(own[ENGLISH] | sentences)) for code, sentences in own.items()}
    )


@cache
def core_languages() -> Languages:
    """The words of the core, read once: an error is told far from the place that raised it."""
    return read_languages()


def language_codes(folder: Path = FOLDER) -> tuple[str, ...]:
    others = sorted(each.name for each in folder.iterdir() if (each / "shared.toml").is_file())
    return (ENGLISH, *(code for code in others if code != ENGLISH))


def read_table(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _sentences(folder: Path, files: tuple[str, ...]) -> dict[str, str]:
    return {id_: str(text) for file in files for id_, text in flat(read_table(folder / file))}
