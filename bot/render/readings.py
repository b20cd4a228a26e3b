"""Readings: a recommendation with its buttons, the way to a topic, what was saved."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.buttons import Press, Style, row
from bot.markup import link, one_line
from bot.render.card import Card, Part, Tone, Upload, card, room_beside
from knowledge.content import Topics
from knowledge.practice import Streak
from knowledge.readings import Reading
from knowledge.recommend import ReadingPath, Recommendation
from knowledge.recommend.service import Standing
from knowledge.words import Language

_MOST_ID = 70
PAGE = 5


def short_id(item_id: str) -> str:
    """An item's id within a custom id's hundred characters."""
    if len(item_id) <= _MOST_ID and "|" not in item_id:
        return item_id
    return "#" + hashlib.blake2b(item_id.encode(), digest_size=12).hexdigest()


_ROW_AND_NOTE = 2


def recommendation_card(found: Recommendation, language: Language) -> Card:
    """The list, and a button for each other level that has something."""
    topic = one_line(found.title.text(language.code))
    others = [
        Press("at_level", level, found.topic, label=language(f"level.{level}"), style=Style.primary)
        for level in found.other_levels
    ]
    head = [
        f"### {language('recommend.title', topic=topic, level=language(f'level.{found.level}'))}",
        *[f"-# {remark.text(language.code)}" for remark in found.remarks],
    ]
    if others:
        names = language("list.comma").join(language(f"level.{level}") for level in found.other_levels)
        head.append(f"-# {language('recommend.other_levels')} {names}")
    readings = reading_parts(found.items, language)
    # Five notes leave room for one other level beside the row and the note that may be added beneath.
    others = others[: max(0, room_beside("\n".join(head), *readings) - _ROW_AND_NOTE)]
    return card("\n".join(head), *readings, row(*others) if others else None)


def readings_card(title: str, readings: Sequence[Reading], language: Language, *more: Part) -> Card:
    """Readings that go with something else: a finding, a question without an answer."""
    return card(f"### {title}", *reading_parts(readings[:PAGE], language), *more)


def reading_parts(readings: Sequence[Reading], language: Language) -> list[Part]:
    """A text and a row of buttons for each."""
    return [
        part
        for n, reading in enumerate(readings, start=1)
        for part in (reading_line(n, reading, language), _reading_buttons(reading, language))
    ]


def saved_card(readings: Sequence[Reading], page: int, owner: int, language: Language) -> Card:
    if not readings:
        return card(language("saved.none"), tone=Tone.QUIET)
    shown = readings[page * PAGE : (page + 1) * PAGE]
    parts: list[Part] = [f"### {language('saved.title', n=len(readings))}"]
    for n, reading in enumerate(shown, start=page * PAGE + 1):
        unsave = Press("unsave", short_id(reading.resource_id), label=language("saved.remove"))
        parts += [reading_line(n, reading, language), row(*_opens(reading, language), unsave)]
    return card(*parts, pager("saved", page, len(readings), owner, language))


def path_card(
    way: ReadingPath, topics: Topics, page: int, owner: int, language: Language, picture: tuple[Upload, str] | None
) -> Card:
    """The topics as a tree in text, a few at a time; the picture shows all of them."""
    title = one_line(topics[way.topic].title.text(language.code))
    stops = way.ahead[page * PAGE : (page + 1) * PAGE]
    lines = []
    if way.done and page == 0:
        known = language.listed([one_line(topics[stop.topic].title.text(language.code)) for stop in way.done])
        lines.append(f"✓ {language('path.known', topics=known)}")
    for at, stop in enumerate(stops, start=page * PAGE + 1):
        lines.append(f"**{at}. {one_line(topics[stop.topic].title.text(language.code))}**")
        for step in stop.steps[:6]:
            stretch = f" · {language('reading.stretch')}" if step.stretch else ""
            lines.append(f"- {link(step.title, step.url, 80)} · {_labels(step, language)}{stretch}")
    time = language.duration(sum(step.minutes or 0 for step in way.steps))
    steps = len(way.steps)
    length = language("path.length", steps=steps, time=time) if time else language("path.steps", steps=steps)
    return card(
        f"### {language('path.title', topic=title)}",
        "\n".join(lines),
        f"-# {length}",
        pager(f"path|{way.topic}", page, len(way.ahead), owner, language),
        pictures=[picture] if picture and page == 0 else [],
    )


@dataclass(frozen=True, slots=True)
class Practised:
    """What a member has solved, and for how long without a break."""

    solved: int
    problems: int
    streak: Streak


def progress_card(
    standings: Sequence[Standing], practised: Practised, page: int, owner: int, language: Language
) -> Card:
    if not standings and not practised.solved:
        return card(language("progress.none"), tone=Tone.QUIET)
    per_page = 12
    lines = []
    for standing in standings[page * per_page : (page + 1) * per_page]:
        level = language(f"level.{standing.level}") if standing.level else "-"
        mark = language("progress.set_by_you") if standing.set_by_member else ""
        title = one_line(standing.title.text(language.code))
        bar, share = _bar(standing.done, standing.available), f"{standing.done}/{standing.available}"
        lines.append(f"`{bar}` **{title}** · {level}{mark} · {share}")
    return card(
        f"### {language('progress.title')}",
        "\n".join(lines) or None,
        f"-# {language('progress.problems', n=practised.solved, all=practised.problems)}",
        *(f"-# {language.say(line)}" for line in practised.streak.lines),
        pager("progress", page, len(standings), owner, language, per_page),
    )


def pager(verb: str, page: int, count: int, owner: int, language: Language, per_page: int = PAGE) -> Part:
    """Back and on, for the owner; nothing when there is one page only."""
    pages = max(1, -(-count // per_page))
    if pages == 1:
        return None
    name, *arguments = verb.split("|")
    here, last = f"{page + 1}/{pages}", page + 1 >= pages
    return row(
        Press(f"{name}_page", owner, page - 1, *arguments, label=f"‹ {language('pager.back')}", disabled=page == 0),
        Press(
            f"{name}_page", owner, page + 1, *arguments, label=f"{language('pager.on', here=here)} ›", disabled=last
        ),
    )


def reading_line(n: int, reading: Reading, language: Language) -> str:
    mark = " ⚠️" if reading.link_state == "unreachable" else ""
    why = f"\n-# {one_line(reading.why, 220)}" if reading.why else ""
    return f"**{n}.** {link(reading.title, reading.url)}{mark}\n{_labels(reading, language)}{why}"


def _labels(reading: Reading, language: Language) -> str:
    parts = [
        language(f"level.{reading.level}") if reading.level else "",
        language.word("language", reading.lang),
        language.duration(reading.minutes),
        language(f"kind.{reading.kind}"),
    ]
    return " · ".join(part for part in parts if part)


def _reading_buttons(reading: Reading, language: Language) -> Part:
    id_ = short_id(reading.resource_id)
    return row(
        *_opens(reading, language),
        Press("done", id_, label=language("reading.read"), style=Style.success),
        Press("easy", id_, label=language("reading.too_easy")),
        Press("hard", id_, label=language("reading.too_hard")),
        Press("save", id_, label=language("reading.save")),
    )


def _opens(reading: Reading, language: Language) -> list[Any]:
    """Our own notes and problems open here; a page opens by its link."""
    shown = () if reading.lang == language.code else (reading.lang,)
    id_ = short_id(reading.resource_id)
    return [] if reading.url else [Press("open", id_, *shown, label=language("reading.open"))]


def _bar(done: int, available: int, width: int = 8) -> str:
    full = round(width * done / available) if available else 0
    return "█" * max(full, 1 if done else 0) + "░" * (width - max(full, 1 if done else 0))
