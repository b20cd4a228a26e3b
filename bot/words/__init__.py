"""Every sentence that the bot says, by name, in both languages, and the commands' Chinese names.

A `Voice` speaks one language: `voice("ask.refused")`. The tests fail when a sentence lacks a language, is named
and does not exist, or exists and is never said.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Lang = Literal["en", "zh"]
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Voice:
    """One language's sentences."""

    lang: Lang
    sentences: Mapping[str, str]

    def __call__(self, name: str, /, **fields: object) -> str:
        return self.sentences[name].format(**fields) if fields else self.sentences[name]


@dataclass(frozen=True, slots=True)
class Voices:
    en: Voice
    zh: Voice
    commands_zh: Mapping[str, Any]
    """By qualified name of a command: `name`, `about`, and `options`."""

    def __getitem__(self, lang: str) -> Voice:
        return self.zh if lang == "zh" else self.en


def load_voices(folder: Path = FOLDER) -> Voices:
    commands = tomllib.loads((folder / "commands.zh.toml").read_text(encoding="utf-8"))
    return Voices(Voice("en", _sentences(folder / "en.toml")), Voice("zh", _sentences(folder / "zh.toml")), commands)


def _sentences(file: Path) -> dict[str, str]:
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
