"""Names and descriptions of commands, options and choices in other languages than English: their `commands.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discord import Locale, app_commands
from discord.app_commands import Choice
from discord.app_commands import TranslationContextLocation as Place

from knowledge.words import FOLDER, Languages, language_codes, read_languages, read_table

AUTO = "auto"
"""The choice of no language in particular: what was chosen more widely is followed."""
CommandNames = Mapping[str, Any]
"""A table of commands by their qualified names, each with `name`, `about`, and `options`."""


def read_commands(folder: Path = FOLDER) -> dict[str, CommandNames]:
    """Read the tables of commands, by the locale's name as Discord has it."""
    languages = read_languages("bot", folder)
    tables = {code: read_table(folder / code / "commands.toml") for code in language_codes(folder)}
    return {languages[code]("tag.discord"): table for code, table in tables.items() if table}


class CommandTranslator(app_commands.Translator):
    """English stands in the code; the others are looked up by the command's qualified name, else English is shown."""

    def __init__(self, commands: Mapping[str, CommandNames]) -> None:
        self._commands = commands

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        commands = self._commands.get(locale.value, {})
        found: str | None
        if context.location is Place.choice_name:
            found = commands.get("choices", {}).get(string.message)
        elif context.location in {Place.parameter_name, Place.parameter_description}:
            options = commands.get(context.data.command.qualified_name, {}).get("options", {})
            name_and_about = options.get(context.data.name, (None, None))
            found = name_and_about[context.location is Place.parameter_description]
        else:
            named = context.location in {Place.command_name, Place.group_name}
            found = commands.get(context.data.qualified_name, {}).get("name" if named else "about")
        return found


def offer_languages(command: Any, option: str, languages: Languages, *others: str) -> None:
    """Have an option of the command take a language, each shown under its own name, or one of the others."""
    choices = [Choice(name=language("tag.own_name"), value=language.code) for language in languages]
    choices += [Choice(name=app_commands.locale_str(other), value=other) for other in others]
    app_commands.choices(**{option: choices})(command)
