"""content/problems/*/problem.toml, as far as listing and recommending need it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from pydantic import Field, StringConstraints

from knowledge.content.schema import Strict, file_text, record, refuse
from knowledge.content.shared_types import Id, Level, Sentence, Words
from knowledge.content.topics import Topics
from knowledge.errors import BadContent
from worker.errors import ProblemError
from worker.problem_file import ProblemFile, read_file

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_]*$", strict=True)]


class ProblemCard(Strict):
    """A problem as a member meets it in a list."""

    slug: Slug
    title: Words
    level: Level
    topics: Annotated[tuple[Id, ...], Field(min_length=1)]
    needs: tuple[Slug, ...] = ()
    readings: tuple[Sentence, ...] = ()
    cards: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ProblemTexts:
    """What a member reads of a problem, and what they begin with, character for character."""

    statements: Mapping[str, str]
    """By language."""
    starter: str
    triton_starter: str = ""
    """Empty where there is none."""

    def as_json(self) -> dict[str, Any]:
        starters = {"starter": self.starter, **({"triton": self.triton_starter} if self.triton_starter else {})}
        return {"statement": dict(self.statements), **starters}


def load_problem_texts(root: Path, slug: str) -> ProblemTexts:
    """Statement and starter of one problem; raises BadContent."""
    folder = root / "problems" / slug
    statements = {lang: file_text(folder / f"statement.{lang}.md", root)[0] for lang in Words.model_fields}
    triton = folder / "starter.py"
    in_triton = file_text(triton, root)[0] if triton.is_file() else ""
    return ProblemTexts(MappingProxyType(statements), file_text(folder / "starter.cu", root)[0], in_triton)


def load_problems(root: Path, topics: Topics) -> tuple[ProblemCard, ...]:
    """The cards of every problem folder, by slug; raises BadContent."""
    paths = sorted((root / "problems").glob("*/problem.toml"))
    cards = tuple(_card(path, root) for path in paths)
    slugs = {card.slug for card in cards}
    for card, path in zip(cards, paths, strict=True):
        refuse(path.relative_to(root).as_posix(), _mistakes(card, path, slugs, topics))
    return cards


@dataclass(frozen=True, slots=True)
class TryExample:
    """What a form for a try can offer of a problem."""

    sizes: Mapping[str, int]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def example_try(root: Path, slug: str) -> TryExample:
    """The case whose arrays are nearest to a thousand elements, and the names of inputs and outputs."""
    keys = read_file(root / "problems" / slug / "problem.toml")
    arrays = [param for param in keys.params if param.shape is not None]
    sizes = min(_sizes(keys), key=lambda one: (abs(math.log(math.prod(one.values()) / 1000)), sorted(one.items())))
    roles = {one.name: one.role or ("input" if "const" in one.type else "output") for one in arrays}
    read = tuple(name for name, role in roles.items() if role != "output")
    return TryExample(sizes, read, tuple(name for name, role in roles.items() if role != "input"))


def _sizes(keys: ProblemFile) -> Iterator[dict[str, int]]:
    """Those of each case; zero is no size to look at."""
    for group in keys.cases:
        for table in group.sizes if isinstance(group.sizes, tuple) else (group.sizes,):
            count = max((len(given) for given in table.values() if isinstance(given, tuple)), default=1)
            for place in range(count):
                one = {name: given[place] if isinstance(given, tuple) else given for name, given in table.items()}
                if all(one.values()):
                    yield one


def _card(path: Path, root: Path) -> ProblemCard:
    """The judge's own reader checks keys and types; what the words look like is checked here."""
    file = path.relative_to(root).as_posix()
    try:
        keys = read_file(path)
    except ProblemError as error:
        raise BadContent(f"{file}: {error.key}: {error.what}") from error
    plain = msgspec.to_builtins(keys)
    return record(ProblemCard, {name: plain[name] for name in ProblemCard.model_fields}, file)


def _mistakes(card: ProblemCard, path: Path, slugs: set[str], topics: Topics) -> Iterator[str]:
    if card.slug != path.parent.name:
        yield f"slug: is {card.slug!r}, but the folder is {path.parent.name!r}"
    yield from (f"topics[{n}]: no topic {name!r}" for n, name in enumerate(card.topics) if name not in topics)
    yield from (f"needs[{n}]: no problem {name!r}" for n, name in enumerate(card.needs) if name not in slugs)
