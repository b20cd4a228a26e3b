"""Every sentence of the site, by name, in both languages; words that other faces say too are knowledge.wording's."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from knowledge import wording

Lang = Literal["en", "zh"]
FOLDER = Path(__file__).parent
SHARED: Mapping[str, Mapping[str, wording.Pair]] = {
    "verdict": wording.VERDICTS,
    "stage": wording.STAGES,
    "state": wording.STATES,
    "form": wording.FORMS,
    "backend": wording.BACKENDS,
    "level": wording.LEVELS,
    "language": wording.LANGUAGES,
    "kind": wording.READINGS,
    "link": wording.LINKS,
    "reason": wording.REASONS,
}


@dataclass(frozen=True, slots=True)
class Voice:
    """One language's sentences: `voice("ask.button")`, and `voice.word("verdict", "race")` for the shared words."""

    lang: Lang
    sentences: Mapping[str, str]

    def __call__(self, name: str, /, **fields: object) -> str:
        return self.sentences[name].format(**fields) if fields else self.sentences[name]

    def word(self, group: str, name: object) -> str:
        return wording.said(SHARED[group], str(name), self.lang)

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


def sentences(file: Path) -> dict[str, str]:
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
