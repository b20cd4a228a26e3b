"""Every sentence exists in both languages, is said somewhere, and has the same blanks to fill."""

from __future__ import annotations

import ast
import string
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.translator import CatalogueTranslator
from bot.words import load_voices

BOT = Path(__file__).parents[3] / "bot"
VOICES = load_voices()


def said() -> tuple[set[str], set[str]]:
    """Names of sentences in the code, and the beginnings of those that are put together (`verdict.` + kind)."""
    whole: set[str] = set()
    beginnings: set[str] = set()
    for path in BOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
    return whole, {start for start in beginnings if start.endswith((".", "_")) and "." in start}


def test_both_languages_have_the_same_sentences() -> None:
    assert VOICES.en.sentences.keys() == VOICES.zh.sentences.keys()


@pytest.mark.parametrize("name", sorted(VOICES.en.sentences))
def test_a_sentence_has_the_same_blanks_in_both_languages(name: str) -> None:
    def blanks(text: str) -> set[str]:
        return {field for _, field, _, _ in string.Formatter().parse(text) if field}

    assert blanks(VOICES.en.sentences[name]) == blanks(VOICES.zh.sentences[name])


def test_every_sentence_is_said_somewhere() -> None:
    whole, beginnings = said()
    idle = [n for n in VOICES.en.sentences if n not in whole and not n.startswith(tuple(beginnings))]
    assert idle == []


def test_chinese_sentences_are_chinese() -> None:
    plain = [
        name
        for name, text in VOICES.zh.sentences.items()
        if not any("\u4e00" <= char <= "\u9fff" for char in text) and any(char.isalpha() for char in text)
    ]
    assert set(plain) <= {"backend.gpu", "recommend.title"}


async def loaded_tree() -> app_commands.CommandTree[Any]:
    """The tree as the bot builds it; no cog needs more than a place to register with."""
    from bot.client import EXTENSIONS

    class Stand(commands.AutoShardedBot):
        flows = type("Flows", (), {"__getattr__": lambda self, name: None})()
        voices = VOICES

        def answer_to(self, verbs: object) -> None:
            return None

    stand = Stand("!", intents=discord.Intents.none(), help_command=None)
    for extension in EXTENSIONS:
        await stand.load_extension(extension)
    return stand.tree


async def test_every_command_option_and_choice_has_a_chinese_name() -> None:
    tree = await loaded_tree()
    translator = CatalogueTranslator(VOICES.commands_zh)
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
    assert VOICES.commands_zh.keys() - {"choices"} - there == set()
