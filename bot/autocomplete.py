"""Choices while a member types: topics, problems, by any part of any of their names."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from knowledge.content import Content, ProblemCard, Topics
from knowledge.content.topics import names, plain_name
from knowledge.plans import goals
from knowledge.words import Language

MOST = 25


def topic_choices(topics: Topics, typed: str, lang: str) -> list[app_commands.Choice[str]]:
    """Return topics with a name that begins with what was typed, then those that contain it."""
    wanted = plain_name(typed)
    begins, holds = [], []
    for topic in topics:
        known = [plain_name(name) for name in names(topic)]
        if any(name.startswith(wanted) for name in known):
            begins.append(topic)
        elif any(wanted in name for name in known):
            holds.append(topic)
    found = (begins + holds)[:MOST]
    return [app_commands.Choice(name=topic.title.text(lang)[:100], value=topic.id) for topic in found]


def problem_choices(problems: Iterable[ProblemCard], typed: str, lang: str) -> list[app_commands.Choice[str]]:
    wanted = plain_name(typed)
    found = [
        card
        for card in problems
        if any(wanted in plain_name(name) for name in (card.slug, card.title.en, card.title.zh))
    ]
    return [app_commands.Choice(name=f"{c.title.text(lang)} ({c.slug})"[:100], value=c.slug) for c in found[:MOST]]


def goal_choices(content: Content, typed: str, language: Language) -> list[app_commands.Choice[str]]:
    """Goals of a plan with a name that begins with what was typed, then those that hold it somewhere."""
    wanted = plain_name(typed)
    begins, holds = [], []
    for goal in goals(content):
        known = [goal.name, goal.title.en, goal.title.zh]
        if goal.kind != "problem":
            known += content.topics[goal.name].aliases
        plain = [plain_name(name) for name in known]
        if any(name.startswith(wanted) for name in plain):
            begins.append(goal)
        elif any(wanted in name for name in plain):
            holds.append(goal)
    found = (begins + holds)[:MOST]
    return [app_commands.Choice(name=language.say(goal.said)[:100], value=goal.id) for goal in found]
