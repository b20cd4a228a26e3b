"""Every command, option and choice has its name in Chinese; whoever names only some is English for the rest."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.translator import CommandTranslator, read_commands
from knowledge.words import FOLDER, Languages, read_languages

LANGUAGES = read_languages("bot")
COMMANDS = read_commands()
DANISH = """
[tag]
html = "da"
discord = "da"
own_name = "Dansk"
"""
SOME_DANISH_COMMANDS = """
[ask]
name = "spørg"
[recommend]
about = "Hvad du kan læse nu"
options.topic = ["emne", "Et emnes navn"]
"""


@pytest.fixture
def with_danish(tmp_path: Path) -> Path:
    folder = tmp_path / "words"
    shutil.copytree(FOLDER, folder)
    (folder / "da").mkdir()
    (folder / "da" / "shared.toml").write_text(DANISH, encoding="utf-8")
    (folder / "da" / "commands.toml").write_text(SOME_DANISH_COMMANDS, encoding="utf-8")
    return folder


async def loaded_tree(spoken: Languages = LANGUAGES) -> app_commands.CommandTree[Any]:
    """The tree as the bot builds it; no cog needs more than a place to register with."""
    from bot.client import EXTENSIONS

    class Stand(commands.AutoShardedBot):
        services = type("Services", (), {"__getattr__": lambda self, name: None})()
        languages = spoken
        command_names = COMMANDS

        def answer_to(self, verbs: object) -> None:
            return None

    stand = Stand("!", intents=discord.Intents.none(), help_command=None)
    for extension in EXTENSIONS:
        await stand.load_extension(extension)
    return stand.tree


async def test_every_command_option_and_choice_has_a_chinese_name() -> None:
    tree = await loaded_tree()
    translator = CommandTranslator(COMMANDS)
    missing: list[str] = []
    for command in tree.get_commands(type=discord.AppCommandType.chat_input):
        collect(await command.get_translated_payload(tree, translator), command.name, missing)
    assert missing == []


def collect(part: dict[str, Any], where: str, missing: list[str]) -> None:
    """Every name and description without its Chinese."""
    missing += [
        f"{where}: {key}"
        for key in ("name", "description")
        if "zh-CN" not in (part.get(f"{key}_localizations") or {})
    ]
    for choice in part.get("choices") or ():
        own_name = choice["name"] == choice["value"] and not str(choice["name"]).isalpha()
        own_name = own_name or choice["name"] in {language("tag.own_name") for language in LANGUAGES}
        if not own_name and "zh-CN" not in (choice.get("name_localizations") or {}):
            missing.append(f"{where}: choice {choice['name']}")
    for option in part.get("options") or ():
        collect(option, f"{where} {option['name']}", missing)


async def test_the_catalogue_names_no_command_that_is_not_there() -> None:
    tree = await loaded_tree()
    there = {command.qualified_name for command in tree.walk_commands()}
    there |= {command.name for command in tree.get_commands(type=discord.AppCommandType.message)}
    assert COMMANDS["zh-CN"].keys() - {"choices"} - there == set()


async def test_a_language_that_names_few_commands_is_english_for_the_rest(with_danish: Path) -> None:
    tree, translator = await loaded_tree(), CommandTranslator(read_commands(with_danish))
    named: dict[str, str] = {}
    for command in tree.get_commands(type=discord.AppCommandType.chat_input):
        collect_names(await command.get_translated_payload(tree, translator), command.name, named)
    assert named == {
        "ask name": "spørg",
        "recommend description": "Hvad du kan læse nu",
        "recommend topic name": "emne",
        "recommend topic description": "Et emnes navn",
    }


def collect_names(part: dict[str, Any], where: str, named: dict[str, str]) -> None:
    """Every name and description in Danish."""
    for key in ("name", "description"):
        if text := (part.get(f"{key}_localizations") or {}).get("da"):
            named[f"{where} {key}"] = text
    for below in (*(part.get("options") or ()), *(part.get("choices") or ())):
        collect_names(below, f"{where} {below['name']}", named)


@pytest.mark.parametrize(
    ("command", "option", "others"),
    [("language", "choice", ["auto"]), ("settings language", "choice", ["auto"]), ("recommend", "language", [])],
)
async def test_every_language_that_has_words_can_be_chosen(
    with_danish: Path, command: str, option: str, others: list[str]
) -> None:
    tree = await loaded_tree(read_languages("bot", with_danish))
    found = next(each for each in tree.walk_commands() if each.qualified_name == command)
    assert isinstance(found, app_commands.Command)
    parameter = found.get_parameter(option)
    assert parameter is not None
    offered = [(choice.name, choice.value) for choice in parameter.choices]
    assert offered == [("English", "en"), ("Dansk", "da"), ("中文", "zh"), *((other, other) for other in others)]
