"""Whether Discord would register these commands, show this modal, take these choices."""

from __future__ import annotations

import re
from typing import Any

from tests.discord import limits
from tests.discord.check_messages import INPUT, LABEL, TEXT, UPLOAD, check_select, walk
from tests.discord.refusal import Complaints

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
_NAME = re.compile(r"^[-_'\w]{1,32}$")
LOCALES = frozenset(
    [
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        "lt",
        "hu",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "fi",
        "sv-SE",
        "vi",
        "tr",
        "cs",
        "el",
        "bg",
        "ru",
        "uk",
        "hi",
        "th",
        "zh-CN",
        "ja",
        "zh-TW",
        "ko",
    ]
)


def check_commands(commands: list[dict[str, Any]], *, in_guild: bool) -> None:
    bad = Complaints()
    for kind, most in limits.COMMANDS.items():
        if sum(command.get("type", 1) == kind for command in commands) > most:
            bad.add("commands", "APPLICATION_COMMANDS_TOO_MANY", f"At most {most} commands of type {kind}.")
    names = [(command.get("type", 1), command.get("name")) for command in commands]
    if len(set(names)) < len(names):
        bad.add("commands", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Two commands share a name.")
    for n, command in enumerate(commands):
        _check_command(str(n), command, bad)
        if in_guild and (command.get("contexts") or command.get("integration_types")):
            bad.add(f"{n}.contexts", "APPLICATION_COMMAND_CONTEXTS_GUILD", "Only global commands have contexts.")
    bad.refuse()


def _check_command(at: str, command: dict[str, Any], bad: Complaints) -> None:
    kind = command.get("type", 1)
    bad.length(f"{at}.name", command.get("name"), limits.COMMAND_NAME, 1)
    if kind == 1:
        _check_names(at, command, bad)
        bad.length(f"{at}.description", command.get("description"), limits.COMMAND_DESCRIPTION, 1)
    elif command.get("description") or command.get("options"):
        bad.add(f"{at}.description", "APPLICATION_COMMAND_INVALID", "Only slash commands have descriptions.")
    _check_localised(at, command, bad)
    _check_options(at, command.get("options") or [], bad)
    if (size := _size(command)) > limits.COMMAND_TOTAL:
        bad.add(at, "APPLICATION_COMMAND_TOO_LARGE", f"{size} characters; at most {limits.COMMAND_TOTAL}.")


def _check_options(at: str, options: list[dict[str, Any]], bad: Complaints) -> None:
    bad.count(f"{at}.options", options, limits.OPTIONS)
    names = [option.get("name") for option in options]
    if len(set(names)) < len(names):
        bad.add(f"{at}.options", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Two options share a name.")
    optional_seen = False
    for n, option in enumerate(options):
        here = f"{at}.options.{n}"
        _check_names(here, option, bad)
        bad.length(f"{here}.description", option.get("description"), limits.COMMAND_DESCRIPTION, 1)
        _check_localised(here, option, bad)
        if option["type"] in {SUBCOMMAND, GROUP}:
            _check_options(here, option.get("options") or [], bad)
            continue
        if option.get("required") and optional_seen:
            bad.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options come first.")
        optional_seen |= not option.get("required")
        check_choices(f"{here}.choices", option.get("choices") or [], bad)
        if option.get("autocomplete") and option.get("choices"):
            bad.add(
                here, "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", "Choices and autocomplete exclude each other."
            )


def check_choices(at: str, choices: Any, bad: Complaints) -> None:
    bad.count(at, choices, limits.CHOICES)
    for n, choice in enumerate(choices):
        bad.length(f"{at}.{n}.name", choice.get("name"), limits.CHOICE_NAME, 1)
        if isinstance(choice.get("value"), str):
            bad.length(f"{at}.{n}.value", choice["value"], limits.CHOICE_VALUE, 1)


def check_modal(modal: dict[str, Any]) -> None:
    bad = Complaints()
    bad.length("data.title", modal.get("title"), limits.MODAL_TITLE, 1)
    bad.length("data.custom_id", modal.get("custom_id"), limits.CUSTOM_ID, 1)
    bad.count("data.components", modal.get("components"), limits.MODAL_COMPONENTS, 1)
    for n, part in enumerate(modal.get("components") or ()):
        at = f"data.components.{n}"
        if part["type"] == LABEL:
            bad.length(f"{at}.label", part.get("label"), limits.LABEL, 1)
            bad.length(f"{at}.description", part.get("description"), limits.LABEL_DESCRIPTION)
            _check_field(f"{at}.component", part.get("component") or {"type": 0}, bad)
        elif part["type"] == 1:
            for m, child in enumerate(part["components"]):
                _check_field(f"{at}.components.{m}", child, bad)
        elif part["type"] != TEXT:
            bad.add(f"{at}.type", "BASE_TYPE_CHOICES", f"Type {part['type']} cannot stand in a modal.")
    ids = [part["custom_id"] for part in walk(modal.get("components")) if part.get("custom_id")]
    if len(set(ids)) < len(ids):
        bad.add("data.components", "COMPONENT_CUSTOM_ID_DUPLICATED", "A custom id stands twice.")
    bad.refuse()


def _check_field(at: str, part: dict[str, Any], bad: Complaints) -> None:
    bad.length(f"{at}.custom_id", part.get("custom_id"), limits.CUSTOM_ID, 1)
    if part["type"] == INPUT:
        bad.length(f"{at}.placeholder", part.get("placeholder"), limits.INPUT_PLACEHOLDER)
        bad.length(f"{at}.value", part.get("value"), limits.INPUT_TEXT)
        if (
            not 0
            <= (part.get("min_length") or 0)
            <= (part.get("max_length") or limits.INPUT_TEXT)
            <= limits.INPUT_TEXT
        ):
            bad.add(f"{at}.max_length", "NUMBER_TYPE_MAX", f"At most {limits.INPUT_TEXT}.")
    elif part["type"] == UPLOAD:
        if not 0 <= _number(part, "min_values", 1) <= _number(part, "max_values", 1) <= limits.FILES:
            bad.add(f"{at}.max_values", "NUMBER_TYPE_MAX", f"At most {limits.FILES}.")
    elif part["type"] in {3, 5, 6, 7, 8}:
        check_select(at, part, bad)
    else:
        bad.add(f"{at}.type", "BASE_TYPE_CHOICES", f"Type {part['type']} is no field.")


def _number(part: dict[str, Any], key: str, default: int) -> int:
    """A null is as good as nothing."""
    value = part.get(key)
    return default if value is None else int(value)


def _check_names(at: str, named: dict[str, Any], bad: Complaints) -> None:
    for where, name in [("name", named.get("name")), *_localised(named, "name")]:
        if not isinstance(name, str) or not _NAME.match(name) or name != name.lower():
            bad.add(f"{at}.{where}", "APPLICATION_COMMAND_INVALID_NAME", f"{name!r} is not a name for a command.")


def _check_localised(at: str, named: dict[str, Any], bad: Complaints) -> None:
    for key, most in (("name", limits.COMMAND_NAME), ("description", limits.COMMAND_DESCRIPTION)):
        for where, text in _localised(named, key):
            bad.length(f"{at}.{where}", text, most, 1)
            if where.rpartition(".")[2] not in LOCALES:
                bad.add(f"{at}.{where}", "ENUM_TYPE_COERCE", "There is no such locale.")


def _localised(named: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    return [
        (f"{key}_localizations.{locale}", text) for locale, text in (named.get(f"{key}_localizations") or {}).items()
    ]


def _size(command: dict[str, Any]) -> int:
    """The longest of each text and its localisations, summed; choices count name and value."""
    own = sum(
        max([len(command.get(key) or ""), *(len(text) for _, text in _localised(command, key))])
        for key in ("name", "description")
    )
    choices = sum(len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or ())
    return own + choices + sum(_size(option) for option in command.get("options") or ())
