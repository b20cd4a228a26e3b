"""Every sentence of the site, by name, in both languages; words that other faces say too are knowledge.wording's."""

from __future__ import annotations

from pathlib import Path

from knowledge.wording import Voice, Voices, sentences

FOLDER = Path(__file__).parent


def load_voices(folder: Path = FOLDER) -> Voices:
    return Voices(Voice("en", sentences(folder / "en.toml")), Voice("zh", sentences(folder / "zh.toml")))
