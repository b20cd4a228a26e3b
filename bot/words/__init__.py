"""Every sentence that the bot says, by name, in both languages, and the commands' Chinese names.

Words that other faces say too, such as the verdicts, are knowledge.wording's: `voice("verdict.race")` here. The tests
fail when a sentence lacks a language, is named and does not exist, or exists and is never said.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge import wording
from knowledge.text.language import Lang
from knowledge.wording import GROUPS, Voice, said, sentences

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Voices(wording.Voices):
    commands_zh: Mapping[str, Any]
    """By qualified name of a command: `name`, `about`, and `options`."""


def load_voices(folder: Path = FOLDER) -> Voices:
    commands = tomllib.loads((folder / "commands.zh.toml").read_text(encoding="utf-8"))
    return Voices(_voice("en", folder), _voice("zh", folder), commands)


def _voice(lang: Lang, folder: Path) -> Voice:
    """What the bot alone says, and the words that every face says alike: `verdict.race`, `level.beginner`."""
    shared = {f"{group}.{name}": said(words, name, lang) for group, words in GROUPS.items() for name in words}
    return Voice(lang, shared | sentences(folder / f"{lang}.toml"))
