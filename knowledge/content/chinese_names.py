"""content/chinese_names.yaml: the one name that our own Chinese texts use for a thing, held against all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from knowledge.content.glossary import Glossary
from knowledge.content.schema import Strict, file_text, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Sentence

_UNREAD = re.compile(
    r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|`[^`\n]*`|\w+<<<[^>]*>>>|（[^（）]*）|\{[^{}]*\}|https?://\S+",
    re.MULTILINE | re.DOTALL,
)


class Rule(Strict):
    """A name and those that are not used in its place."""

    use: Sentence
    instead_of: Annotated[tuple[Sentence, ...], Field(min_length=1)]
    unless: tuple[Sentence, ...] = ()
    not_about: tuple[Id, ...] = ()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(_pattern, self.instead_of)))

    def misnamed(self, text: str, read: str) -> str | None:
        """The first name in a text that should be another; `read` is what of the text is looked at."""
        if any(words in text for words in self.unless):
            for words in self.unless:
                text = text.replace(words, " ")
            read = _looked_at(text)
        found = self.pattern.search(read)
        return found[0] if found else None


class ChineseNames(Strict):
    """All rules, in the order of the file."""

    words: tuple[Rule, ...] = ()

    def mistakes(self, text: str, about: Sequence[str] = ()) -> Iterator[str]:
        """What a Chinese text on these topics or of this area calls by another name than the others do."""
        read = _looked_at(text)
        for rule in self.words:
            if (name := rule.misnamed(text, read)) and not set(rule.not_about) & set(about):
                yield f"says {name!r}: our texts say {rule.use!r}"


def load_chinese_names(root: Path, glossary: Glossary) -> ChineseNames:
    """The rules of root/chinese_names.yaml; raises BadContent."""
    text, file = file_text(root / "chinese_names.yaml", root)
    names = record(ChineseNames, parsed_yaml(text, file), file)
    refuse(file, _against(names, glossary))
    return names


def _against(names: ChineseNames, glossary: Glossary) -> Iterator[str]:
    """A name that our texts use is one of the glossary, and none that they do not use is the usual one of a term."""
    known = {name for term in glossary.terms for name in term.zh}
    usual = {term.zh[0] for term in glossary.terms}
    for n, rule in enumerate(names.words):
        if rule.use not in known:
            yield f"words[{n}]: use: no term of the glossary is called {rule.use!r}"
        yield from (
            f"words[{n}]: instead_of: {name!r} is the usual name of a term"
            for name in rule.instead_of
            if name in usual
        )


def _looked_at(text: str) -> str:
    return _UNREAD.sub(" ", text)


def _pattern(name: str) -> str:
    """English names whole, in the singular or plural, small or with a capital; Chinese ones anywhere."""
    if not name.isascii():
        return re.escape(name)
    first, rest = f"[{name[0].upper()}{name[0].lower()}]", re.escape(name[1:]).replace("\\ ", "[ -]")
    return rf"(?<![A-Za-z0-9_./-]){first}{rest}s?(?![A-Za-z0-9_<(.-])"
