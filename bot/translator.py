"""Chinese names and descriptions of commands, options and choices, from `words/commands.zh.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

CHINESE = {Locale.chinese}


class CatalogueTranslator(app_commands.Translator):
    """English stands in the code; Chinese is looked up by the command's qualified name."""

    def __init__(self, commands: Mapping[str, Any]) -> None:
        self._commands = commands

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if locale not in CHINESE:
            return None
        if context.location is Place.choice_name:
            found = self._commands["choices"].get(string.message)
            return str(found) if found else None
        if context.location in {Place.parameter_name, Place.parameter_description}:
            command = self._commands[context.data.command.qualified_name]
            name, about = command["options"][context.data.name]
            return str(name if context.location is Place.parameter_name else about)
        entry = self._commands[context.data.qualified_name]
        named = context.location in {Place.command_name, Place.group_name}
        return str(entry["name"] if named else entry["about"])
