"""Every command, in both languages, in a server, in a direct message and as a user install; and its capture."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord import LocalDiscord
from tests.e2e.bot.captures import DOCS, LOCALES, MARK, section
from tests.e2e.bot.scenarios import SCENARIOS, Scenario
from tests.e2e.bot.stage import ONE_LIFE, Stage

pytestmark = ONE_LIFE

EVERYWHERE = [
    pytest.param(scenario, lang, where, id=f"{scenario.name}-{lang}-{where}")
    for scenario in SCENARIOS
    for lang in LOCALES
    for where in scenario.places
]


@pytest.mark.parametrize(("scenario", "lang", "where"), EVERYWHERE)
async def test_a_command_answers_in_the_members_language(
    stage: Stage, place: LocalDiscord, scenario: Scenario, lang: str, where: str
) -> None:
    member = place.person("member", LOCALES[lang], installed=True)
    await scenario.shown(stage, member, stage.place(where, member), lang)
    assert place.pings == []


async def test_there_is_a_scenario_for_every_command(stage: Stage, place: LocalDiscord) -> None:
    registered = {name for command in place.world.commands[None] for name in names(command)}
    assert {scenario.typed["en"] for scenario in SCENARIOS} == registered


def names(command: dict[str, Any]) -> list[str]:
    """What can be typed: a group's subcommands, or the command itself."""
    inner = [option["name"] for option in command.get("options") or () if option["type"] == 1]
    return [f"{command['name']} {name}" for name in inner] or [command["name"]]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_the_manual_shows_every_command_in_both_languages(scenario: Scenario) -> None:
    """`python -m tests.e2e.bot.captures` writes what is missing."""
    shown = section(DOCS.read_text(encoding="utf-8").partition(MARK)[2], scenario)
    for lang in LOCALES:
        assert f"`{scenario.as_typed(lang)}`" in shown
        assert scenario.says[lang] in shown
