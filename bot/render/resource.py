"""Resources of the library, and the questions that it could not answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.buttons import Press, Style, row
from bot.markup import link, one_line
from bot.render.card import Card, Part, Tone, card
from bot.render.readings import pager, short_id
from knowledge.catalogue import Item
from knowledge.words import Language

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap

PAGE = 15
_MOST = 20
_AT_ONCE = 5


def resource_card(one: Item, language: Language, *, moderator: bool) -> Card:
    decides = moderator and one.state == "pending" and short_id(one.id) == one.id
    topics = ", ".join(one_line(topic, 40) for topic in one.topics)
    level = language(f"level.{one.stated_level}") if one.stated_level else "-"
    return card(
        f"### {link(one.title(language.code), one.url)}",
        f"{level} · {one.lang} · {language(f'kind.{one.kind}')}" + (f" · {topics}" if topics else ""),
        one_line(one.summary(language.code), 600) or None,
        f"-# {language(f'resource.{one.state}')} · {language(f'link.{one.link_state}')} · `{one_line(one.id, 60)}`",
        _decision(one, language) if decides else None,
        tone=Tone.WARN if one.state == "pending" else Tone.PLAIN,
    )


def list_card(found: Sequence[Item], topic: str, page: int, owner: int, language: Language) -> Card:
    if not found:
        return card(language("resource.none"), tone=Tone.QUIET)
    lines = [
        _listed_line(one, language) + (f" · {language(f'level.{one.stated_level}')}" if one.stated_level else "")
        for one in found[page * PAGE : (page + 1) * PAGE]
    ]
    return card(
        f"### {language('resource.title', n=len(found))}",
        "\n".join(lines),
        pager(f"library|{topic}", page, len(found), owner, language, PAGE),
    )


def review_card(waiting: Sequence[Item], language: Language) -> Card:
    """Return the suggestions that wait for a moderator, a few at a time, each with its two buttons."""
    if not waiting:
        return card(language("resource.none"), tone=Tone.QUIET)
    shown = [one for one in waiting if short_id(one.id) == one.id][:_AT_ONCE]
    parts = [part for one in shown for part in (_listed_line(one, language), _decision(one, language))]
    return card(f"### {language('resource.review', n=len(waiting))}", *parts, tone=Tone.WARN)


def _decision(one: Item, language: Language) -> Part:
    return row(
        Press("approve", one.id, label=language("resource.approve"), style=Style.success),
        Press("reject", one.id, label=language("resource.reject"), style=Style.danger),
    )


def gaps_card(gaps: Sequence[Gap], language: Language) -> Card:
    if not gaps:
        return card(language("gaps.none"), tone=Tone.QUIET)
    return card(f"### {language('gaps.title')}", gap_lines(gaps, language))


def gap_lines(gaps: Sequence[Gap], language: Language) -> str:
    return "\n".join(
        f"- {one_line(gap.text, 160)} · {language('gaps.asked', questions=len(gap.questions), members=gap.members)}"
        for gap in gaps[:_MOST]
    )


def item_lines(items: Sequence[Item], language: Language) -> str:
    return "\n".join(_listed_line(one, language) for one in items[:_MOST])


def _listed_line(one: Item, language: Language) -> str:
    return f"- {link(one.title(language.code), one.url, 80)}"
