"""content/problems/*/problem.toml, as far as listing and recommending need it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from knowledge.content.schema import Strict, file_text, parsed_toml, record, refuse
from knowledge.content.topics import Topics
from knowledge.content.words import Id, Level, Sentence, Words

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_]*$", strict=True)]


class ProblemCard(Strict):
    """A problem as a member meets it in a list."""

    slug: Slug
    title: Words
    level: Level
    topics: Annotated[tuple[Id, ...], Field(min_length=1)]
    needs: tuple[Slug, ...] = ()
    readings: tuple[Sentence, ...] = ()


def load_problems(root: Path, topics: Topics) -> tuple[ProblemCard, ...]:
    """The cards of every problem folder, by slug; raises BadContent."""
    paths = sorted((root / "problems").glob("*/problem.toml"))
    cards = tuple(_card(path, root) for path in paths)
    slugs = {card.slug for card in cards}
    for card, path in zip(cards, paths, strict=True):
        refuse(path.relative_to(root).as_posix(), _mistakes(card, path, slugs, topics))
    return cards


def _card(path: Path, root: Path) -> ProblemCard:
    """The judge's keys are checked by the judge; only the card's own are read here."""
    text, file = file_text(path, root)
    data: dict[str, Any] = parsed_toml(text, file)
    return record(ProblemCard, {key: data[key] for key in ProblemCard.model_fields if key in data}, file)


def _mistakes(card: ProblemCard, path: Path, slugs: set[str], topics: Topics) -> Iterator[str]:
    if card.slug != path.parent.name:
        yield f"slug: is {card.slug!r}, but the folder is {path.parent.name!r}"
    yield from (f"topics[{n}]: no topic {name!r}" for n, name in enumerate(card.topics) if name not in topics)
    yield from (f"needs[{n}]: no problem {name!r}" for n, name in enumerate(card.needs) if name not in slugs)
