"""Every sentence of the site, by name, in both languages; words that other faces say too are knowledge.wording's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowledge import wording
from knowledge.wording import sentences

Lang = Literal["en", "zh"]
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Voice:
    """One language's sentences: `voice("ask.button")`, and `voice.word("verdict", "race")` for the shared words."""

    lang: Lang
    sentences: Mapping[str, str]

    def __call__(self, name: str, /, **fields: object) -> str:
        return self.sentences[name].format(**fields) if fields else self.sentences[name]

    def word(self, group: str, name: object) -> str:
        return wording.said(wording.GROUPS[group], str(name), self.lang)

    @property
    def html_lang(self) -> str:
        return "zh-Hans" if self.lang == "zh" else "en"


@dataclass(frozen=True, slots=True)
class Voices:
    en: Voice
    zh: Voice

    def __getitem__(self, lang: str) -> Voice:
        return self.zh if lang == "zh" else self.en


def load_voices(folder: Path = FOLDER) -> Voices:
    return Voices(Voice("en", sentences(folder / "en.toml")), Voice("zh", sentences(folder / "zh.toml")))
