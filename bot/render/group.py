"""What the bot posts in a guild by itself, and a guild's plan as it stands. Each post carries its key in a button."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import discord

from bot.buttons import Pick, Press, Style, row
from bot.markup import link, one_line, when
from bot.render.card import Card, Part, Tone, card
from bot.render.readings import short_id
from knowledge.catalogue import Item
from knowledge.group import Deed, GroupPlan, WeekStanding
from knowledge.words import Language

SHOW, NAME_ME = "group_show", "group_name_me"
_MOST_NAMED = 20
_MOST_ITEMS = 25
_FULL, _EMPTY = "▰", "▱"


def opening_card(plan: GroupPlan, number: int, items: Sequence[Item], key: str, language: Language) -> Card:
    """Return what a week begins with: what to read, what to solve, until when."""
    until = language("group.until", day=when(plan.closes_at(number), "F"))
    return card(
        f"### {language('group.opens', n=number, all=len(plan.weeks), goal=plan.goal.said)}\n"
        f"{_bar(plan, number)} · {until} · {language.duration(plan.week(number).minutes)}",
        _items(items, plan.week(number).problem, language),
        f"-# {language('group.how_named')}",
        _open_menu(items, language),
        _buttons(key, language),
    )


def reminder_card(plan: GroupPlan, standing: WeekStanding, key: str, language: Language) -> Card:
    ends = when(plan.closes_at(standing.number), "R")
    return card(
        language("group.reminder", n=standing.number, when=ends),
        _deeds(standing, language),
        _buttons(key, language),
        tone=Tone.QUIET,
    )


def closing_card(
    plan: GroupPlan,
    standing: WeekStanding,
    standings: Sequence[WeekStanding],
    title: str,
    key: str,
    language: Language,
) -> Card:
    """Return who did what in the week, and where the guild stands in its plan."""
    last = standing.number == len(plan.weeks)
    return card(
        f"### {language('group.closes', n=standing.number, goal=plan.goal.said)}",
        language("group.problem_was", title=one_line(title), n=standing.solved) if title else None,
        _deeds(standing, language) or language("group.nobody"),
        f"{_bar(plan, standing.number + 1)}\n{_summary(standings, language)}",
        language("group.over") if last else None,
        _buttons(key, language),
        tone=Tone.GOOD,
    )


def standing_card(
    plan: GroupPlan, standings: Sequence[WeekStanding], items: Sequence[Item], now: datetime, language: Language
) -> Card:
    """Return the plan as anybody may ask for it."""
    number = plan.number_at(now)
    title = f"### {language('group.title', goal=plan.goal.said)}\n{_bar(plan, number)}"
    if not standings:
        return card(title, language("group.begins", n=len(plan.weeks), when=when(plan.starts_at, "F")))
    if number > len(plan.weeks):
        return card(title, language("group.over"), _summary(standings, language), tone=Tone.GOOD)
    return card(
        title,
        language("group.until", day=when(plan.closes_at(number), "F")),
        _items(items, plan.week(number).problem, language),
        _deeds(standings[-1], language),
        _summary(standings, language),
        _open_menu(items, language),
    )


def post_button(key: str, language: Language) -> Press:
    return Press(SHOW, key, label=language("group.show"))


def mention(member_id: str) -> str:
    face, _, id_ = member_id.partition(":")
    return f"<@{id_}>" if face == "discord" and id_.isdigit() else one_line(member_id, 32)


def _items(items: Sequence[Item], problem: str | None, language: Language) -> str:
    lines = []
    for n, item in enumerate(items[:_MOST_ITEMS], start=1):
        facts = " · ".join(
            part for part in (language.word("kind", item.kind), language.duration(item.minutes)) if part
        )
        together = f" · **{language('group.together')}**" if item.id == f"problem:{problem}" else ""
        lines.append(f"{n}\\. {link(item.title(language.code), item.url, 90)} · {facts}{together}")
    return "\n".join(lines) or language("group.rest")


def _deeds(standing: WeekStanding, language: Language) -> str:
    lines = [f"- {_deed(deed, language)}" for deed in standing.deeds[:_MOST_NAMED]]
    if standing.others:
        lines.append(f"- {language('group.others', n=standing.others)}")
    return "\n".join(lines)


def _deed(deed: Deed, language: Language) -> str:
    read = language("group.read", n=deed.read, all=deed.of) if deed.of else ""
    solved = language("group.solved") if deed.solved else ""
    return " · ".join(part for part in (mention(deed.member_id), read, solved) if part)


def _summary(standings: Sequence[WeekStanding], language: Language) -> str:
    """Return a line for each week that has begun."""
    return "\n".join(
        f"-# {language('group.week_solved', n=one.number, solved=one.solved)}" for one in standings if one.problem
    )


def _bar(plan: GroupPlan, number: int) -> str:
    """Return the weeks as boxes, filled up to the one before this."""
    done = min(max(number - 1, 0), len(plan.weeks))
    return _FULL * done + _EMPTY * (len(plan.weeks) - done)


def _open_menu(items: Sequence[Item], language: Language) -> Part:
    """Our own notes and problems; pages have links."""
    options = [
        (item.title(language.code), short_id(item.id), language.word("kind", item.kind)) for item in items if item.own
    ]
    return row(Pick("open", placeholder=language("plan.open"), options=options)) if options else None


def _buttons(key: str, language: Language) -> discord.ui.ActionRow:  # type: ignore[type-arg]  # of any view
    return row(Press(NAME_ME, key, label=language("group.name_me"), style=Style.primary), post_button(key, language))
