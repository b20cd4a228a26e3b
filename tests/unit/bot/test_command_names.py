"""Every command, option and choice has its name in Chinese, and nothing else is named."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.translator import CatalogueTranslator, read_commands
from knowledge.words import read_languages

LANGUAGES = read_languages("bot")
COMMANDS = read_commands()


async def loaded_tree() -> app_commands.CommandTree[Any]:
    """The tree as the bot builds it; no cog needs more than a place to register with."""
    from bot.client import EXTENSIONS

    class Stand(commands.AutoShardedBot):
        services = type("Services", (), {"__getattr__": lambda self, name: None})()
        languages = LANGUAGES
        command_names = COMMANDS

        def answer_to(self, verbs: object) -> None:
            return None

    stand = Stand("!", intents=discord.Intents.none(), help_command=None)
    for extension in EXTENSIONS:
        await stand.load_extension(extension)
    return stand.tree


async def test_every_command_option_and_choice_has_a_chinese_name() -> None:
    tree = await loaded_tree()
    translator = CatalogueTranslator(COMMANDS)
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
        if not own_name and "zh-CN" not in (choice.get("name_localizations") or {}):
            missing.append(f"{where}: choice {choice['name']}")
    for option in part.get("options") or ():
        collect(option, f"{where} {option['name']}", missing)


async def test_the_catalogue_names_no_command_that_is_not_there() -> None:
    tree = await loaded_tree()
    there = {command.qualified_name for command in tree.walk_commands()}
    there |= {command.name for command in tree.get_commands(type=discord.AppCommandType.message)}
    assert COMMANDS["zh-CN"].keys() - {"choices"} - there == set()
