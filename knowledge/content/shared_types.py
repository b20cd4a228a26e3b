"""What several content files share: a sentence in both languages, the three levels, ids."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import StringConstraints

from knowledge.content.schema import Strict

Level = Literal["beginner", "intermediate", "advanced"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""Easiest first."""
Sentence = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True, strict=True)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80, strict=True)]


class Words(Strict):
    """The same said in the two languages in which content is written; members of others read the English."""

    en: Sentence
    zh: Sentence

    def text(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en
