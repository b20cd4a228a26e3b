"""Names and descriptions of commands, options and choices in other languages than English: their `commands.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

from knowledge.words import FOLDER, language_codes, read_languages, read_table

CommandNames = Mapping[str, Any]
"""By qualified name of a command: `name`, `about`, and `options`."""


def read_commands(folder: Path = FOLDER) -> dict[str, CommandNames]:
    """Read the tables of commands, by the locale's name as Discord has it."""
    languages = read_languages("bot", folder)
    tables = {code: read_table(folder / code / "commands.toml") for code in language_codes(folder)}
    return {languages[code]("tag.discord"): table for code, table in tables.items() if table}


class CatalogueTranslator(app_commands.Translator):
    """English stands in the code; the others are looked up by the command's qualified name."""

    def __init__(self, commands: Mapping[str, CommandNames]) -> None:
        self._commands = commands

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if (commands := self._commands.get(locale.value)) is None:
            return None
        if context.location is Place.choice_name:
            found = commands["choices"].get(string.message)
            return str(found) if found else None
        if context.location in {Place.parameter_name, Place.parameter_description}:
            command = commands[context.data.command.qualified_name]
            name, about = command["options"][context.data.name]
            return str(name if context.location is Place.parameter_name else about)
        entry = commands[context.data.qualified_name]
        named = context.location in {Place.command_name, Place.group_name}
        return str(entry["name"] if named else entry["about"])
