"""Forms: what they offer to choose from, and their fields, checked: one sentence says what is wrong with a field."""

from __future__ import annotations

from itertools import groupby

from aiohttp import web

from knowledge.content import Topic, Topics
from knowledge.errors import BadInput
from knowledge.recommend.shelf import LEVELS


async def text_field(request: web.Request, name: str, *, needed: bool = True) -> str:
    """Return a text field of the posted form; empty where it is missing and may be."""
    value = (await request.post()).get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise BadInput("error.form.missing", name=name)
    return value


def number(request: web.Request, name: str, default: int, least: int = 1, most: int = 1 << 20) -> int:
    """Return a whole number of the query."""
    given = request.query.get(name, "").strip()
    if not given:
        return default
    if not given.isascii() or not given.isdigit() or not least <= int(given[:12]) <= most:
        raise BadInput("error.form.not_a_number", name=name, least=least, most=most)
    return int(given)


def chosen(request: web.Request, name: str, options: tuple[str, ...]) -> str:
    """Return the option that the query names, empty where it names none; raises BadInput for any other."""
    given = request.query.get(name, "")
    if given and given not in options:
        raise BadInput("error.form.not_offered", name=name, known=options[:12])
    return given


def topics_by_area(topics: Topics) -> list[tuple[str, list[Topic]]]:
    """Return the areas in the order in which their first topic is learnt, each with its topics in learning order."""
    first = {topic.area: topics.position[topic.id] for topic in reversed(topics.in_order)}
    ordered = sorted(topics, key=lambda topic: (first[topic.area], topics.position[topic.id]))
    return [(area, list(group)) for area, group in groupby(ordered, key=lambda topic: topic.area)]


def levels() -> tuple[str, ...]:
    return LEVELS
