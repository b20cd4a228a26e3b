"""Readings: a recommendation with its buttons, the way to a topic, what was saved."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from bot.buttons import Press, Style, row
from bot.render.card import Card, Part, Tone, Upload, card
from bot.texts import link, one_line
from knowledge.content import Topics
from knowledge.readings import Reading
from knowledge.recommend import Recommendation, Way
from knowledge.recommend.service import Standing
from knowledge.wording import Voice

_MOST_ID = 70
PAGE = 5


def short_id(item_id: str) -> str:
    """An item's id within a custom id's hundred characters."""
    if len(item_id) <= _MOST_ID and "|" not in item_id:
        return item_id
    return "#" + hashlib.blake2b(item_id.encode(), digest_size=12).hexdigest()


def recommendation_card(found: Recommendation, topics: Topics, voice: Voice) -> Card:
    topic = one_line(topics[found.topic].title.text(voice.lang))
    return card(
        f"### {voice('recommend.title', topic=topic, level=voice(f'level.{found.level}'))}",
        *reading_parts(found.items, voice),
        *[f"-# {remark.text(voice.lang)}" for remark in found.remarks],
    )


def readings_card(title: str, readings: Sequence[Reading], voice: Voice, *more: Part) -> Card:
    """Readings that go with something else: a finding, a question without an answer."""
    return card(f"### {title}", *reading_parts(readings[:PAGE], voice), *more)


def reading_parts(readings: Sequence[Reading], voice: Voice) -> list[Part]:
    """A text and a row of buttons for each."""
    return [
        part
        for n, reading in enumerate(readings, start=1)
        for part in (_reading(n, reading, voice), _reading_buttons(reading, voice))
    ]


def saved_card(readings: Sequence[Reading], page: int, owner: int, voice: Voice) -> Card:
    if not readings:
        return card(voice("saved.none"), tone=Tone.QUIET)
    shown = readings[page * PAGE : (page + 1) * PAGE]
    parts: list[Part] = [f"### {voice('saved.title', n=len(readings))}"]
    for n, reading in enumerate(shown, start=page * PAGE + 1):
        unsave = Press("unsave", short_id(reading.resource_id), label=voice("saved.remove"))
        parts += [_reading(n, reading, voice), row(*_opens(reading, voice), unsave)]
    return card(*parts, pager("saved", page, len(readings), owner, voice))


def way_card(
    way: Way, topics: Topics, page: int, owner: int, voice: Voice, picture: tuple[Upload, str] | None
) -> Card:
    """The topics as a tree in text, a few at a time; the picture shows all of them."""
    title = one_line(topics[way.topic].title.text(voice.lang))
    stops = way.stops[page * PAGE : (page + 1) * PAGE]
    n = sum(len(stop.steps) for stop in way.stops[: page * PAGE])
    lines = []
    for stop in stops:
        lines.append(f"{'✓' if stop.done else '•'} **{one_line(topics[stop.topic].title.text(voice.lang))}**")
        for step in stop.steps[:6]:
            n += 1
            stretch = f" · {voice('reading.stretch')}" if step.stretch else ""
            lines.append(f"  {n}\\. {link(step.title, step.url, 80)} · {_labels(step, voice)}{stretch}")
    minutes = sum(step.minutes or 0 for step in way.steps)
    return card(
        f"### {voice('path.title', topic=title)}",
        "\n".join(lines),
        f"-# {voice('path.length', steps=len(way.steps), hours=f'{minutes / 60:.0f}')}",
        pager(f"path|{way.topic}", page, len(way.stops), owner, voice),
        pictures=[picture] if picture and page == 0 else [],
    )


def progress_card(standings: Sequence[Standing], page: int, owner: int, voice: Voice) -> Card:
    if not standings:
        return card(voice("progress.none"), tone=Tone.QUIET)
    per_page = 12
    lines = []
    for standing in standings[page * per_page : (page + 1) * per_page]:
        level = voice(f"level.{standing.level}") if standing.level else "-"
        mark = voice("progress.set_by_you") if standing.set_by_member else ""
        title = one_line(standing.title_zh if voice.lang == "zh" else standing.title_en)
        bar, share = _bar(standing.done, standing.available), f"{standing.done}/{standing.available}"
        lines.append(f"`{bar}` **{title}** · {level}{mark} · {share}")
    return card(
        f"### {voice('progress.title')}",
        "\n".join(lines),
        pager("progress", page, len(standings), owner, voice, per_page),
    )


def pager(verb: str, page: int, count: int, owner: int, voice: Voice, per_page: int = PAGE) -> Part:
    """Back and on, for the owner; nothing when there is one page only."""
    pages = max(1, -(-count // per_page))
    if pages == 1:
        return None
    name, *arguments = verb.split("|")
    here, last = f"{page + 1}/{pages}", page + 1 >= pages
    return row(
        Press(f"{name}_page", owner, page - 1, *arguments, label=f"‹ {voice('pager.back')}", disabled=page == 0),
        Press(f"{name}_page", owner, page + 1, *arguments, label=f"{voice('pager.on', here=here)} ›", disabled=last),
    )


def _reading(n: int, reading: Reading, voice: Voice) -> str:
    mark = " ⚠️" if reading.link_state == "unreachable" else ""
    why = f"\n-# {one_line(reading.why, 220)}" if reading.why else ""
    return f"**{n}.** {link(reading.title, reading.url)}{mark}\n{_labels(reading, voice)}{why}"


def _labels(reading: Reading, voice: Voice) -> str:
    parts = [
        voice(f"level.{reading.level}") if reading.level else "",
        voice(f"language.{reading.lang}") if reading.lang in {"en", "zh"} else reading.lang,
        voice("reading.minutes", n=reading.minutes) if reading.minutes else "",
        voice(f"kind.{reading.kind}"),
    ]
    return " · ".join(part for part in parts if part)


def _reading_buttons(reading: Reading, voice: Voice) -> Part:
    id_ = short_id(reading.resource_id)
    return row(
        *_opens(reading, voice),
        Press("done", id_, label=voice("reading.read"), style=Style.success),
        Press("easy", id_, label=voice("reading.too_easy")),
        Press("hard", id_, label=voice("reading.too_hard")),
        Press("save", id_, label=voice("reading.save")),
    )


def _opens(reading: Reading, voice: Voice) -> list[Any]:
    """Our own notes and problems open here; a page opens by its link."""
    return [] if reading.url else [Press("open", short_id(reading.resource_id), label=voice("reading.open"))]


def _bar(done: int, available: int, width: int = 8) -> str:
    full = round(width * done / available) if available else 0
    return "█" * max(full, 1 if done else 0) + "░" * (width - max(full, 1 if done else 0))
